// The sixteen barriers of a block: who has arrived, when they open, and their reductions.
#include "emulator/run/barriers.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/machine.hpp"

#include <bit>
#include <cstring>

#include "base/format.hpp"

namespace jute::emulator {
namespace {

void write_result(Warp& warp, const Instruction& instruction, std::uint32_t mask,
                  const BarrierUse& use, const Barrier& barrier) {
  if (use.kind == BarrierUse::Kind::sync || instruction.dst == kNoSlot) return;
  if (use.kind == BarrierUse::Kind::red_popc) {
    const auto count = static_cast<std::uint32_t>(barrier.count);
    for (const size_t lane : lanes_of(mask))
      std::memcpy(warp.at(instruction.dst) + lane * sizeof(count), &count, sizeof(count));
    return;
  }
  const bool value = (use.kind == BarrierUse::Kind::red_and ? barrier.all : barrier.any) != 0;
  write_predicate(warp, instruction.dst, value ? mask : 0, mask);
}

void open(Block& block, int id) {
  Barrier& barrier = block.barriers[static_cast<size_t>(id)];
  for (Warp& warp : block.warps) {
    for (LaneGroup& group : warp.groups) {
      if (group.wait != Wait::barrier || group.barrier != id) continue;
      const Instruction& instruction = block.program.code[group.pc];
      write_result(warp, instruction, group.mask, block.program.use_of<BarrierUse>(instruction),
                   barrier);
      if (block.races) block.races->learn(warp, barrier.carried);
      group.wait = Wait::none;
      group.barrier = -1;
      ++group.pc;
    }
  }
  barrier = Barrier{};
}

void open_if_complete(Block& block, int id) {
  const Barrier& barrier = block.barriers[static_cast<size_t>(id)];
  if (barrier.expected == 0) return;
  const int needed = barrier.expected < 0 ? block.live_threads : barrier.expected;
  if (barrier.arrived >= needed) open(block, id);
}

}  // namespace

void recheck_barriers(Block& block) {
  for (int id = 0; id < 16; ++id)
    if (block.barriers[static_cast<size_t>(id)].expected < 0) open_if_complete(block, id);
}

void arrive_at_barrier(Warp& warp, LaneGroup& group, const Instruction& instruction,
                       std::uint32_t mask) {
  Block& block = *warp.block;
  const BarrierUse& use = block.program.use_of<BarrierUse>(instruction);
  const int lane = std::countr_zero(mask);
  const std::uint32_t id = read_word(warp, use.id, lane);
  const int count = use.count == kNoSlot ? -1 : static_cast<int>(read_word(warp, use.count, lane));
  if (id >= block.barriers.size() || (count != -1 && (count <= 0 || count % kWarpLanes != 0))) {
    block.find("P4", warp, lane, [&] {
      return base::format(
          "barrier {} for {} threads: ids are 0..15, counts positive multiples of 32", id, count);
    });
    ++group.pc;
    return;
  }
  Barrier& barrier = block.barriers[id];
  if (barrier.expected != 0 && barrier.expected != count) {
    block.find("P4", warp, lane, [&] {
      return base::format("barrier {} is used for {} threads while others wait on it for {}", id,
                          count == -1 ? block.live_threads : count,
                          barrier.expected == -1 ? block.live_threads : barrier.expected);
    });
  }
  barrier.expected = count;
  if (block.races) block.races->leave(warp, mask, barrier.carried);
  // A counted barrier takes a warp as 32 threads; the block-wide one counts threads that exist.
  barrier.arrived += count == -1      ? std::popcount(mask)
                     : use.is_aligned ? kWarpLanes
                                      : std::popcount(mask);
  if (use.predicate != kNoSlot) {
    std::uint32_t bits = read_predicate(warp, use.predicate);
    bits = (use.predicate_negated ? ~bits : bits) & mask;
    barrier.any |= bits != 0 ? 1 : 0;
    barrier.all &= bits == mask ? 1 : 0;
    barrier.count += std::popcount(bits);
  }
  if (use.kind == BarrierUse::Kind::arrive) {
    ++group.pc;
  } else {
    group.wait = Wait::barrier;
    group.barrier = static_cast<int>(id);
  }
  open_if_complete(block, static_cast<int>(id));
}

}  // namespace jute::emulator
