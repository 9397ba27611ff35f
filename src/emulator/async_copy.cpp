// cp.async: copies that land when their group is waited for, and bytes that must not be read
// before.
#include "emulator/machine.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace jute::emulator {
namespace {

void copy_bytes(PendingCopy& copy) {
  if (copy.is_copied) return;
  std::memcpy(copy.to, copy.from, static_cast<size_t>(copy.source_bytes));
  std::memset(copy.to + copy.source_bytes, 0, static_cast<size_t>(copy.bytes - copy.source_bytes));
  copy.is_copied = true;
}
void land(Warp& warp, PendingCopy& copy) {
  copy_bytes(copy);
  if (copy.to_defined != nullptr) mark_generic_write(warp, copy.to_defined, copy.bytes);
}

/// When the bytes move: at once, at the last moment, or either.
bool moves_at_once(Block& block) {
  switch (block.launch.options.schedule) {
    case Schedule::fixed:
      return true;
    case Schedule::late:
      return false;
    case Schedule::random:
      return (block.random() & 1) != 0;
  }
  return true;
}

template <class IsDue>
void land_due(Warp& warp, IsDue is_due) {
  auto kept = warp.copies.begin();
  for (PendingCopy& copy : warp.copies) {
    if (is_due(copy)) {
      land(warp, copy);
    } else {
      *kept++ = copy;
    }
  }
  warp.copies.erase(kept, warp.copies.end());
  warp.last_poll_at = nullptr;
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
    for (size_t lane = 0; lane < kWarpLanes; ++lane)
      if (((reads >> lane) & 1) != 0 && given[lane] == bytes) alike |= 1U << lane;
    reads &= ~alike;
    Resolved part;
    const AccessSize size{static_cast<int>(bytes), use.bytes};
    resolve_aligned(warp, use.from, size, alike, AccessKind::load, part);
    if (part.tracks_defined) check_defined(warp, use.from, size.bytes, part);
    from.ok |= part.ok;
    for (size_t lane = 0; lane < kWarpLanes; ++lane)
      if (((alike >> lane) & 1) != 0) from.data[lane] = part.data[lane];
  }
}

}  // namespace

void run_async_copy(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  static constexpr std::byte kNothing[16] = {};
  auto& warp = static_cast<Warp&>(lanes);
  Block& block = *warp.block;
  const AsyncCopyUse& use = block.program.copies[instruction.extra];
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
  resolve(warp, use.to, use.bytes, mask, AccessKind::store, to);
  resolve_sources(warp, use, given, reads, from);
  const bool at_once = moves_at_once(block);
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
    if (copy.to_defined != nullptr)
      std::memset(copy.to_defined, static_cast<int>(kOnItsWay), static_cast<size_t>(copy.bytes));
    block.findings.counters.global_bytes_read += copy.source_bytes;
    warp.copies.push_back(copy);
  }
}

void run_commit_copies(LaneState& lanes, const Instruction&, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  for (PendingCopy& copy : warp.copies)
    if (copy.group < 0 && ((mask >> copy.lane) & 1) != 0)
      copy.group = warp.committed[static_cast<size_t>(copy.lane)];
  for (size_t lane = 0; lane < kWarpLanes; ++lane)
    if (((mask >> lane) & 1) != 0) ++warp.committed[lane];
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
    return copy.group < warp.committed[static_cast<size_t>(copy.lane)] - newest;
  });
}

void finish_copies(Warp& warp, std::uint32_t mask) {
  if (warp.copies.empty()) return;
  land_due(warp, [&](const PendingCopy& copy) { return ((mask >> copy.lane) & 1) != 0; });
}

}  // namespace jute::emulator
