// Happens-before over shared and global memory. Threads of a warp learn together, and are ordered
// among themselves only where they meet; asynchronous work are actors of its own.
#include "emulator/race_detector.hpp"

#include "base/format.hpp"
#include "emulator/bulk_copy.hpp"
#include "emulator/machine.hpp"

#include <algorithm>

namespace jute::emulator {
namespace {

/// What a conflict with work behind a warp's back is called, and what to write instead.
struct Advice {
  const char* code;
  const char* while_doing;
  const char* instead;
};
Advice advice_for(Role before, bool reads) {
  switch (before) {
    case Role::copy:
      return {reads ? "R9" : "R6", "a cp.async may still be writing",
              "cp.async.wait_group by the copying thread, then a barrier, must come first"};
    case Role::product:
      return {"R6", "a wgmma may still read",
              "its warps must execute wgmma.wait_group, and then arrive where this thread waits"};
    case Role::store_source:
      return {
          "R5", "a bulk store may still read",
          "cp.async.bulk.wait_group.read by the storing thread, then a barrier, must come first"};
    case Role::store_target:
      return {"R1", "a bulk store may still be writing",
              "cp.async.bulk.wait_group by the storing thread must come first"};
    case Role::mbarrier:
      return {reads ? "R9" : "R6", "a bulk copy may still use",
              "this thread must wait for the phase of the mbarrier that the copy completes"};
    case Role::thread:
      break;
  }
  return {"R1", "another thread may access", "a barrier or other synchronisation must lie between"};
}

}  // namespace

std::int32_t RaceDetector::linear() const { return static_cast<std::int32_t>(block_->linear); }
RaceDetector::WarpState& RaceDetector::state_of(const Warp& warp) {
  return warps_[static_cast<size_t>(warp.index)];
}
std::uint16_t RaceDetector::actor_of(Role role, size_t index) const {
  if (role == Role::thread) return static_cast<std::uint16_t>(index);
  const size_t threads = warps_.size() * kWarpLanes;
  return static_cast<std::uint16_t>(threads + (static_cast<size_t>(role) - 1) * warps_.size() +
                                    index);
}
std::uint16_t RaceDetector::mbarrier_actor(std::uint64_t offset) {
  const auto next = actor_of(Role::mbarrier, mbarriers_.size());
  return mbarriers_.try_emplace(offset, next).first->second;
}
void RaceDetector::start(size_t warps, size_t shared_bytes) {
  warps_.assign(warps, WarpState{});
  shared_.assign((shared_bytes + 3) / 4, WordHistory{});
  mbarriers_.clear();
  const auto begin = reinterpret_cast<std::uintptr_t>(block_->shared.data());
  std::erase_if(global_->publications,
                [&](const auto& entry) { return entry.first - begin < shared_bytes; });
}

bool RaceDetector::is_ordered(const Touch& before, const Warp& warp, const Touch& now) {
  if (before.block < 0) return true;
  const bool same_thread =
      before.role == Role::thread && before.block == now.by_block && before.thread == now.thread;
  const bool same_instruction = before.role == Role::thread && before.block == linear() &&
                                before.thread / kWarpLanes == warp.index &&
                                before.origin == now.origin;
  return same_thread || same_instruction ||
         state_of(warp).mine.known.at(before.block, before.actor) >= before.moment;
}
// Only generic accesses need a proxy fence; cp.async writes through the generic proxy too.
bool RaceDetector::is_proxied(const Touch& before, const Warp& warp) {
  if (before.block < 0 || (before.role != Role::thread && before.role != Role::copy)) return true;
  return state_of(warp).mine.proxied.at(before.block, before.actor) >= before.moment;
}

void RaceDetector::report(const Touch& before, const Warp& warp, const Touch& now, const char* code,
                          std::string text) {
  const Actor who = block_->actor(warp, now.thread % kWarpLanes);
  if (!block_->findings.count(code, who)) return;
  Actor other;
  other.linear_block = before.by_block;
  const Dim3& grid = block_->launch.spec.grid;
  other.block = {before.by_block % grid.x, before.by_block / grid.x % grid.y,
                 before.by_block / grid.x / grid.y};
  other.thread = before.thread;
  other.origin = before.origin;
  block_->findings.describe(code, who, std::move(text), {other});
}

void RaceDetector::touch(const Warp& warp, const Touch& now, bool writes, WordHistory& word,
                         bool is_shared) {
  const char* const space = is_shared ? "shared" : "global";
  const auto conflicts = [&](const Touch& before) {
    return (before.bytes & now.bytes) != 0 && !(before.is_strong && now.is_strong) &&
           !is_ordered(before, warp, now);
  };
  const auto name = [&](const Touch& before, const char* what) {
    const bool same_warp = before.role == Role::thread && before.block == linear() &&
                           before.thread / kWarpLanes == warp.index;
    const Advice advice = advice_for(before.role, !writes);
    report(
        before, warp, now, same_warp ? "R2" : advice.code,
        base::format("{} memory is {} while {}{}: {}", space, writes ? "written" : "read",
                     same_warp ? "another lane of the warp may access" : advice.while_doing, what,
                     same_warp ? "lanes of one warp are ordered only where they synchronise"
                               : advice.instead));
  };
  if (conflicts(word.write)) {
    name(word.write, " it");
  } else if (now.role != Role::thread && now.role != Role::copy && is_shared &&
             !word.write.is_strong && (word.write.bytes & now.bytes) != 0 &&
             !is_proxied(word.write, warp)) {
    report(word.write, warp, now, "R3",
           "shared memory that a thread has written is used by the asynchronous proxy: "
           "fence.proxy.async must follow the write, before the barrier or behind it");
  } else if (writes) {
    if (conflicts(word.read)) name(word.read, " it");
    for (const Touch& read : word.more_reads)
      if (conflicts(read)) name(read, " it");
  }
  if (writes) {
    word.write = now;
    return;
  }
  const auto replaces = [&](const Touch& before) {
    return (before.block == now.block && before.actor == now.actor) ||
           is_ordered(before, warp, now);
  };
  if (replaces(word.read)) {
    word.read = now;
    return;
  }
  for (Touch& read : word.more_reads) {
    if (!replaces(read)) continue;
    read = now;
    return;
  }
  word.more_reads.push_back(now);
}

Block* RaceDetector::shared_owner(const std::byte* data) const {
  for (const auto& block : block_->cluster->blocks) {
    const std::byte* const begin = block->shared.data();
    if (data >= begin && data < begin + block->shared.size()) return block.get();
  }
  return nullptr;
}

Touch RaceDetector::touch_of(const Warp& warp, int lane, Role role) {
  Touch now;
  now.block = now.by_block = linear();
  now.role = role;
  now.thread = static_cast<std::uint16_t>(warp.index * kWarpLanes + lane);
  now.actor = actor_of(role, role == Role::thread ? now.thread : static_cast<size_t>(warp.index));
  now.moment = state_of(warp).moment;
  now.origin = warp.current == nullptr ? -1 : warp.current->origin;
  return now;
}

void RaceDetector::touch_range(const Warp& warp, Touch now, bool writes, Block* owner,
                               std::uintptr_t at, std::uintptr_t end) {
  while (at < end) {
    const std::uintptr_t next = std::min(end, at / 4 * 4 + 4);
    now.bytes = static_cast<std::uint8_t>(((1U << (next - at)) - 1) << (at % 4));
    if (owner != nullptr) {
      touch(warp, now, writes, owner->races->shared_[at / 4], true);
    } else {
      GlobalHistory::Page& page = global_->pages[at / GlobalHistory::kPageBytes];
      if (page.empty()) page.resize(GlobalHistory::kPageBytes / 4);
      touch(warp, now, writes, page[at % GlobalHistory::kPageBytes / 4], false);
    }
    at = next;
  }
}

void RaceDetector::access(const Warp& warp, const Resolved& where, int bytes, AccessKind kind,
                          bool is_strong) {
  const std::byte* const local = warp.local.data();
  const auto parameters = block_->launch.parameters;
  const auto is_inside = [](const std::byte* data, const std::byte* begin, size_t size) {
    return size != 0 && data >= begin && data < begin + size;
  };
  const bool is_copy = kind == AccessKind::copy;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if (((where.ok >> lane) & 1) == 0) continue;
    const std::byte* const data = where.data[static_cast<size_t>(lane)];
    if (is_inside(data, local, warp.local.size()) ||
        is_inside(data, parameters.data(), parameters.size()))
      continue;
    Touch now = touch_of(warp, lane, is_copy ? Role::copy : Role::thread);
    if (is_copy)
      now.moment =
          static_cast<std::uint32_t>(warp.async.copy_groups[static_cast<size_t>(lane)]) + 1;
    now.is_strong = is_strong;
    Block* const owner = shared_owner(data);
    const auto at = owner == nullptr ? reinterpret_cast<std::uintptr_t>(data)
                                     : static_cast<std::uintptr_t>(data - owner->shared.data());
    touch_range(warp, now, kind != AccessKind::load, owner, at,
                at + static_cast<std::uintptr_t>(bytes));
  }
}

