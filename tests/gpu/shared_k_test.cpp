// Threads that share out K over tiles in shared memory, on a real GPU.
#include "support/context_options.hpp"
#include "support/gpu.hpp"
#include "support/shared_k_cases.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("threads that share out K add what they found on the GPU", "[gpu][shared_k]") {
  const std::string failures = on_gpu(
      [] {
        Context context(open_device(), without_disk_cache());
        std::string text;
        for (const StraightRow& row : kSharedK)
          for (const Fill fill : {Fill::special, Fill::normal}) {
            GemmCase one = case_of(row, 29);
            one.fill = is_integer(row.types.a) ? Fill::integers : fill;
            text += describe(one, run_case(context, one, make_data(one)));
          }
        return text;
      },
      60);
  CHECK(failures == "");
}
