// 2,000 random products of operands that are converted, or scaled as they are summed, on a real
// GPU: some in each test, so that they run side by side.
#include "support/gpu_cases.hpp"
#include "support/scaled_problem.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("random scaled problems 0 to 299 come out right on the GPU", "[gpu][scales]") {
  check_cases(0, 300, scaled_case);
}
TEST_CASE("random scaled problems 300 to 599 come out right on the GPU", "[gpu][scales]") {
  check_cases(300, 600, scaled_case);
}
TEST_CASE("random scaled problems 600 to 699 come out right on the GPU", "[gpu][scales]") {
  check_cases(600, 700, scaled_case);
}
TEST_CASE("random scaled problems 700 to 799 come out right on the GPU", "[gpu][scales]") {
  check_cases(700, 800, scaled_case);
}
TEST_CASE("random scaled problems 800 to 899 come out right on the GPU", "[gpu][scales]") {
  check_cases(800, 900, scaled_case);
}
TEST_CASE("random scaled problems 900 to 999 come out right on the GPU", "[gpu][scales]") {
  check_cases(900, 1000, scaled_case);
}
TEST_CASE("random scaled problems 1000 to 1099 come out right on the GPU", "[gpu][scales]") {
  check_cases(1000, 1100, scaled_case);
}
TEST_CASE("random scaled problems 1100 to 1199 come out right on the GPU", "[gpu][scales]") {
  check_cases(1100, 1200, scaled_case);
}
TEST_CASE("random scaled problems 1200 to 1299 come out right on the GPU", "[gpu][scales]") {
  check_cases(1200, 1300, scaled_case);
}
TEST_CASE("random scaled problems 1300 to 1399 come out right on the GPU", "[gpu][scales]") {
  check_cases(1300, 1400, scaled_case);
}
TEST_CASE("random products scaled in their sums 0 to 74 come out right on the GPU",
          "[gpu][scales]") {
  check_cases(0, 75, scaled_product_case);
}
TEST_CASE("random products scaled in their sums 75 to 149 come out right on the GPU",
          "[gpu][scales]") {
  check_cases(75, 150, scaled_product_case);
}
TEST_CASE("random products scaled in their sums 150 to 224 come out right on the GPU",
          "[gpu][scales]") {
  check_cases(150, 225, scaled_product_case);
}
TEST_CASE("random products scaled in their sums 225 to 299 come out right on the GPU",
          "[gpu][scales]") {
  check_cases(225, 300, scaled_product_case);
}
TEST_CASE("random weights in fragments 0 to 74 come out right on the GPU", "[gpu][scales]") {
  check_cases(0, 75, fragments_case);
}
TEST_CASE("random weights in fragments 75 to 149 come out right on the GPU", "[gpu][scales]") {
  check_cases(75, 150, fragments_case);
}
TEST_CASE("random weights in fragments 150 to 224 come out right on the GPU", "[gpu][scales]") {
  check_cases(150, 225, fragments_case);
}
TEST_CASE("random weights in fragments 225 to 299 come out right on the GPU", "[gpu][scales]") {
  check_cases(225, 300, fragments_case);
}
TEST_CASE("random groups of converted operands 0 to 79 come out right on the GPU",
          "[gpu][scales][groups]") {
  check_cases(0, 80, converted_group_case);
  check_cases(0, 80, copied_group_case);
}
