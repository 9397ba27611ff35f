// Fifty substituted shared-memory layouts on a real GPU, ten in each test.
#include "support/substituted_layouts.hpp"
#include "support/context_options.hpp"
#include "support/gpu.hpp"

using namespace jute;
using namespace jute::test;

namespace {

void check_cases(int first, int last) {
  const std::string failures = on_gpu(
      [=] {
        Context context(open_device(), with_kept_kernels());
        return substitution_failures(context, first, last);
      },
      60);
  CHECK(failures == "");
}

}  // namespace

TEST_CASE("substituted layouts 0 to 9 give the planned bits on the GPU", "[gpu][layouts]") {
  check_cases(0, 10);
}
TEST_CASE("substituted layouts 10 to 19 give the planned bits on the GPU", "[gpu][layouts]") {
  check_cases(10, 20);
}
TEST_CASE("substituted layouts 20 to 29 give the planned bits on the GPU", "[gpu][layouts]") {
  check_cases(20, 30);
}
TEST_CASE("substituted layouts 30 to 39 give the planned bits on the GPU", "[gpu][layouts]") {
  check_cases(30, 40);
}
TEST_CASE("substituted layouts 40 to 49 give the planned bits on the GPU", "[gpu][layouts]") {
  check_cases(40, kSubstitutions);
}
