// What orders accesses: barriers, mbarriers, ordered accesses with their scopes, fences.
#include "emulator/machine.hpp"
#include "emulator/race_detector.hpp"

#include <algorithm>

namespace jute::emulator {

void RaceDetector::add_past(const Warp& warp, std::uint32_t lanes, Clocks& clocks) {
  const auto first = static_cast<size_t>(warp.index) * kWarpLanes;
  for (size_t lane = kWarpLanes; lane-- > 0;)
    if (((lanes >> lane) & 1) != 0) clocks.raise(linear(), first + lane, state_of(warp).moment);
}
void RaceDetector::converge(const Warp& warp) {
  add_past(warp, kAllLanes, state_of(warp).mine.known);
  ++state_of(warp).moment;
}

void RaceDetector::leave(const Warp& warp, std::uint32_t lanes, Knowledge& there) {
  there.join(state_of(warp).mine);
  add_past(warp, lanes, there.known);
  ++state_of(warp).moment;
}
void RaceDetector::leave_relaxed(const Warp& warp, Knowledge& there, Scope scope) {
  const Knowledge& mine = state_of(warp).mine;
  there.known.join(mine.flushed[static_cast<size_t>(scope)]);
  there.proxied.join(mine.proxied);
  for (size_t i = 0; i < warps_.size(); ++i) {
    const std::uint16_t product = actor_of(Role::product, i);
    there.known.raise(linear(), product, mine.known.at(linear(), product));
  }
}
void RaceDetector::learn(const Warp& warp, const Knowledge& there) {
  state_of(warp).mine.join(there);
}
void RaceDetector::learn_phase(const Warp& warp, std::uint64_t offset,
                               const MbarrierHistory& history) {
  learn(warp, history.completed);
  state_of(warp).mine.known.raise(linear(), mbarrier_actor(offset), history.turns);
}
void RaceDetector::retire(const Warp& warp, Role role, std::int64_t moment) {
  if (moment <= 0) return;
  state_of(warp).mine.known.raise(linear(), actor_of(role, static_cast<size_t>(warp.index)),
                                  static_cast<std::uint32_t>(moment));
}
void RaceDetector::leave_copies(const Warp& warp, Knowledge& there, std::int64_t moment) const {
  there.known.raise(linear(), actor_of(Role::copy, static_cast<size_t>(warp.index)),
                    static_cast<std::uint32_t>(moment));
}

Scope RaceDetector::distance_to(std::int32_t block) const {
  if (block == linear()) return Scope::cta;
  for (const auto& peer : block_->cluster->blocks)
    if (peer->linear == block) return Scope::cluster;
  return Scope::gpu;
}

// A release hands on all that the warp knows, as far as its scope reaches; a relaxed write what
// lies behind a fence. A plain write ends what others had left there.
void RaceDetector::publish(const Warp& warp, const MemoryAccess& access, const Resolved& where,
                           bool replaces) {
  const Knowledge& mine = state_of(warp).mine;
  for (size_t lane = 0; lane < kWarpLanes; ++lane) {
    if (((where.ok >> lane) & 1) == 0) continue;
    auto& there = global_->publications[reinterpret_cast<std::uintptr_t>(where.data[lane])];
    if (replaces) there.clear();
    const auto own = std::find_if(there.begin(), there.end(),
                                  [&](const auto& entry) { return entry.block == linear(); });
    auto& entry = own == there.end() ? there.emplace_back() : *own;
    entry.block = linear();
    entry.proxied.join(mine.proxied);
    for (size_t scope = 0; scope <= static_cast<size_t>(access.scope); ++scope)
      entry.known[scope].join(access.releases ? mine.known : mine.flushed[scope]);
    for (size_t scope = 0; access.releases && scope <= static_cast<size_t>(access.scope); ++scope)
      add_past(warp, 1U << lane, entry.known[scope]);
  }
  ++state_of(warp).moment;
}
void RaceDetector::observe(const Warp& warp, const MemoryAccess& access, const Resolved& where) {
  WarpState& state = state_of(warp);
  for (size_t lane = 0; lane < kWarpLanes; ++lane) {
    if (((where.ok >> lane) & 1) == 0) continue;
    const auto found =
        global_->publications.find(reinterpret_cast<std::uintptr_t>(where.data[lane]));
    if (found == global_->publications.end()) continue;
    for (const auto& entry : found->second) {
      const Scope distance = distance_to(entry.block);
      if (access.scope < distance) continue;
      const Clocks& known = entry.known[static_cast<size_t>(distance)];
      if (access.acquires) {
        state.mine.known.join(known);
        state.mine.proxied.join(entry.proxied);
      } else {
        state.observed[static_cast<size_t>(distance)].join(known);
        state.observed_proxied.join(entry.proxied);
      }
    }
  }
}
void RaceDetector::fence(const Warp& warp, std::uint32_t lanes, Scope scope) {
  WarpState& state = state_of(warp);
  for (size_t i = 0; i <= static_cast<size_t>(scope); ++i) state.mine.known.join(state.observed[i]);
  state.mine.proxied.join(state.observed_proxied);
  for (size_t i = 0; i <= static_cast<size_t>(scope); ++i) {
    state.mine.flushed[i].join(state.mine.known);
    add_past(warp, lanes, state.mine.flushed[i]);
  }
  ++state.moment;
}
void RaceDetector::proxy_fence(const Warp& warp, std::uint32_t lanes) {
  WarpState& state = state_of(warp);
  state.mine.proxied.join(state.mine.known);
  add_past(warp, lanes, state.mine.proxied);
  ++state.moment;
}

}  // namespace jute::emulator
