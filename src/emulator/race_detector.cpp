// Happens-before over shared and global memory. A warp counts as one actor for barriers; its lanes
// are ordered among themselves only where they meet.
#include "emulator/race_detector.hpp"

#include "base/format.hpp"
#include "emulator/machine.hpp"

#include <algorithm>

namespace jute::emulator {

void RaceDetector::start(size_t warps, size_t shared_bytes) {
  clocks_.assign(warps, Clocks(warps, 0));
  for (size_t i = 0; i < warps; ++i) clocks_[i][i] = 1;
  convergences_.assign(warps, 0);
  shared_.assign((shared_bytes + 3) / 4, WordHistory{});
  published_.clear();
}

void RaceDetector::converge(const Warp& warp) { ++convergences_[static_cast<size_t>(warp.index)]; }

void RaceDetector::release(const Warp& warp, std::uint64_t place) {
  const auto self = static_cast<size_t>(warp.index);
  Clocks& there = published_[place];
  there.resize(clocks_.size(), 0);
  for (size_t i = 0; i < there.size(); ++i) there[i] = std::max(there[i], clocks_[self][i]);
  ++clocks_[self][self];
  converge(warp);
}
void RaceDetector::acquire(const Warp& warp, std::uint64_t place) {
  const auto found = published_.find(place);
  if (found == published_.end()) return;
  Clocks& mine = clocks_[static_cast<size_t>(warp.index)];
  for (size_t i = 0; i < mine.size(); ++i) mine[i] = std::max(mine[i], found->second[i]);
}
void RaceDetector::release_globally() {
  global_->released[static_cast<std::int32_t>(block_->linear)] = ++global_->moment;
}
void RaceDetector::acquire_globally() {
  global_->acquired[static_cast<std::int32_t>(block_->linear)] = ++global_->moment;
}

bool RaceDetector::is_ordered(const Touch& before, const Warp& warp, int lane) const {
  if (before.block < 0) return true;
  if (before.block != static_cast<std::int32_t>(block_->linear)) {
    const auto released = global_->released.find(before.block);
    const auto acquired = global_->acquired.find(static_cast<std::int32_t>(block_->linear));
    return released != global_->released.end() && acquired != global_->acquired.end() &&
           released->second > before.moment && acquired->second > released->second;
  }
  const auto self = static_cast<size_t>(warp.index);
  if (before.warp != warp.index) return before.clock <= clocks_[self][before.warp];
  const bool same_instruction = before.origin == warp.current->origin;
  return before.lane == lane || same_instruction || before.convergence != convergences_[self];
}

void RaceDetector::report(const Touch& before, const Warp& warp, int lane,
                          const std::string& text) {
  const Actor who = block_->actor(warp, lane);
  const bool same_warp =
      before.block == static_cast<std::int32_t>(block_->linear) && before.warp == warp.index;
  const char* code = same_warp ? "R2" : "R1";
  if (!block_->findings.count(code, who)) return;
  Actor other;
  other.linear_block = before.block;
  const Dim3& grid = block_->launch.spec.grid;
  other.block = {before.block % grid.x, before.block / grid.x % grid.y,
                 before.block / grid.x / grid.y};
  other.thread = before.warp * kWarpLanes + before.lane;
  other.origin = before.origin;
  block_->findings.describe(
      code, who,
      base::format("race: {}; {}", text,
                   same_warp ? "lanes of one warp are ordered only where they synchronise"
                             : "no barrier or other synchronisation lies between the two"),
      {other});
}

void RaceDetector::touch(const Warp& warp, Touch now, bool writes, WordHistory& word,
                         const char* space) {
  const auto conflicts = [&](const Touch& before) {
    return (before.bytes & now.bytes) != 0 && !(before.is_strong && now.is_strong) &&
           !is_ordered(before, warp, now.lane);
  };
  if (conflicts(word.write)) {
    report(word.write, warp, now.lane,
           base::format("a {} of {} memory that another thread writes", writes ? "write" : "read",
                        space));
  } else if (writes && conflicts(word.read)) {
    report(word.read, warp, now.lane,
           base::format("a write of {} memory that another thread reads", space));
  }
  if (writes) {
    word.write = now;
  } else if (word.read.warp == now.warp || is_ordered(word.read, warp, now.lane)) {
    // A reader of another warp that nothing orders before this one stays on record.
    word.read = now;
  }
}

void RaceDetector::access(const Warp& warp, const Resolved& where, int bytes, AccessKind kind,
                          bool is_strong) {
  const std::byte* const shared = block_->shared.data();
  const std::byte* const local = warp.local.data();
  const auto parameters = block_->launch.parameters;
  const auto is_inside = [](const std::byte* data, const std::byte* begin, size_t size) {
    return size != 0 && data >= begin && data < begin + size;
  };
  const auto self = static_cast<size_t>(warp.index);
  Touch now;
  now.block = static_cast<std::int32_t>(block_->linear);
  now.warp = static_cast<std::uint16_t>(warp.index);
  now.clock = clocks_[self][self];
  now.convergence = convergences_[self];
  now.origin = warp.current == nullptr ? -1 : warp.current->origin;
  now.moment = ++global_->moment;
  now.is_strong = is_strong;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if (((where.ok >> lane) & 1) == 0) continue;
    const std::byte* const data = where.data[static_cast<size_t>(lane)];
    if (is_inside(data, local, warp.local.size()) ||
        is_inside(data, parameters.data(), parameters.size()))
      continue;
    const bool is_shared = is_inside(data, shared, block_->shared.size());
    auto at = is_shared ? static_cast<std::uintptr_t>(data - shared)
                        : reinterpret_cast<std::uintptr_t>(data);
    const std::uintptr_t end = at + static_cast<std::uintptr_t>(bytes);
    now.lane = static_cast<std::uint8_t>(lane);
    while (at < end) {
      const std::uintptr_t next = std::min(end, at / 4 * 4 + 4);
      now.bytes = static_cast<std::uint8_t>(((1U << (next - at)) - 1) << (at % 4));
      if (is_shared) {
        touch(warp, now, kind != AccessKind::load, shared_[at / 4], "shared");
      } else {
        GlobalHistory::Page& page = global_->pages[at / GlobalHistory::kPageBytes];
        if (page.empty()) page.resize(GlobalHistory::kPageBytes / 4);
        touch(warp, now, kind != AccessKind::load, page[at % GlobalHistory::kPageBytes / 4],
              "global");
      }
      at = next;
    }
  }
}

void RaceDetector::release_at(const Warp& warp, const Resolved& where) {
  for (size_t lane = 0; lane < kWarpLanes; ++lane)
    if (((where.ok >> lane) & 1) != 0)
      release(warp, reinterpret_cast<std::uintptr_t>(where.data[lane]));
}
void RaceDetector::acquire_at(const Warp& warp, const Resolved& where) {
  for (size_t lane = 0; lane < kWarpLanes; ++lane)
    if (((where.ok >> lane) & 1) != 0)
      acquire(warp, reinterpret_cast<std::uintptr_t>(where.data[lane]));
}

}  // namespace jute::emulator
