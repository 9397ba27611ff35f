// Happens-before over shared and global memory. Threads of a warp learn together, and are ordered
// among themselves only where they meet; asynchronous work are actors of its own.
#include "emulator/check/race_detector.hpp"

#include "base/format.hpp"
#include "emulator/async/bulk_copy.hpp"
#include "emulator/run/machine.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace jute::emulator {
namespace {

/// What a conflict with work behind a warp's back is called, and what to write instead.
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

void RaceDetector::touch(const Warp& warp, const Touch& now, bool writes, ChunkHistory& chunk,
                         ProxySpace space) {
  const bool is_async =
      (now.agent != Agent::thread && now.agent != Agent::copy) || space == kTensorMaps;
  bool is_named = false;
  chunk.writes.each(now.bytes, [&](const Touch& before) {
    if (before.is_by(settled_) && before.moment == settled_.moment) return;
    const bool is_repeated = now.repeats && before.agent == Agent::thread;
    if (!is_repeated && !is_ordered(before, false, warp, now, writes) && !are_atomic(before, now)) {
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
    const auto is_replaced = [&](const Touch& before) {
      return now.reach == 0 || before.reach != 0 || before.is_by(now);
    };
    chunk.reads.cut(now.bytes, is_replaced);
    chunk.writes.cut(now.bytes, is_replaced);
    chunk.writes.add(now);
    return;
  }
  const auto is_inside = [&](const Touch& before) { return (before.bytes & ~now.bytes) == 0; };
  if (Touch* const own = chunk.reads.find([&](const Touch& before) { return before.is_by(now); })) {
    if (is_inside(*own)) {
      *own = now;
      return;
    }
    chunk.reads.cut(now.bytes, [&](const Touch& before) { return before.is_by(now); });
  } else if (chunk.reads.is_crowded()) {
    Touch* const over = chunk.reads.find([&](const Touch& before) {
      return is_inside(before) && is_ordered(before, true, warp, now, false);
    });
    if (over != nullptr) {
      *over = now;
      return;
    }
  }
  chunk.reads.add(now);
}

Block* RaceDetector::shared_owner(const std::byte* data) const {
  for (const auto& block : block_->cluster->blocks) {
    const std::byte* const begin = block->shared.data();
    if (data >= begin && data < begin + block->shared.size()) return block.get();
  }
  return nullptr;
}

Touch RaceDetector::touch_of(const Warp& warp, int lane, Agent agent) {
  Touch now;
  now.block = now.by_block = linear();
  now.agent = agent;
  now.thread = static_cast<std::uint16_t>(warp.index * kWarpLanes + lane);
  now.actor =
      actor_of(agent, agent == Agent::thread ? now.thread : static_cast<size_t>(warp.index));
  now.moment = state_of(warp).moment;
  now.origin = warp.current == nullptr ? -1 : warp.current->origin;
  return now;
}

// Calls visit(chunk, bytes of it, where it begins to be touched) for each chunk of a range.
template <class Visit>
void RaceDetector::each_chunk(Block* owner, std::uintptr_t at, std::uintptr_t end, Visit visit) {
  constexpr std::uintptr_t kChunk = ChunkHistory::kBytes;
  while (at < end) {
    const std::uintptr_t next = std::min(end, at / kChunk * kChunk + kChunk);
    const auto bytes = static_cast<std::uint16_t>(((1U << (next - at)) - 1) << (at % kChunk));
    visit(owner != nullptr ? owner->races->shared_[at / kChunk] : global_->at(at), bytes, at);
    at = next;
  }
}

void RaceDetector::touch_range(const Warp& warp, Touch now, bool writes, Block* owner,
                               std::uintptr_t at, std::uintptr_t end, ProxySpace space) {
  settled_ = {};
  if (owner != nullptr) space = static_cast<ProxySpace>(owner->linear);
  const bool follows_others = owner == nullptr && !block_->launch.earlier->empty();
  each_chunk(owner, at, end, [&](ChunkHistory& chunk, std::uint16_t bytes, std::uintptr_t begin) {
    now.bytes = bytes;
    touch(warp, now, writes, chunk, space);
    if (follows_others) check_earlier(warp, now, writes, begin);
  });
}

// Where lanes touch what others may: not their local memory, nor parameters.
std::uint32_t RaceDetector::find_places(const Warp& warp, const Resolved& where,
                                        Places& places) const {
  const std::byte* const local = warp.local.data();
  const auto parameters = block_->launch.parameters;
  const auto is_inside = [](const std::byte* data, const std::byte* begin, size_t size) {
    return data >= begin && data < begin + size;
  };
  std::uint32_t lanes = 0;
  Block* owner = block_;
  for (size_t lane = 0; lane < kWarpLanes; ++lane) {
    if (((where.ok >> lane) & 1) == 0) continue;
    const std::byte* const data = where.data[lane];
    if (owner == nullptr || !is_inside(data, owner->shared.data(), owner->shared.size())) {
      if (is_inside(data, local, warp.local.size()) ||
          is_inside(data, parameters.data(), parameters.size()))
        continue;
      owner = shared_owner(data);
    }
    lanes |= 1U << lane;
    places[lane] = {owner, owner == nullptr
                               ? reinterpret_cast<std::uintptr_t>(data)
                               : static_cast<std::uintptr_t>(data - owner->shared.data())};
  }
  return lanes;
}

// Does all that was ever done to the chunks lie behind the warp, whichever lane touches which byte?
bool RaceDetector::is_clear(const Warp& warp, const Places& places, std::uint32_t lanes, int bytes,
                            bool writes) {
  const WarpState& state = state_of(warp);
  const std::int32_t own = linear();
  const std::span<const std::uint32_t> known = state.mine.known.of(own);
  const auto lies_behind = [&](const Touch& before, bool reads) {
    return (before.block == own && before.actor < known.size() &&
            known[before.actor] >= before.moment) ||
           is_behind(before, reads, state, writes);
  };
  constexpr std::uint16_t kWholeChunk = 0xFFFF;
  const ChunkHistory* last = nullptr;
  bool clear = true;
  for (; lanes != 0 && clear; lanes &= lanes - 1) {
    const Place& place = places[static_cast<size_t>(std::countr_zero(lanes))];
    if (place.owner == nullptr && !block_->launch.earlier->empty()) return false;
    const auto look = [&](ChunkHistory& chunk, std::uint16_t, std::uintptr_t) {
      if (&chunk == last) return;
      last = &chunk;
      chunk.writes.each(kWholeChunk,
                        [&](const Touch& before) { clear = clear && lies_behind(before, false); });
      if (!writes) return;
      chunk.reads.each(kWholeChunk,
                       [&](const Touch& before) { clear = clear && lies_behind(before, true); });
    };
    each_chunk(place.owner, place.at, place.at + static_cast<std::uintptr_t>(bytes), look);
  }
  return clear;
}

void RaceDetector::access(const Warp& warp, const Resolved& where, int bytes, AccessKind kind,
                          const MemoryAccess& access, std::uint32_t repeats) {
  Places places;
  const std::uint32_t lanes = find_places(warp, where, places);
  const bool is_copy = kind == AccessKind::copy, writes = kind != AccessKind::load;
  const bool clear = is_clear(warp, places, lanes, bytes, writes);
  const bool is_strong = access.is_ordered || kind == AccessKind::atomic;
  const std::uint8_t reach = is_strong ? reach_of(access.scope) : 0;
  const Touch first = touch_of(warp, 0, is_copy ? Agent::copy : Agent::thread);
  for (std::uint16_t lane = 0; lane < kWarpLanes; ++lane) {
    if (((lanes >> lane) & 1) == 0) continue;
    Touch now = first;
    now.thread = static_cast<std::uint16_t>(now.thread + lane);
    if (!is_copy) now.actor = now.thread;
    if (is_copy) now.moment = static_cast<std::uint32_t>(warp.async.copy_groups[lane]) + 1;
    now.reach = reach & 0xF;
    now.makes_barrier = access.makes_barrier;
    now.repeats = (repeats >> lane & 1) != 0;
    const auto& [owner, at] = places[lane];
    const std::uintptr_t end = at + static_cast<std::uintptr_t>(bytes);
    if (!clear) {
      touch_range(warp, now, writes, owner, at, end);
      continue;
    }
    each_chunk(owner, at, end, [&](ChunkHistory& chunk, std::uint16_t part, std::uintptr_t) {
      now.bytes = part;
      remember(warp, now, writes, chunk);
    });
  }
}

void RaceDetector::bulk_copy(const Warp& warp, const BulkCopy& copy) {
  const bool loads = copy.kind == BulkUse::Kind::load;
  Touch now = touch_of(warp, copy.lane, loads ? Agent::mbarrier : Agent::store_source);
  if (loads) {
    now.block = static_cast<std::int32_t>(copy.owner->linear);
    now.actor = copy.owner->races->mbarrier_actor(copy.barrier);
    now.moment = copy.phase + 1;
    now.reach = reach_of(Scope::gpu);
    if (copy.barrier + 8 <= copy.owner->shared.size())
      touch_range(warp, now, false, copy.owner, copy.barrier, copy.barrier + 8);
    now.reach = 0;
  } else {
    now.moment =
        static_cast<std::uint32_t>(warp.async.bulk_groups[static_cast<size_t>(copy.lane)]) + 1;
  }
  Touch outside = now;
  if (!loads) {
    outside.agent = Agent::store_target;
    outside.actor = actor_of(Agent::store_target, static_cast<size_t>(warp.index));
    if (copy.kind == BulkUse::Kind::reduce) outside.reach = reach_of(Scope::gpu);
  }
  for (Index i = 0; i < copy.box.chunks(); ++i) {
    const BoxChunk chunk = copy.box.chunk(i);
    touch_range(warp, now, loads, copy.owner, chunk.shared,
                chunk.shared + static_cast<std::uint64_t>(chunk.bytes));
    if (copy.source != nullptr) {
      const std::uint64_t from = chunk.row + static_cast<std::uint64_t>(chunk.first);
      touch_range(warp, now, false, copy.source, from,
                  from + static_cast<std::uint64_t>(chunk.bytes));
    }
    const auto global = copy.global_bytes(chunk);
    const auto at = reinterpret_cast<std::uintptr_t>(global.data());
    touch_range(warp, outside, !loads, nullptr, at, at + global.size());
  }
}

void RaceDetector::read_map(const Warp& warp, int lane, const std::byte* map, size_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(map);
  touch_range(warp, touch_of(warp, lane, Agent::thread), false, nullptr, at, at + bytes,
              kTensorMaps);
}

void RaceDetector::product_reads(const Warp& warp, int lane, const OperandSource& source) {
  Touch now = touch_of(warp, lane, Agent::product);
  now.moment = warp.async.products;
  now.bytes = 0xFFFF;
  settled_ = {};
  const auto space = static_cast<ProxySpace>(linear());
  source.each_chunk([&](int, int, std::uint64_t address) {
    if (address + kOperandChunk <= block_->shared.size())
      touch(warp, now, false, shared_[address / kOperandChunk], space);
  });
}

}  // namespace jute::emulator
