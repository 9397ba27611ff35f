// Happens-before over shared and global memory. Threads of a warp learn together, and are ordered
// among themselves only where they meet; asynchronous work are actors of its own.
#include "emulator/check/race_detector.hpp"

#include "base/format.hpp"
#include "emulator/run/machine.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace jute::emulator {
namespace {

/// The name of a conflict with work behind a warp's back, and what to write instead.
struct Advice {
  const char* code;
  const char* while_doing;
  const char* instead;
};
Advice advice_for(Agent before, bool reads) {
  switch (before) {
    case Agent::copy:
      return {reads ? "R9" : "R6", "a cp.async may still be writing",
              "cp.async.wait_group by the copying thread, then a barrier, must come first"};
    case Agent::product:
      return {"R6", "a wgmma may still read",
              "its warps must execute wgmma.wait_group, and then arrive where this thread waits"};
    case Agent::store_source:
      return {
          "R5", "a bulk store may still read",
          "cp.async.bulk.wait_group.read by the storing thread, then a barrier, must come first"};
    case Agent::store_target:
      return {"R1", "a bulk store may still be writing",
              "cp.async.bulk.wait_group by the storing thread must come first"};
    case Agent::mbarrier:
      return {reads ? "R9" : "R6", "a bulk copy may still use",
              "this thread must wait for the phase of the mbarrier that the copy completes"};
    case Agent::thread:
      break;
  }
  return {"R1", "another thread may access", "a barrier or other synchronisation must lie between"};
}

}  // namespace

std::int32_t RaceDetector::linear() const { return static_cast<std::int32_t>(block_->linear); }
RaceDetector::WarpState& RaceDetector::state_of(const Warp& warp) {
  return warps_[static_cast<size_t>(warp.index)];
}
std::uint16_t RaceDetector::actor_of(Agent agent, size_t index) const {
  if (agent == Agent::thread) return static_cast<std::uint16_t>(index);
  const size_t threads = warps_.size() * kWarpLanes;
  return static_cast<std::uint16_t>(threads + (static_cast<size_t>(agent) - 1) * warps_.size() +
                                    index);
}
std::uint16_t RaceDetector::mbarrier_actor(std::uint64_t offset) {
  const auto next = actor_of(Agent::mbarrier, mbarriers_.size());
  return mbarriers_.try_emplace(offset, next).first->second;
}
void RaceDetector::start(size_t warps, size_t shared_bytes) {
  warps_.assign(warps, WarpState{});
  last_learned_ = {};
  shared_.assign((shared_bytes + ChunkHistory::kBytes - 1) / ChunkHistory::kBytes, {});
  mbarriers_.clear();
  const auto begin = reinterpret_cast<std::uintptr_t>(block_->shared.data());
  std::erase_if(global_->publications,
                [&](const auto& entry) { return entry.first - begin < shared_bytes; });
}

