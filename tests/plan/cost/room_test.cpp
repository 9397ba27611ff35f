// Blocks of the next kernel on SMs that this one's have not.
#include "plan/shapes/warpgroups/room.hpp"

#include <jute/launch/device_presets.hpp>

#include "plan/choose/families/priced.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using namespace jute::plan;
using test::problem_of;

namespace {

/// A block alone for each tile of the problem.
GemmStep step_in_room(Index m, Index n, Index k, const std::string& wishes) {
  const Problem problem = problem_of(m, n, k, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  return gemm_step(
      make_plan(problem, device_preset("h200"),
                parse_config("swapped=off split_k=1 cluster=1x1 ping_pong=1 " + wishes)));
}
/// As many blocks of 64x64, K = 512, that let the next kernel begin at once.
GemmStep step_in_room(Index blocks, const std::string& wishes = "") {
  return step_in_room(64, 64 * blocks, 512, "tile=64x64x64 release=at_start" + wishes);
}

bool leaves_half(const GemmStep& step) {
  const DeviceInfo device = device_preset("h200");
  return step.schedule.blocks_per_sm == 2 && step.dynamic_smem_bytes <= half_of_sm(device);
}

}  // namespace

TEST_CASE("more blocks than half of the SMs leave half of one to the next kernel's",
          "[plan][room]") {
  CHECK(leaves_half(step_in_room(67)));
  CHECK(leaves_half(step_in_room(88)));
  CHECK(step_in_room(66).schedule.stages > step_in_room(67).schedule.stages);
  // Fewer find SMs that are free; more are kept apart, and leave none half.
  CHECK(step_in_room(66).schedule.blocks_per_sm == 1);
  CHECK(step_in_room(89).schedule.blocks_per_sm == 1);
  CHECK(step_in_room(89).dynamic_smem_bytes > half_of_sm(device_preset("h200")));
}

TEST_CASE("where the next kernel begins later, a block has the SM for itself", "[plan][room]") {
  const GemmStep early = step_in_room(80);
  const GemmStep late = step_in_room(64, 64 * 80, 512, "tile=64x64x64 release=after_main_loop");
  CHECK(leaves_half(early));
  CHECK(late.schedule.blocks_per_sm == 1);
  CHECK(late.schedule.stages > early.schedule.stages);
}

TEST_CASE("a caller's own stages stay, and take the room that they need", "[plan][room]") {
  const GemmStep given = step_in_room(80, " stages=8");
  CHECK(given.schedule.stages == 8);
  CHECK(given.schedule.blocks_per_sm == 1);
  // Those that are planned are the same kernel when a caller says them.
  const GemmStep planned = step_in_room(80);
  const GemmStep said = step_in_room(80, " stages=" + std::to_string(planned.schedule.stages));
  CHECK(said == planned);
}

TEST_CASE("two groups of consumers leave half of the registers where sums are few",
          "[plan][room]") {
  const GemmStep step = step_in_room(128 * 70, 32, 128, "tile=128x32x64 release=at_start");
  CHECK(leaves_half(step));
  Index registers = 0;
  for (const Role& role : step.schedule.roles) registers += 32 * role.warps * role.registers;
  CHECK(registers > 0);
  CHECK(2 * registers <= limits(step.arch).registers_per_sm);
}

TEST_CASE("blocks that find no room are expected to begin later", "[plan][room][cost]") {
  const auto start = [](int n, Index columns, Index k) {
    const Problem problem =
        problem_of(64, columns, k, {DType::bf16, DType::bf16}, {Order::row, Order::col});
    const Tile tile{
        .m = 64, .n = n, .k_bytes = 128, .groups_m = 1, .groups_n = 1, .stages = 12, .cluster = {}};
    return tile_cost(tile, kernel_problem(completed(problem), Config{}), device_preset("h200"))
        .at(64, 1)
        .start;
  };
  // The same tile: 88 blocks leave halves of SMs, 89 are kept apart.
  CHECK(start(64, 89 * 64, 512) > start(64, 88 * 64, 512) + 300);
  // 192 columns of sums leave no registers for another block.
  CHECK(start(192, 70 * 192, 128) > start(184, 70 * 184, 128) + 300);
  // Two k-blocks are what all blocks wait for anyway.
  CHECK(start(64, 89 * 64, 128) < start(64, 88 * 64, 128) + 100);
}
