// K that threads share out over tiles in shared memory, or blocks by slices, on a real GPU.
#include "support/context_options.hpp"
#include "support/gpu.hpp"
#include "support/shared_k_cases.hpp"
#include "support/staged_slices_cases.hpp"

using namespace jute;
using namespace jute::test;

namespace {

template <class Rows>
std::string failures_of_rows(const Rows& rows) {
  return on_gpu(
      [&] {
        Context context(open_device(), with_kept_kernels());
        std::string text;
        for (const StraightRow& row : rows)
          for (const Fill fill : {Fill::special, Fill::normal}) {
            GemmCase one = case_of(row, 29);
            one.fill = is_integer(row.types.a) ? Fill::integers : fill;
            text += describe(one, run_case(context, one, make_data(one)));
          }
        return text;
      },
      60);
}

}  // namespace

TEST_CASE("threads that share out K add what they found on the GPU", "[gpu][shared_k]") {
  CHECK(failures_of_rows(kSharedK) == "");
}

TEST_CASE("blocks with slices of K add what they found on the GPU, without a producer",
          "[gpu][slices]") {
  CHECK(failures_of_rows(kStagedSlices) == "");
}