bool RaceDetector::is_behind(const Touch& before, bool reads, const WarpState& state,
                             bool writes) const {
  const Knowledge& mine = state.mine;
  if (mine.known.at(before.block, before.actor) >= before.moment) return true;
  return writes && (reads || before.agent >= kFirstEngine) &&
         mine.finished.at(before.block, before.actor) >= before.moment;
}
bool RaceDetector::are_behind(const LineHistory::Row& before, bool reads, const WarpState& state,
                              bool writes) const {
  const std::span<const std::uint32_t> known = state.mine.known.of(before.first.block);
  const size_t first = before.first.actor, end = first + before.threads();
  const auto knows = [&](std::uint32_t moment) { return moment >= before.first.moment; };
  if (end <= known.size() && std::ranges::all_of(known.subspan(first, end - first), knows))
    return true;
  Touch one = before.first;
  for (; one.actor < end; ++one.actor)
    if (!is_behind(one, reads, state, writes)) return false;
  return true;
}
bool RaceDetector::are_behind(const Touch& before, std::uint16_t bytes, bool reads,
                              const WarpState& state, bool writes) const {
  if (before.each == 0) return is_behind(before, reads, state, writes);
  const std::span<const std::uint32_t> known = state.mine.known.of(before.block);
  if (before.each == Touch::kCrowd) {
    std::uint32_t rest = before.lanes();
    for (; rest != 0; rest &= rest - 1) {
      const size_t actor = before.actor + static_cast<size_t>(std::countr_zero(rest));
      if (actor >= known.size() || known[actor] < before.moment) break;
    }
    if (rest == 0) return true;
  }
  bool all = true;
  before.each_thread(bytes, [&](const Touch& one) {
    all = all && ((one.actor < known.size() && known[one.actor] >= one.moment) ||
                  is_behind(one, reads, state, writes));
  });
  return all;
}
bool RaceDetector::is_ordered(const Touch& before, bool reads, const Warp& warp, const Touch& now,
                              bool writes) {
  if (before.block < 0) return true;
  const bool same_thread =
      before.agent == Agent::thread && before.block == now.by_block && before.thread == now.thread;
  const bool same_instruction = before.agent == Agent::thread && before.block == linear() &&
                                before.thread / kWarpLanes == warp.index &&
                                before.origin == now.origin;
  return same_thread || same_instruction || is_behind(before, reads, state_of(warp), writes);
}
bool RaceDetector::are_atomic(const Touch& a, const Touch& b) const {
  return a.reach != 0 && b.reach != 0 &&
         std::min(a.reach, b.reach) >= reach_of(distance_to(a.by_block));
}
// Only generic accesses need a proxy fence; cp.async writes through the generic proxy too.
bool RaceDetector::is_proxied(const Touch& before, const Warp& warp, ProxySpace space) {
  if (before.block < 0 || (before.agent != Agent::thread && before.agent != Agent::copy))
    return true;
  const ProxyClocks& proxied = state_of(warp).mine.proxied;
  return proxied.at(space, before.block, before.actor) >= before.moment ||
         (before.makes_barrier &&
          proxied.at(kFreshBarriers, before.block, before.actor) >= before.moment);
}

void RaceDetector::report(const Touch& before, const Warp& warp, const Touch& now, const char* code,
                          std::string text) {
  const Actor who = block_->actor(warp, now.thread % kWarpLanes);
  if (!block_->findings.count(code, who)) return;
  block_->findings.describe(code, who, std::move(text),
                            {block_->actor_of(before.by_block, before.thread, before.origin)});
}

void RaceDetector::name(const Touch& before, const Warp& warp, const Touch& now, bool writes,
                        ProxySpace space) {
  const bool same_warp = before.agent == Agent::thread && before.block == linear() &&
                         before.thread / kWarpLanes == warp.index;
  Advice advice = advice_for(before.agent, !writes);
  if (same_warp)
    advice = {"R2", "another lane of the warp may access",
              "lanes of one warp are ordered only where they synchronise"};
  if (before.reach != 0 && now.reach != 0)
    advice.instead =
        "the scopes of both must reach the other block: .cluster within a cluster, .gpu";
  report(before, warp, now, advice.code,
         base::format("{} memory is {} while {} it: {}", space >= 0 ? "shared" : "global",
                      writes ? "written" : "read", advice.while_doing, advice.instead));
}
void RaceDetector::name_proxy(const Touch& before, const Warp& warp, const Touch& now,
                              ProxySpace space) {
  if (space == kTensorMaps)
    return report(before, warp, now, "R3",
                  "a tensor map that a thread has written is used by a bulk copy: "
                  "fence.proxy.tensormap::generic.release must follow the write, and "
                  ".acquire of the map must come before the copy");
  report(
      before, warp, now, "R3",
      base::format(
          "{} memory that a thread has written is used by the asynchronous proxy: "
          "fence.proxy.async, bare or {}, must follow the write, before the barrier or behind it",
          space >= 0 ? "shared" : "global",
          space < 0           ? ".global"
          : space == linear() ? ".shared::cta"
                              : ".shared::cluster"));
}

