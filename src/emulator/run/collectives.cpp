// Warp-wide instructions: shuffles, votes, matches and reductions over the lanes that take part.
#include "emulator/run/collectives.hpp"
#include "base/format.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/machine.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace jute::emulator {
namespace {

using LaneWords = std::array<std::uint32_t, kWarpLanes>;

LaneWords read_words(const LaneState& lanes, Slot slot) {
  LaneWords words;
  std::memcpy(words.data(), lanes.at(slot), sizeof(words));
  return words;
}
void write_words(LaneState& lanes, Slot slot, const LaneWords& words, std::uint32_t mask) {
  if (slot == kNoSlot) return;
  for (const size_t lane : lanes_of(mask)) std::memcpy(lanes.at(slot) + lane * 4, &words[lane], 4);
}
void write_wanted(LaneState& lanes, Slot slot, std::uint32_t bits, std::uint32_t mask) {
  if (slot != kNoSlot) write_predicate(lanes, slot, bits, mask);
}
/// Lanes of `mask` that name the same members as `lane` does.
std::uint32_t group_of(const LaneWords& members, std::uint32_t mask, int lane) {
  return members[static_cast<size_t>(lane)] & mask;
}

/// The member masks, each of which must name the lane that gives it.
LaneWords read_members(Warp& warp, const Instruction& instruction, std::uint32_t mask) {
  const LaneWords members = read_words(warp, instruction.src[3]);
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t named = members[static_cast<size_t>(lane)];
    if (((mask & ~named) >> lane & 1) == 0) continue;
    warp.block->find("P10", warp, lane, [&] {
      return base::format(
          "lane {} executes this instruction, and its member mask {:#010x} does "
          "not name it",
          lane, named);
    });
  }
  return members;
}

/// A lane may take from those only that take part with it.
void check_sources(Warp& warp, const Instruction& instruction,
                   const std::array<int, kWarpLanes>& sources, std::uint32_t mask) {
  const LaneWords members = read_members(warp, instruction, mask);
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const int from = sources[static_cast<size_t>(lane)];
    const std::uint32_t named = members[static_cast<size_t>(lane)];
    if (((mask >> lane) & 1) == 0 || ((named & mask) >> from & 1) != 0) continue;
    warp.block->find("P10", warp, lane, [&] {
      return base::format("lane {} takes the value of lane {}, which {}", lane, from,
                          ((named >> from) & 1) == 0 ? "its member mask does not name"
                                                     : "does not execute this instruction with it");
    });
  }
}

}  // namespace

// PTX ISA, shfl.sync: c packs the clamp in bits 0-4 and the segment mask in bits 8-12.
void run_shuffle(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  const LaneWords a = read_words(lanes, instruction.src[0]);
  const LaneWords b = read_words(lanes, instruction.src[1]);
  const LaneWords c = read_words(lanes, instruction.src[2]);
  const char mode = static_cast<char>(instruction.bits);
  LaneWords result{};
  std::array<int, kWarpLanes> sources{};
  std::uint32_t valid = 0;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const auto i = static_cast<size_t>(lane);
    const int distance = static_cast<int>(b[i] & 0x1F);
    const int segment = static_cast<int>((c[i] >> 8) & 0x1F);
    const int clamp = static_cast<int>(c[i] & 0x1F);
    const int most = (lane & segment) | (clamp & ~segment);
    const int least = lane & segment;
    int from = lane;
    bool inside = true;
    switch (mode) {
      case 'u':
        from = lane - distance;
        inside = from >= most;
        break;
      case 'd':
        from = lane + distance;
        inside = from <= most;
        break;
      case 'b':
        from = lane ^ distance;
        inside = from <= most;
        break;
      default:
        from = least | (distance & ~segment);
        inside = from <= most;
        break;
    }
    if (!inside) from = lane;
    valid |= static_cast<std::uint32_t>(inside) << lane;
    sources[i] = from;
    result[i] = a[static_cast<size_t>(from)];
  }
  write_words(lanes, instruction.dst, result, mask);
  write_wanted(lanes, instruction.extra, valid, mask);
  auto& warp = static_cast<Warp&>(lanes);
  check_sources(warp, instruction, sources, mask);
  if (warp.watch.is_on()) warp.watch.shuffle(instruction.src[0], instruction.dst, sources, mask);
}

void run_vote(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  const std::uint32_t votes = read_predicate(lanes, instruction.src[0]);
  const LaneWords members = read_members(static_cast<Warp&>(lanes), instruction, mask);
  const char mode = static_cast<char>(instruction.bits);
  std::uint32_t result = 0;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t group = group_of(members, mask, lane);
    const std::uint32_t yes = votes & group;
    const bool all = yes == group;
    const bool any = yes != 0;
    const bool answer = mode == 'l' ? all : mode == 'y' ? any : all || !any;
    result |= static_cast<std::uint32_t>(answer) << lane;
  }
  write_wanted(lanes, instruction.dst, result, mask);
}

void run_ballot(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  const std::uint32_t votes = read_predicate(lanes, instruction.src[0]);
  const LaneWords members = read_members(static_cast<Warp&>(lanes), instruction, mask);
  LaneWords result{};
  for (int lane = 0; lane < kWarpLanes; ++lane)
    result[static_cast<size_t>(lane)] = votes & group_of(members, mask, lane);
  write_words(lanes, instruction.dst, result, mask);
}