void RaceDetector::bulk_copy(const Warp& warp, const BulkCopy& copy) {
  const bool loads = copy.kind == BulkUse::Kind::load;
  Touch now = touch_of(warp, copy.lane, loads ? Role::mbarrier : Role::store_source);
  if (loads) {
    now.block = static_cast<std::int32_t>(copy.owner->linear);
    now.actor = copy.owner->races->mbarrier_actor(copy.barrier);
    now.moment = copy.phase + 1;
    now.is_strong = true;
    if (copy.barrier + 8 <= copy.owner->shared.size())
      touch_range(warp, now, false, copy.owner, copy.barrier, copy.barrier + 8);
    now.is_strong = false;
  } else {
    now.moment =
        static_cast<std::uint32_t>(warp.async.bulk_groups[static_cast<size_t>(copy.lane)]) + 1;
  }
  Touch outside = now;
  if (!loads) {
    outside.role = Role::store_target;
    outside.actor = actor_of(Role::store_target, static_cast<size_t>(warp.index));
    outside.is_strong = copy.kind == BulkUse::Kind::reduce;
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

void RaceDetector::product_reads(const Warp& warp, int lane, std::uint64_t offset) {
  Touch now = touch_of(warp, lane, Role::product);
  now.moment = warp.async.products;
  touch_range(warp, now, false, block_, offset / 4 * 4, offset / 4 * 4 + 4);
}

}  // namespace jute::emulator
