// What a block does, as counts: each by its name, none that a refit changes, all of what check
// derives once more.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/values/block.hpp>
#include <jute/plan/values/fields.hpp>
#include <jute/plan/values/plan.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "plan/choose/step_cost.hpp"
#include "plan/derive/block_of.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;

namespace {

/// By warps and by threads, staged and straight, streamed and by lanes.
std::vector<Problem> problems_of_families() {
  constexpr auto kRow = Order::row, kCol = Order::col;
  return {test::problem_of(512, 512, 512, {DType::f64, DType::f64}, {kRow, kRow}),
          test::problem_of(700, 900, 1100, {DType::f32, DType::f32}, {kRow, kRow}),
          test::problem_of(33, 47, 20, {DType::f32, DType::f32}, {kRow, kRow}),
          test::problem_of(64, 64, 64, {DType::bf16, DType::bf16}, {kRow, kCol}),
          test::problem_of(1, 4096, 4096, {DType::bf16, DType::bf16}, {kRow, kCol}),
          test::problem_of(5, 4001, 555, {DType::bf16, DType::bf16}, {kRow, kRow})};
}

}  // namespace

TEST_CASE("each member of a block has a row, and its text tells those that are not 0",
          "[plan][block]") {
  std::set<std::string> names;
  Block block;
  double next = 1;
  for (const BlockMember& one : block_members()) {
    CHECK(names.emplace(one.name).second);
    CHECK_FALSE(one.unit.empty());
    block.*one.member = next++;
  }
  CHECK(names.size() * sizeof(double) == sizeof(Block));
  // No two rows are of one member: each has kept what its row gave it.
  double expected = 1;
  for (const BlockMember& one : block_members()) CHECK(block.*one.member == expected++);
  CHECK(to_string(block).starts_with("m=1 n=2 k=3 "));
  block.n = 0;
  block.k = 0.125;
  CHECK(to_string(block).starts_with("m=1 k=0.125 "));
}

TEST_CASE("coefficients change what is expected of a block, and none of its counts",
          "[plan][block]") {
  const DeviceInfo device = device_preset("h200");
  DeviceInfo slow = device;
  for (const char* family :
       {"warps_async", "warps_registers", "warp_groups", "threads_async", "thread_groups",
        "lane_tiles", "straight_tiles", "dot_products", "line_warps", "line_threads"})
    slow.own_coefficients.push_back({family, 4, {3, 3, 3, 3, 3000, 3, 30, 3}});
  for (const Problem& problem : problems_of_families()) {
    const Plan plan = make_plan(problem, device);
    GemmStep step = gemm_step(plan);
    if (!plan::is_of_law(step)) continue;
    INFO(problem);
    CHECK(plan::block_of(step, device) == step.block);
    CHECK(plan::block_of(step, slow) == step.block);
    CHECK(plan::predicted(step, slow)->clocks > 1.2 * plan::predicted(step, device)->clocks);
  }
}

TEST_CASE("a block whose counts do not follow from its step is refused", "[plan][block][refusal]") {
  const DeviceInfo device = device_preset("h200");
  for (const Problem& problem : problems_of_families()) {
    Plan plan = make_plan(problem, device);
    CHECK(check(plan).empty());
    for (Step& step : plan.steps)
      if (auto* gemm = std::get_if<GemmStep>(&step)) gemm->block.copies += 1;
    const std::vector<Error> errors = check(plan);
    REQUIRE(errors.size() == 1);
    CHECK(errors.front().operand == "block");
  }
}

TEST_CASE("what a run has of tiles is counted without its step", "[plan][block]") {
  Block block;
  block.m = 128, block.n = 64, block.k = 32;
  CHECK(grid_of(block, 129, 64, 33, 3).tiles == 2 * 3);
  CHECK(grid_of(block, 129, 64, 33, 3).k_tiles == 2);
  CHECK(grid_of(block, 0, 0, 0, 1).tiles == 1);
  block.matrices = 4;
  CHECK(grid_of(block, 1, 1, 1, 10).tiles == 2.5);
}