void run_match(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  const bool is_wide = (instruction.bits & 0x100) != 0;
  const bool wants_all = (instruction.bits & 0xFF) == 'l';
  std::array<std::uint64_t, kWarpLanes> values{};
  for (size_t lane = 0; lane < kWarpLanes; ++lane) {
    const size_t bytes = is_wide ? 8 : 4;
    std::memcpy(&values[lane], lanes.at(instruction.src[0]) + lane * bytes, bytes);
  }
  const LaneWords members = read_members(static_cast<Warp&>(lanes), instruction, mask);
  LaneWords result{};
  std::uint32_t matched = 0;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t group = group_of(members, mask, lane);
    std::uint32_t same = 0;
    for (int other = 0; other < kWarpLanes; ++other)
      if (((group >> other) & 1) != 0 &&
          values[static_cast<size_t>(other)] == values[static_cast<size_t>(lane)])
        same |= 1U << other;
    const bool all = same == group;
    result[static_cast<size_t>(lane)] = wants_all ? (all ? group : 0) : same;
    matched |= static_cast<std::uint32_t>(all) << lane;
  }
  write_words(lanes, instruction.dst, result, mask);
  write_wanted(lanes, instruction.extra, matched, mask);
}

void run_reduce(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  const LaneWords values = read_words(lanes, instruction.src[0]);
  const LaneWords members = read_members(static_cast<Warp&>(lanes), instruction, mask);
  const char mode = static_cast<char>(instruction.bits);
  const auto combine = [mode](std::uint32_t a, std::uint32_t b) {
    const auto sa = static_cast<std::int32_t>(a);
    const auto sb = static_cast<std::int32_t>(b);
    switch (mode) {
      case '+':
        return a + b;
      case 'n':
        return std::min(a, b);
      case 'x':
        return std::max(a, b);
      case 'N':
        return sb < sa ? b : a;
      case 'X':
        return sa < sb ? b : a;
      case '&':
        return a & b;
      case '|':
        return a | b;
      default:
        return a ^ b;
    }
  };
  LaneWords result{};
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t group = group_of(members, mask, lane);
    if (group == 0) continue;
    std::uint32_t value = values[static_cast<size_t>(std::countr_zero(group))];
    for (const size_t next : lanes_of(group & (group - 1))) value = combine(value, values[next]);
    result[static_cast<size_t>(lane)] = value;
  }
  write_words(lanes, instruction.dst, result, mask);
}

void run_active_mask(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  LaneWords result;
  result.fill(mask);
  write_words(lanes, instruction.dst, result, mask);
}

void run_elect(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  const LaneWords members = read_members(static_cast<Warp&>(lanes), instruction, mask);
  LaneWords leader{};
  std::uint32_t chosen = 0;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t group = group_of(members, mask, lane);
    const int first = group == 0 ? lane : std::countr_zero(group);
    leader[static_cast<size_t>(lane)] = static_cast<std::uint32_t>(first);
    if (first == lane) chosen |= 1U << lane;
  }
  write_words(lanes, instruction.dst, leader, mask);
  write_wanted(lanes, instruction.extra, chosen, mask);
}

// Instruction::bits: registers of each thread from now on.
void run_set_registers(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  warp.limits.push_back({static_cast<int>(instruction.bits), &instruction});
  if (mask == warp.present) return;
  warp.block->find("P4", warp, std::countr_zero(mask), [&] {
    return base::format(
        "lanes {:#010x} of a warp execute setmaxnreg, which every lane of a warpgroup must, those "
        "that have ended too: lanes {:#010x} do not",
        mask, warp.present & ~mask);
  });
}

// bar.warp.sync: the interpreter has made the lanes meet.
void run_meet(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  (void)read_members(static_cast<Warp&>(lanes), instruction, mask);
}
void run_nothing(LaneState&, const Instruction&, std::uint32_t) {}

// Memory is always up to date here: fences matter only to the checks. Instruction::bits: the Scope.
void run_fence(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  if (warp.block->races) warp.block->races->fence(warp, mask, static_cast<Scope>(instruction.bits));
}
void run_proxy_fence(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  if (!warp.block->races) return;
  const auto own = static_cast<ProxySpace>(warp.block->linear);
  const std::array spaces{kEverywhere, kGlobalSpace, own, kClusterShared};
  warp.block->races->proxy_fence(warp, mask, spaces[instruction.extra]);
}
// fence.proxy.tensormap::generic. Instruction::extra: 1 where it acquires, 0 where it releases.
void run_map_fence(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  if (!warp.block->races) return;
  run_fence(lanes, instruction, mask);
  if (instruction.extra == 0) warp.block->races->proxy_fence(warp, mask, kReleasedMaps);
  if (instruction.extra == 1) warp.block->races->acquire_maps(warp);
}
// fence.mbarrier_init: for the cluster and for bulk copies.
void run_init_fence(LaneState& lanes, const Instruction&, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  if (!warp.block->races) return;
  warp.block->races->proxy_fence(warp, mask, kFreshBarriers);
  warp.block->races->fence(warp, mask, Scope::cluster);
}

// Counts executed instructions: it grows, and does not depend on the host.
void run_clock(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const auto now = static_cast<std::uint64_t>(++warp.block->clock);
  const size_t bytes = instruction.bits;
  for (const size_t lane : lanes_of(mask))
    std::memcpy(lanes.at(instruction.dst) + lane * bytes, &now, bytes);
}

void run_yield(LaneState& lanes, const Instruction& instruction, std::uint32_t) {
  note_poll(static_cast<Warp&>(lanes), instruction, 0);
}

}  // namespace jute::emulator
