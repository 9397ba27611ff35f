// Which straight kernel a tiny problem, or one of few rows, is given.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/plan.hpp>

#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using test::problem_of;

namespace {

GemmStep step_for(Index m, Index n, Index k, Order b) {
  return gemm_step(make_plan(problem_of(m, n, k, {DType::bf16, DType::bf16}, {Order::row, b}),
                             device_preset("h200")));
}

}  // namespace

TEST_CASE("a grid of few blocks has wide ones rather than twice as many", "[plan][cost]") {
  for (const auto& [m, n] : {std::pair(5, 16), std::pair(2, 32), std::pair(3, 24)}) {
    INFO(m << "x" << n);
    CHECK(step_for(m, n, 8, Order::row).tile == TileShape{16, 16, 16});
  }
  CHECK(step_for(776, 16, 8, Order::row).tile == TileShape{16, 8, 16});
}

TEST_CASE("dot products of several columns read both operands along K", "[plan][cost]") {
  CHECK(step_for(997, 2, 8698, Order::col).schedule.lanes_of_k > 0);
  CHECK(step_for(997, 2, 8698, Order::row).schedule.lanes_of_k == 0);
  CHECK(step_for(997, 1, 8698, Order::row).schedule.lanes_of_k > 0);
}
