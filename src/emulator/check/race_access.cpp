// From accesses, copies and products to the chunks of memory that they touch.
#include "emulator/async/bulk_copy.hpp"
#include "emulator/check/race_detector.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>

namespace jute::emulator {

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

ChunkHistory& RaceDetector::chunk_at(Block* owner, std::uintptr_t at) {
  return owner != nullptr ? owner->races->shared_[at / ChunkHistory::kBytes] : global_->at(at);
}
// Calls visit(chunk, bytes of it, where it begins to be touched) for each chunk of a range.
template <class Visit>
void RaceDetector::each_chunk(Block* owner, std::uintptr_t at, std::uintptr_t end, Visit visit) {
  constexpr std::uintptr_t kChunk = ChunkHistory::kBytes;
  while (at < end) {
    const std::uintptr_t next = std::min(end, at / kChunk * kChunk + kChunk);
    const auto bytes = static_cast<std::uint16_t>(((1U << (next - at)) - 1) << (at % kChunk));
    visit(chunk_at(owner, at), bytes, at);
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
  for (const size_t lane : lanes_of(where.ok)) {
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
  constexpr std::uint16_t kWholeChunk = 0xFFFF;
  const ChunkHistory* last = nullptr;
  bool clear = true;
  for (; lanes != 0 && clear; lanes &= lanes - 1) {
    const Place& place = places[static_cast<size_t>(std::countr_zero(lanes))];
    if (place.owner == nullptr && !block_->launch.earlier->empty()) return false;
    const auto look = [&](ChunkHistory& chunk, std::uint16_t, std::uintptr_t) {
      if (&chunk == last) return;
      last = &chunk;
      const auto check = [&](const Touches& touches, bool reads) {
        touches.each_row(kWholeChunk, [&](const Touch& before) {
          const bool is_known = before.each == 0 && before.block == own &&
                                before.actor < known.size() && known[before.actor] >= before.moment;
          clear = clear && (is_known || are_behind(before, kWholeChunk, reads, state, writes));
        });
      };
      check(chunk.writes, false);
      if (writes) check(chunk.reads, true);
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
  const bool is_strong = access.is_ordered || kind == AccessKind::atomic;
  const std::uint8_t reach = is_strong ? reach_of(access.scope) : 0;
  const Touch first = touch_of(warp, 0, is_copy ? Agent::copy : Agent::thread);
  const bool goes_together = !is_copy && !is_strong && !access.makes_barrier;
  std::optional<bool> clear;  // of the lanes from the first on that goes alone
  for (std::uint32_t rest = lanes; rest != 0;) {
    const auto lane = static_cast<std::uint16_t>(std::countr_zero(rest));
    Touch now = first;
    now.thread = static_cast<std::uint16_t>(now.thread + lane);
    if (!is_copy) now.actor = now.thread;
    if (is_copy) now.moment = static_cast<std::uint32_t>(warp.async.copy_groups[lane]) + 1;
    now.reach = reach & 3;
    now.makes_barrier = access.makes_barrier;
    now.repeats = (repeats >> lane & 1) != 0;
    const auto& [owner, at] = places[lane];
    if (goes_together) {
      const std::uint32_t row =
          touch_line(warp, now, writes, lane, places, rest, bytes, writes ? repeats : 0);
      rest &= ~row;
      if (row != 0) continue;
      const Together with = beside(lane, places, rest, bytes, writes ? &repeats : nullptr);
      if (with.lanes != 0 && touch_together(warp, now, writes, places[lane], with)) {
        rest &= ~with.lanes;
        continue;
      }
    }
    const std::uintptr_t end = at + static_cast<std::uintptr_t>(bytes);
    if (!clear) clear = is_clear(warp, places, rest, bytes, writes);
    rest &= rest - 1;
    if (!*clear) {
      touch_range(warp, now, writes, owner, at, end);
      continue;
    }
    each_chunk(owner, at, end, [&](ChunkHistory& chunk, std::uint16_t part, std::uintptr_t) {
      now.bytes = part;
      remember(warp, now, writes, chunk);
    });
  }
}

std::uint32_t RaceDetector::touch_line(const Warp& warp, Touch now, bool writes, int lane,
                                       const Places& places, std::uint32_t lanes, int bytes,
                                       std::uint32_t repeats) {
  const auto& [owner, at] = places[static_cast<size_t>(lane)];
  if (owner != nullptr || at % LineHistory::kBytes != 0 || bytes < 4) return 0;
  const int count = static_cast<int>(LineHistory::kBytes) / bytes;
  if (lane + count > kWarpLanes || !block_->launch.earlier->empty()) return 0;
  const std::uint32_t row = (~0U >> (kWarpLanes - count)) << lane;
  if ((lanes & row) != row || ((repeats & row) != 0 && (repeats & row) != row)) return 0;
  for (int i = 1; i < count; ++i) {
    const Place& place = places[static_cast<size_t>(lane + i)];
    if (place.owner != nullptr || place.at != at + static_cast<std::uintptr_t>(i * bytes)) return 0;
  }
  LineHistory& line = global_->line(at);
  if (line.has_chunks()) return 0;
  const LineHistory::Row done{now, static_cast<std::uint8_t>(bytes)};
  const WarpState& state = state_of(warp);
  const auto is_free = [&](const LineHistory::Row& before, bool reads) {
    return before.each == 0 || before.is_by(done) || are_behind(before, reads, state, writes);
  };
  if (!is_free(line.writes(), false)) return 0;
  if (writes) {
    const auto reads = line.reads();
    if (!std::ranges::all_of(reads, [&](const auto& before) { return is_free(before, true); }))
      return 0;
    line.write(done);
  } else {
    if (line.overlaps_reads(done)) return 0;
    line.read(done, [&](const auto& before) { return are_behind(before, true, state, false); });
  }
  return row;
}

// The lanes from this one on that touch bytes of one chunk side by side, writing all in the same
// way, or that read the very same.
RaceDetector::Together RaceDetector::beside(int lane, const Places& places, std::uint32_t lanes,
                                            int bytes, const std::uint32_t* repeats) {
  const auto owner = places[static_cast<size_t>(lane)].owner;
  const std::uintptr_t at = places[static_cast<size_t>(lane)].at;
  const auto size = static_cast<std::uintptr_t>(bytes);
  const std::uintptr_t begin = at % ChunkHistory::kBytes;
  if (at % size != 0) return {};
  const auto is_at = [&](int other, std::uintptr_t wanted) {
    const Place& place = places[static_cast<size_t>(other)];
    return (lanes >> other & 1) != 0 && place.owner == owner && place.at == wanted;
  };
  Together with{1U << lane, static_cast<std::uint16_t>(((1U << size) - 1) << begin), Touch::kCrowd};
  // Lanes that read the same mostly lie at a distance of a power of two.
  const auto is_repeated = [&] {
    const std::uint32_t behind = lanes >> lane >> 1;
    if (behind != 0 && is_at(lane + 1 + std::countr_zero(behind), at)) return true;
    for (int step = 1; lane + step < kWarpLanes; step *= 2)
      if (is_at(lane + step, at)) return true;
    return false;
  };
  if (repeats == nullptr && is_repeated())
    for (int other = lane + 1; other < kWarpLanes; ++other)
      if (is_at(other, at)) with.lanes |= 1U << other;
  if (with.lanes != 1U << lane) return with;
  with.each = bytes & 0xF;
  const auto room = static_cast<int>((ChunkHistory::kBytes - begin) / size);
  for (int i = 1; i < std::min(room, kWarpLanes - lane); ++i) {
    if (!is_at(lane + i, at + static_cast<unsigned>(i) * size)) break;
    if (repeats != nullptr && ((*repeats >> (lane + i) ^ *repeats >> lane) & 1) != 0) break;
    with.lanes |= 1U << (lane + i);
    with.bytes = static_cast<std::uint16_t>(with.bytes | with.bytes << size);
  }
  return with.lanes == 1U << lane ? Together{} : with;
}

// Touches what several threads touch of a chunk at once, unless there is something to be said.
bool RaceDetector::touch_together(const Warp& warp, Touch now, bool writes, const Place& place,
                                  const Together& with) {
  if (place.owner == nullptr && !block_->launch.earlier->empty()) return false;
  const bool is_crowd = with.each == Touch::kCrowd;
  const std::uintptr_t before_it = is_crowd ? static_cast<std::uintptr_t>(now.thread % kWarpLanes)
                                            : place.at % ChunkHistory::kBytes / with.each;
  now.each = with.each & 0xF;
  now.bytes = with.bytes;
  now.thread = now.actor = static_cast<std::uint16_t>(now.thread - before_it);
  if (is_crowd) now.by_block = static_cast<std::int32_t>(with.lanes);
  ChunkHistory& chunk = chunk_at(place.owner, place.at);
  const WarpState& state = state_of(warp);
  bool is_free = true;
  const auto look = [&](const Touches& touches, bool reads) {
    touches.each_row(now.bytes, [&](const Touch& before) {
      if (!is_free || (!is_crowd && before.each == now.each && before.is_by(now))) return;
      is_free = are_behind(before, now.bytes, reads, state, writes);
    });
  };
  look(chunk.writes, false);
  if (writes) look(chunk.reads, true);
  if (is_free) remember(warp, now, writes, chunk);
  return is_free;
}

// st.async and red.async work behind the program's back, and through the generic proxy: the PTX ISA
// puts bulk copies and wgmma into the asynchronous one, and nothing else.
void RaceDetector::bulk_copy(const Warp& warp, const BulkCopy& copy) {
  const bool loads = copy.kind == BulkUse::Kind::load;
  is_generic_ = copy.is_carried();
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
  if (!copy.map.empty()) {  // until it has landed, or its source is read
    const auto at = reinterpret_cast<std::uintptr_t>(copy.map.data());
    touch_range(warp, now, false, nullptr, at, at + copy.map.size(), kTensorMaps);
  }
  if (copy.adds_to_shared) now.reach = reach_of(Scope::gpu);
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
  is_generic_ = false;
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
