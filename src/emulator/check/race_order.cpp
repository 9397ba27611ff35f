// The order of accesses: by barriers, mbarriers, ordered accesses with their scopes, fences.
#include "base/format.hpp"
#include "emulator/check/race_detector.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"

#include <algorithm>

namespace jute::emulator {

void RaceDetector::add_past(const Warp& warp, std::uint32_t lanes, Clocks& clocks) {
  const auto first = static_cast<size_t>(warp.index) * kWarpLanes;
  clocks.raise_all(linear(), first, lanes, state_of(warp).moment);
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
void RaceDetector::leave_reads(const Warp& warp, std::uint32_t lanes, Knowledge& there,
                               Scope scope) {
  leave_relaxed(warp, there, scope);
  there.finished.join(state_of(warp).mine.known);
  add_past(warp, lanes, there.finished);
  ++state_of(warp).moment;
}
void RaceDetector::leave_relaxed(const Warp& warp, Knowledge& there, Scope scope) {
  const Knowledge& mine = state_of(warp).mine;
  there.known.join(mine.flushed[static_cast<size_t>(scope)]);
  there.proxied.join(mine.proxied);
  there.finished.join(mine.finished);
  there.finished.join_from(mine.known, actor_of(kFirstEngine, 0));
}
void RaceDetector::learn(const Warp& warp, const Knowledge& there) {
  state_of(warp).mine.join(there);
}
void RaceDetector::learn_phase(const Warp& warp, std::uint64_t offset,
                               const MbarrierHistory& history, Scope scope) {
  // The lanes of a warp wait together.
  const LearnedPhase phase{warp.index, offset, history.turns, scope};
  if (phase == last_learned_) return;
  last_learned_ = phase;
  learn(warp, history.completed);
  if (scope >= Scope::cluster) {
    learn(warp, history.completed_far);
  } else {
    Clocks& finished = state_of(warp).mine.finished;
    finished.join(history.completed_far.known);
    finished.join(history.completed_far.finished);
  }
  state_of(warp).mine.known.raise(linear(), mbarrier_actor(offset), history.turns);
}
void RaceDetector::retire(const Warp& warp, int by, Agent agent, std::int64_t moment) {
  if (moment <= 0) return;
  state_of(warp).mine.known.raise(linear(), actor_of(agent, static_cast<size_t>(by)),
                                  static_cast<std::uint32_t>(moment));
}
void RaceDetector::leave_copies(const Warp& warp, Knowledge& there, std::int64_t moment) const {
  there.known.raise(linear(), actor_of(Agent::copy, static_cast<size_t>(warp.index)),
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
  for (const size_t lane : lanes_of(where.ok)) {
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
std::uint32_t RaceDetector::observe(const Warp& warp, const MemoryAccess& access,
                                    const Resolved& where) {
  std::uint32_t from_afar = 0;
  WarpState& state = state_of(warp);
  for (const size_t lane : lanes_of(where.ok)) {
    const auto found =
        global_->publications.find(reinterpret_cast<std::uintptr_t>(where.data[lane]));
    if (found == global_->publications.end()) continue;
    for (const auto& entry : found->second) {
      const Scope distance = distance_to(entry.block);
      if (access.scope < distance) continue;
      if (distance == Scope::gpu) from_afar |= 1U << lane;
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
  return from_afar;
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
void RaceDetector::proxy_fence(const Warp& warp, std::uint32_t lanes, ProxySpace space) {
  WarpState& state = state_of(warp);
  Clocks& shown = state.mine.proxied.of(space);
  shown.join(state.mine.known);
  add_past(warp, lanes, shown);
  ++state.moment;
}
void RaceDetector::acquire_maps(const Warp& warp) {
  ProxyClocks& proxied = state_of(warp).mine.proxied;
  const Clocks released = proxied.of(kReleasedMaps);
  proxied.of(kTensorMaps).join(released);
}

// Whatever comes later reaches a block that is gone, and is named where it happens.
void RaceDetector::check_end() {
  WarpState block;
  for (const WarpState& state : warps_) block.mine.join(state.mine);
  const auto check = [&](const Touch& touch, bool reads) {
    const bool is_own = touch.block == linear() && touch.by_block == linear();
    if (is_own || is_behind(touch, reads, block, true)) return;
    const Actor who = block_->actor_of(touch.by_block, touch.thread, touch.origin);
    if (!block_->findings.count("P8", who)) return;
    block_->findings.describe(
        "P8", who,
        base::format("block {} of the cluster ends while this may still {} its shared memory: a "
                     "cluster barrier, or a wait for what follows it, must come before the end",
                     block_->rank, reads ? "read or arrive in" : "write to"),
        {block_->actor(block_->warps.front(), 0)});
  };
  constexpr std::uint16_t kAll = 0xFFFF;
  for (const ChunkHistory& chunk : shared_) {
    chunk.writes.each(kAll, [&](const Touch& touch) { check(touch, false); });
    chunk.reads.each(kAll, [&](const Touch& touch) { check(touch, true); });
  }
}

}  // namespace jute::emulator
