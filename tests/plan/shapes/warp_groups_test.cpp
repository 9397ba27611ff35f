// Operands that warpgroups' tensor cores cannot read as they lie, and warps' can.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/values/plan.hpp>

#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;

namespace {

Problem tf32_problem(Index m, Index n, Index k, Order a = Order::row, Order b = Order::row) {
  return test::problem_of(m, n, k, {DType::tf32, DType::f32}, {a, b});
}
Plan plan_on(const Problem& problem, const char* preset = "h200") {
  return make_plan(problem, device_preset(preset));
}
bool is_by_warps(const Plan& plan) {
  const GemmStep& step = gemm_step(plan);
  return step.mma.atom().form == MmaForm::mma &&
         step.schedule.main_loop == MainLoop::warp_specialised;
}

}  // namespace

TEST_CASE("few rows of tf32 meet a large operand along N or M as it lies", "[plan][warps]") {
  using enum Order;
  for (const Problem& problem :
       {tf32_problem(12, 1620, 9300), tf32_problem(14252, 1, 2172, col, col),
        tf32_problem(4760, 5, 1584, col, col)}) {
    INFO(to_string(problem));
    CHECK(is_by_warps(plan_on(problem)));
  }
  // Whoever brings them: memory decides.
  for (const Problem& problem :
       {tf32_problem(12, 1620, 9300), tf32_problem(8, 8192, 8192), tf32_problem(64, 4096, 4096),
        tf32_problem(14252, 1, 2172, col, col), tf32_problem(4760, 5, 1584, col, col)}) {
    INFO(to_string(problem));
    const Plan plan = plan_on(problem);
    CHECK(gemm_step(plan).mma.atom().form == MmaForm::mma);
    CHECK(plan.steps.size() == 1);
  }
}

TEST_CASE("few tiles of f64 are small, and cut into slices of K", "[plan][warps][slices]") {
  using enum Order;
  for (const auto& [m, n, k, a, b] :
       {std::tuple(64, 64, 10000, row, row), std::tuple(32, 1000, 20000, row, row),
        std::tuple(256, 256, 4096, row, row), std::tuple(20, 30, 6736, row, row)}) {
    INFO(m << "x" << n << "x" << k);
    const Plan plan = plan_on(test::problem_of(m, n, k, {DType::f64, DType::f64}, {a, b}));
    CHECK(gemm_step(plan).schedule.split_k > 1);
    CHECK(plan.steps.size() == 1);
  }
  // Rows that begin anywhere need no copies for that.
  const Plan odd = plan_on(test::problem_of(101, 203, 5001, {DType::f64, DType::f64}));
  CHECK(gemm_step(odd).schedule.split_k > 1);
  CHECK(odd.steps.size() == 1);
  for (const Index large : {1000, 2048})
    CHECK_FALSE(
        is_by_warps(plan_on(test::problem_of(large, large, large, {DType::f64, DType::f64}))));
}

TEST_CASE("a copy pays for itself where it is read often", "[plan][warps][moves]") {
  for (const Problem& problem : {tf32_problem(4096, 4096, 4096), tf32_problem(600, 600, 600),
                                 tf32_problem(1120, 319, 1192, Order::col, Order::col)}) {
    INFO(to_string(problem));
    CHECK(is_wgmma(gemm_step(plan_on(problem)).mma.atom().form));
    CHECK(plan_on(problem).steps.size() == 2);
  }
}

TEST_CASE("blocks of such warps fill the chip by slices of K", "[plan][warps][slices]") {
  for (const auto& [m, n, k] :
       {std::tuple(12, 1620, 9300), std::tuple(16, 1024, 16384), std::tuple(128, 4096, 4096)}) {
    const GemmStep step = gemm_step(plan_on(tf32_problem(m, n, k)));
    const Index blocks =
        ceil_div(m, Index{step.tile.m}) * ceil_div(n, Index{step.tile.n}) * step.schedule.split_k;
    INFO(m << "x" << n << "x" << k);
    CHECK(step.schedule.split_k > 1);
    CHECK(blocks >= 66);
    CHECK(blocks <= 264);
  }
}

TEST_CASE("other chips, and operands that wgmma reads, keep what they had", "[plan][warps]") {
  CHECK_FALSE(is_by_warps(plan_on(tf32_problem(12, 1620, 9300), "a100")));
  CHECK_FALSE(is_by_warps(plan_on(tf32_problem(12, 1620, 9300, Order::row, Order::col))));
  CHECK_FALSE(is_by_warps(plan_on(tf32_problem(12, 1621, 9300))));  // TMA cannot read its rows
}

TEST_CASE("what is planned of warps is predicted, and planned again by its own choices",
          "[plan][warps][config]") {
  const Problem problem = tf32_problem(12, 1620, 9300);
  const Considered first = considered(problem, device_preset("h200")).front();
  REQUIRE(first.prediction);
  CHECK(first.prediction->clocks > first.prediction->memory);
  CHECK(to_string(make_plan(problem, device_preset("h200"), first.config)) ==
        to_string(plan_on(problem)));
}