// Causality order of the PTX memory model: what a strong write precedes by observation, and what
// follows the load that saw it. A strong write ends what is remembered of strong reads before it.
bool RaceDetector::is_observed(const Touch& write, const Warp& warp, const Touch& now, bool writes,
                               const ChunkHistory& chunk) {
  if (write.reach == 0) return false;
  bool is_seen = false;
  chunk.reads.each(write.bytes & now.bytes, [&](const Touch& read) {
    is_seen |= are_atomic(write, read) && is_ordered(read, true, warp, now, writes);
  });
  return is_seen;
}

void RaceDetector::touch(const Warp& warp, const Touch& now, bool writes, ChunkHistory& chunk,
                         ProxySpace space) {
  const bool is_async = (now.agent != Agent::thread && now.agent != Agent::copy && !is_generic_) ||
                        space == kTensorMaps;
  bool is_named = false;
  chunk.writes.each(now.bytes, [&](const Touch& before) {
    if (before.is_by(settled_) && before.moment == settled_.moment) return;
    const bool is_repeated = now.repeats && before.agent == Agent::thread;
    if (!is_repeated && !is_ordered(before, false, warp, now, writes) && !are_atomic(before, now) &&
        !is_observed(before, warp, now, writes, chunk)) {
      name(before, warp, now, writes, space);
      is_named = true;
    } else if (is_async && before.reach == 0 && !is_proxied(before, warp, space)) {
      name_proxy(before, warp, now, space);
      is_named = true;
    } else if (before.agent >= kFirstEngine) {
      settled_ = before;
    }
  });
  if (writes && !is_named)
    chunk.reads.each(now.bytes, [&](const Touch& before) {
      if (!is_ordered(before, true, warp, now, writes) && !are_atomic(before, now))
        name(before, warp, now, writes, space);
    });
  remember(warp, now, writes, chunk);
}

// Whatever conflicts with what a write replaces conflicts with the write, unless both are atomic.
void RaceDetector::remember(const Warp& warp, const Touch& now, bool writes, ChunkHistory& chunk) {
  if (writes) {
    if (now.reach == 0) {
      chunk.reads.cut(now.bytes);
      chunk.writes.cut(now.bytes);
    } else {
      const auto is_replaced = [&](const Touch& before) {
        return before.reach != 0 || before.is_by(now);
      };
      chunk.reads.cut(now.bytes, is_replaced);
      chunk.writes.cut(now.bytes, is_replaced);
    }
    chunk.writes.add(now);
    return;
  }
  const auto is_inside = [&](const Touch& before) { return (before.bytes & ~now.bytes) == 0; };
  const bool is_crowd = now.each == Touch::kCrowd;
  bool needs_cut = false;
  Touch* const own = chunk.reads.find([&](const Touch& before) {
    if (before.block != now.block || (before.bytes & now.bytes) == 0) return false;
    if (before.each == now.each && before.is_by(now) && is_inside(before) &&
        (!is_crowd || (before.lanes() & ~now.lanes()) == 0))
      return true;
    needs_cut = needs_cut || before.each != 0 || now.each != 0 || before.is_by(now);
    return false;
  });
  if (own != nullptr) {
    *own = now;
    return;
  }
  if (needs_cut && is_crowd) {
    chunk.reads.cut(now.bytes, [&](const Touch& before) { return now.holds(before); });
  } else if (needs_cut) {
    now.each_thread(now.bytes, [&](const Touch& one) {
      chunk.reads.cut(one.bytes, [&](const Touch& before) { return before.is_by(one); });
    });
  }
  chunk.reads.make_room([&](const Touch& before) {
    return is_inside(before) && are_behind(before, before.bytes, true, state_of(warp), false);
  });
  chunk.reads.add(now);
}

}  // namespace jute::emulator
