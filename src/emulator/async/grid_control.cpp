// Launches that overlap: what a grid does before griddepcontrol.wait runs beside those before it.
#include "base/format.hpp"
#include "emulator/async/queues.hpp"
#include "emulator/run/machine.hpp"

#include <bit>
#include <optional>
#include <string>

namespace jute::emulator {

// Instruction::bits: 1 for launch_dependents.
void run_grid_control(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  Block& block = *warp.block;
  if (instruction.bits == 0) {
    block.has_waited_for_grids = true;
    if (block.races) block.races->wait_for_grids(warp);
    return;
  }
  if (!block.released_at) block.released_at = block.actor(warp, std::countr_zero(mask));
  if (block.races) block.races->release_dependents(warp);
}

void RaceDetector::wait_for_grids(const Warp& warp) {
  state_of(warp).mine.known.raise(kEarlierGrids, 0, 1);
}
bool RaceDetector::lies_behind_grids(const Warp& warp) {
  return state_of(warp).mine.known.at(kEarlierGrids, 0) != 0;
}
void RaceDetector::release_dependents(const Warp& warp) {
  global_->released_early |= !lies_behind_grids(warp);
}

// Any of them may still be running, whatever order this emulator runs them in.
void RaceDetector::check_earlier(const Warp& warp, const Touch& now, bool writes,
                                 std::uintptr_t at) {
  if (lies_behind_grids(warp)) return;
  for (const EarlierGrid& grid : *block_->launch.earlier) {
    const ChunkHistory chunk = grid.history.copy_at(at);
    std::optional<Touch> before;
    bool was_written = true;
    chunk.writes.each(now.bytes, [&](const Touch& touch) { before = touch; });
    if (!before && writes) {
      was_written = false;
      chunk.reads.each(now.bytes, [&](const Touch& touch) { before = touch; });
    }
    const Actor who = block_->actor(warp, now.thread % kWarpLanes);
    if (!before || !block_->findings.count("R10", who)) continue;
    const Dim3& size = grid.size;
    block_->findings.describe(
        "R10", who,
        base::format("global memory is {} while a launch before this one, which it overlaps, may "
                     "still {} it: griddepcontrol.wait must come first",
                     writes ? "written" : "read", was_written ? "write" : "read"),
        {{.block = {before->by_block % size.x, before->by_block / size.x % size.y,
                    before->by_block / size.x / size.y},
          .linear_block = before->by_block,
          .thread = before->thread,
          .origin = before->origin,
          .program = grid.program}});
  }
}

// A launch that overlaps this one takes the end of all its blocks for the end of those before it.
void Block::check_grid_control() {
  if (launch.spec.order != LaunchOrder::overlap_previous || has_waited_for_grids) return;
  find("P15", warps.front(), 0, [] {
    return std::string(
        "the block of an overlapping launch ends without griddepcontrol.wait: every block must "
        "execute it, also one without work, or later launches begin too early");
  });
}

// While it waits, blocks of the next launch take the places that those it waits for may need;
// blocks of a cooperative launch have theirs.
void Block::check_release(const Warp& warp, int lane) {
  if (!released_at || launch.spec.residency == Residency::whole_grid) return;
  const Actor who = actor(warp, lane);
  if (!findings.count("P15", who)) return;
  findings.describe("P15", who,
                    "the block waits for another one and has released the next launch before: "
                    "griddepcontrol.launch_dependents must come behind the wait",
                    {*released_at});
}

}  // namespace jute::emulator
