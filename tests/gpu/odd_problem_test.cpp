// 300 problems with odd leading dimensions and bases of one element's alignment on a real GPU,
// sixty in each test.
#include "support/odd_problem.hpp"
#include "support/context_options.hpp"
#include "support/gpu.hpp"

using namespace jute;
using namespace jute::test;

namespace {

void check_odd_cases(int first, int last) {
  const std::string failures = on_gpu(
      [=] {
        Context context(open_device(), with_kept_kernels());
        return odd_failures(context, first, last);
      },
      60);
  CHECK(failures == "");
}

}  // namespace

TEST_CASE("odd problems 0 to 59 come out right on the GPU", "[gpu][odd]") {
  check_odd_cases(0, 60);
}
TEST_CASE("odd problems 60 to 119 come out right on the GPU", "[gpu][odd]") {
  check_odd_cases(60, 120);
}
TEST_CASE("odd problems 120 to 179 come out right on the GPU", "[gpu][odd]") {
  check_odd_cases(120, 180);
}
TEST_CASE("odd problems 180 to 239 come out right on the GPU", "[gpu][odd]") {
  check_odd_cases(180, 240);
}
TEST_CASE("odd problems 240 to 299 come out right on the GPU", "[gpu][odd]") {
  check_odd_cases(240, kOddProblems);
}
