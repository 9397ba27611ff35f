// cp.async: copies that land when their group is waited for, and bytes that must not be read
// before.
#include "emulator/async/queues.hpp"
#include "emulator/run/barriers.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace jute::emulator {
namespace {

void copy_bytes(PendingCopy& copy) {
  if (copy.is_copied || copy.to == nullptr) return;
  std::memcpy(copy.to, copy.from, static_cast<size_t>(copy.source_bytes));
  std::memset(copy.to + copy.source_bytes, 0, static_cast<size_t>(copy.bytes - copy.source_bytes));
  copy.is_copied = true;
}
void land(Warp& warp, PendingCopy& copy) {
  copy_bytes(copy);
  if (copy.to_defined != nullptr) std::fill_n(copy.to_defined, copy.bytes, kWritten);
  if (copy.barrier_of == nullptr) return;
  if (warp.block->races)
    warp.block->races->leave_copies(warp, copy.barrier_of->mbarriers[copy.barrier].arriving,
                                    copy.moment);
  change_mbarrier(*copy.barrier_of, copy.barrier, {.arrivals = 1}, *warp.block, copy.who);
}

template <class IsDue>
void land_due(Warp& warp, IsDue is_due) {
  std::vector<PendingCopy>& copies = warp.async.copies;
  auto kept = copies.begin();
  for (PendingCopy& copy : copies) {
    if (is_due(copy)) {
      land(warp, copy);
    } else {
      *kept++ = copy;
    }
  }
  copies.erase(kept, copies.end());
  ++warp.effects;
}

/// Lands an arrival and the copies that its lane started before it.
void land_arrival(Warp& warp, size_t index) {
  const int lane = warp.async.copies[index].lane;
  size_t at = 0;
  land_due(warp, [&](const PendingCopy& copy) { return at++ <= index && copy.lane == lane; });
}

/// Each lane's source is as long as its own copy reads; what lies behind is not touched, but its
/// address is aligned like that of a whole copy.
void resolve_sources(Warp& warp, const AsyncCopyUse& use,
                     const std::array<std::uint32_t, kWarpLanes>& given, std::uint32_t reads,
                     Resolved& from) {
  from.ok = 0;
  while (reads != 0) {
    const std::uint32_t bytes = given[static_cast<size_t>(std::countr_zero(reads))];
    std::uint32_t alike = 0;
    for (const size_t lane : lanes_of(reads))
      if (given[lane] == bytes) alike |= 1U << lane;
    reads &= ~alike;
    Resolved part;
    const AccessSize size{static_cast<int>(bytes), use.bytes};
    resolve_aligned(warp, use.from, size, alike, AccessKind::load, part);
    if (part.tracks_defined) check_defined(warp, use.from, size.bytes, part);
    from.ok |= part.ok;
    for (const size_t lane : lanes_of(alike)) from.data[lane] = part.data[lane];
  }
}

/// Marks the bytes that a copy will write. They must not be those of a copy on its way: which of
/// the two lands last is open.
void announce(Warp& warp, const PendingCopy& copy) {
  std::byte* const end = copy.to_defined + copy.bytes;
  if (std::find(copy.to_defined, end, kOnItsWay) != end) {
    warp.block->find("R6", warp, copy.lane, [] {
      return std::string(
          "a cp.async to bytes that an earlier asynchronous copy is still writing: wait for that "
          "one first (cp.async.wait_group), or take another stage");
    });
  }
  std::fill(copy.to_defined, end, kOnItsWay);
}

}  // namespace

