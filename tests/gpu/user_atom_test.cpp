// Rows given at run time on a real GPU.
#include "support/gpu.hpp"
#include "support/user_atom_case.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("a user's atoms with permuted k, renamed columns and other shapes multiply on the GPU",
          "[gpu][user_atoms]") {
  const std::string failures = on_gpu(
      [] {
        Context context(open_device(), with_user_catalogue());
        return user_atom_failures(context);
      },
      60);
  CHECK(failures == "");
}