void run_async_copy(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  static constexpr std::byte kNothing[16] = {};
  auto& warp = static_cast<Warp&>(lanes);
  Block& block = *warp.block;
  const AsyncCopyUse& use = block.program.use_of<AsyncCopyUse>(instruction);
  std::array<std::uint32_t, kWarpLanes> given;
  given.fill(static_cast<std::uint32_t>(use.bytes));
  if (use.source_bytes != kNoSlot)
    std::memcpy(given.data(), warp.at(use.source_bytes), sizeof(given));
  std::uint32_t ignored = 0;
  if (use.ignores_source != kNoSlot)
    std::memcpy(&ignored, warp.at(use.ignores_source), sizeof(ignored));
  std::uint32_t reads = 0;
  for (size_t lane = 0; lane < kWarpLanes; ++lane) {
    if (((ignored >> lane) & 1) != 0) given[lane] = 0;
    given[lane] = std::min(given[lane], static_cast<std::uint32_t>(use.bytes));
    if (given[lane] != 0) reads |= mask & (1U << lane);
  }
  Resolved to;
  Resolved from;
  resolve(warp, use.to, use.bytes, mask, AccessKind::copy, to);
  resolve_sources(warp, use, given, reads, from);
  const bool at_once = lands_at_once(block);
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const auto i = static_cast<size_t>(lane);
    if (((to.ok >> lane) & 1) == 0) continue;
    PendingCopy copy;
    copy.lane = lane;
    copy.to = to.data[i];
    copy.to_defined = to.tracks_defined ? to.defined[i] : nullptr;
    copy.from = given[i] == 0 ? kNothing : from.data[i];
    copy.bytes = use.bytes;
    copy.source_bytes = static_cast<int>(given[i]);
    if (at_once) copy_bytes(copy);
    if (copy.to_defined != nullptr) announce(warp, copy);
    block.findings.counters.global_bytes_read += copy.source_bytes;
    warp.async.copies.push_back(copy);
  }
}

void run_commit_copies(LaneState& lanes, const Instruction&, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  for (PendingCopy& copy : warp.async.copies)
    if (copy.group < 0 && ((mask >> copy.lane) & 1) != 0)
      copy.group = warp.async.copy_groups[static_cast<size_t>(copy.lane)];
  for (const size_t lane : lanes_of(mask)) ++warp.async.copy_groups[lane];
}

// Instruction::bits: how many of the newest groups may stay on their way; all ones: none, and what
// is not committed lands too.
void run_wait_copies(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const bool all = instruction.bits == ~std::uint64_t{0};
  const auto newest = static_cast<std::int64_t>(all ? 0 : instruction.bits);
  land_due(warp, [&](const PendingCopy& copy) {
    if (((mask >> copy.lane) & 1) == 0) return false;
    if (copy.group < 0) return all;
    return copy.group < warp.async.copy_groups[static_cast<size_t>(copy.lane)] - newest;
  });
  if (!warp.block->races) return;
  std::int64_t landed = INT64_MAX;
  for (const size_t lane : lanes_of(mask)) landed = std::min(landed, warp.async.copy_groups[lane]);
  warp.block->races->retire(warp, warp.index, Agent::copy, landed - newest + (all ? 1 : 0));
}

void arrive_after_copies(Warp& warp, const CopyArrival& arrival) {
  PendingCopy entry;
  entry.lane = arrival.lane;
  entry.barrier_of = arrival.owner;
  entry.barrier = arrival.barrier;
  entry.who = warp.block->actor(warp, arrival.lane);
  entry.moment = warp.async.copy_groups[static_cast<size_t>(arrival.lane)] + 1;
  warp.async.copies.push_back(entry);
  if (lands_at_once(*warp.block)) land_arrival(warp, warp.async.copies.size() - 1);
}
bool land_copy_arrival(Warp& warp) {
  const auto& copies = warp.async.copies;
  for (size_t i = 0; i < copies.size(); ++i) {
    if (copies[i].barrier_of == nullptr) continue;
    land_arrival(warp, i);
    return true;
  }
  return false;
}
void land_copy_early(Warp& warp, size_t index) {
  PendingCopy& copy = warp.async.copies[index];
  if (copy.barrier_of != nullptr) return land_arrival(warp, index);
  copy_bytes(copy);
}

void finish_copies(Warp& warp, std::uint32_t mask) {
  if (warp.async.copies.empty()) return;
  land_due(warp, [&](const PendingCopy& copy) { return ((mask >> copy.lane) & 1) != 0; });
}

}  // namespace jute::emulator
