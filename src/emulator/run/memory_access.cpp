// Loads and stores of 32 lanes, once their addresses are resolved.
#include "emulator/run/memory_access.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/run/shared_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <utility>

namespace jute::emulator {
namespace {

template <class Element, class Register>
void load_elements(std::byte* target, const Resolved& where, size_t at, std::uint32_t mask) {
  if (mask == kAllLanes) {
    for (size_t lane = 0; lane < kWarpLanes; ++lane) {
      Element value;
      std::memcpy(&value, where.data[lane] + at, sizeof(value));
      const auto wide = static_cast<Register>(value);
      std::memcpy(target + lane * sizeof(wide), &wide, sizeof(wide));
    }
    return;
  }
  for (const size_t lane : lanes_of(mask)) {
    Element value;
    std::memcpy(&value, where.data[lane] + at, sizeof(value));
    const auto wide = static_cast<Register>(value);
    std::memcpy(target + lane * sizeof(wide), &wide, sizeof(wide));
  }
}
template <class Element, class Register>
void store_elements(const std::byte* source, const Resolved& where, size_t at) {
  for (const size_t lane : lanes_of(where.ok)) {
    Register wide;
    std::memcpy(&wide, source + lane * sizeof(wide), sizeof(wide));
    const auto value = static_cast<Element>(wide);
    std::memcpy(where.data[lane] + at, &value, sizeof(value));
  }
}

using LoadElements = void (*)(std::byte*, const Resolved&, size_t, std::uint32_t);
using StoreElements = void (*)(const std::byte*, const Resolved&, size_t);

template <class Element>
LoadElements load_function(int register_bytes) {
  if (register_bytes == 2) return &load_elements<Element, std::uint16_t>;
  if (register_bytes == 4) return &load_elements<Element, std::uint32_t>;
  return &load_elements<Element, std::uint64_t>;
}
template <class Element>
StoreElements store_function(int register_bytes) {
  if (register_bytes == 2) return &store_elements<Element, std::uint16_t>;
  if (register_bytes == 4) return &store_elements<Element, std::uint32_t>;
  return &store_elements<Element, std::uint64_t>;
}
LoadElements find_load(const MemoryAccess& access) {
  switch (access.element_bytes) {
    case 1:
      return access.sign_extends ? load_function<std::int8_t>(access.register_bytes)
                                 : load_function<std::uint8_t>(access.register_bytes);
    case 2:
      return access.sign_extends ? load_function<std::int16_t>(access.register_bytes)
                                 : load_function<std::uint16_t>(access.register_bytes);
    case 4:
      return access.sign_extends ? load_function<std::int32_t>(access.register_bytes)
                                 : load_function<std::uint32_t>(access.register_bytes);
    default:
      return load_function<std::uint64_t>(8);
  }
}
StoreElements find_store(const MemoryAccess& access) {
  switch (access.element_bytes) {
    case 1:
      return store_function<std::uint8_t>(access.register_bytes);
    case 2:
      return store_function<std::uint16_t>(access.register_bytes);
    case 4:
      return store_function<std::uint32_t>(access.register_bytes);
    default:
      return store_function<std::uint64_t>(8);
  }
}

void count_global(Warp& warp, const MemoryAccess& access, int bytes, const Resolved& where,
                  AccessKind kind) {
  if (access.space != Space::global && access.space != Space::generic) return;
  Counters& counters = warp.block->findings.counters;
  const Index total = Index{bytes} * std::popcount(where.ok);
  if (kind != AccessKind::store) counters.global_bytes_read += total;
  if (kind != AccessKind::load) counters.global_bytes_written += total;
}

// Kernel parameters are the same for all lanes: bytes once, then broadcast.
bool load_uniform_parameter(Warp& warp, const MemoryAccess& access, std::uint32_t mask) {
  const std::span<const std::byte> parameters = warp.block->launch.parameters;
  if (access.space != Space::param || access.base != kNoSlot || mask != kAllLanes) return false;
  const auto bytes = static_cast<size_t>(access.element_bytes) * access.count;
  const auto at = static_cast<size_t>(access.offset);
  if (access.offset < 0 || at + bytes > parameters.size() || at % bytes != 0) return false;
  Resolved where;
  where.data.fill(const_cast<std::byte*>(parameters.data()) + at);
  const LoadElements load = find_load(access);
  for (size_t i = 0; i < access.count; ++i)
    if (access.data[i] != kNoSlot)
      load(warp.at(access.data[i]), where, i * access.element_bytes, mask);
  return true;
}

// Whoever uses such a value is told, not who loads it.
void poison_loaded(Warp& warp, const MemoryAccess& access, const Resolved& where) {
  const int bytes = access.element_bytes;
  for (int i = 0; i < access.count; ++i) {
    const Slot slot = access.data[static_cast<size_t>(i)];
    const LoadedPart part{i * bytes, bytes, access.needed};
    const std::uint32_t lanes = undefined_lanes(warp, where, part);
    if (slot == kNoSlot || lanes == 0) continue;
    LaneBytes unset = undefined_bytes(where, part, lanes);
    if (access.sign_extends && (unset >> (bytes - 1) & 1) != 0)
      unset |= static_cast<LaneBytes>(~low_lane_bytes(static_cast<size_t>(bytes)));
    warp.watch.poison(warp, slot, {lanes, unset}, describe_undefined(access, bytes * access.count));
  }
}
/// Less than a word of a register that was never set: so compilers write bytes and halves that
/// nobody needs beside others that somebody does.
bool is_gap(const PoisonCause& cause, LaneBytes unset, size_t element_bytes) {
  if (!cause.is_register) return false;
  constexpr size_t kWord = 4;
  const size_t unit = std::min(element_bytes, kWord);
  const LaneBytes whole = low_lane_bytes(unit);
  for (size_t at = 0; at < element_bytes; at += unit)
    if ((unset >> at & whole) == whole) return false;
  return true;
}
// Into a block's own memory such values may go; there they stay what they are, as do gaps anywhere.
void store_poison(Warp& warp, const MemoryAccess& access, const Resolved& where) {
  const size_t bytes = access.element_bytes;
  for (size_t i = 0; i < access.count; ++i) {
    const Slot slot = access.data[i];
    if (slot == kNoSlot || (slot & kConstantBit) != 0) continue;
    const LaneBytes unset = warp.watch.poisoned_bytes(slot) & low_lane_bytes(bytes);
    const std::uint32_t lanes = warp.watch.poisoned(slot) & where.ok;
    if (lanes == 0 || unset == 0) continue;
    const std::uint32_t used =
        is_gap(warp.watch.cause_of(slot), unset, bytes) ? 0 : lanes & where.global;
    warp.watch.report_use(warp, slot, used);
    for (size_t lane = 0; lane < kWarpLanes; ++lane) {
      if (!where.tracks_defined || ((lanes & ~used) >> lane & 1) == 0) continue;
      std::byte* const defined = where.defined[lane];
      for (size_t byte = 0; defined != nullptr && byte < bytes; ++byte)
        if ((unset >> byte & 1) != 0) defined[i * bytes + byte] = kNeverWritten;
    }
  }
}

// Lanes whose bytes are there already. Many threads raise one flag, and compilers let several
// threads write the same result: whichever comes last, memory holds the same.
std::uint32_t repeating_lanes(const Warp& warp, const MemoryAccess& access, const Resolved& where) {
  const size_t bytes = access.element_bytes;
  std::uint32_t repeating = 0;
  for (size_t lane = 0; lane < kWarpLanes; ++lane) {
    const std::byte* const defined = where.defined[lane];
    if (((where.ok >> lane) & 1) == 0) continue;
    bool is_same =
        defined == nullptr || std::all_of(defined, defined + bytes * access.count,
                                          [](std::byte state) { return state == kWritten; });
    for (size_t i = 0; i < access.count && is_same; ++i)
      is_same = std::memcmp(warp.at(access.data[i]) + lane * access.register_bytes,
                            where.data[lane] + i * bytes, bytes) == 0;
    if (is_same) repeating |= 1U << lane;
  }
  return repeating;
}

/// Ordered accesses of memory that other ranks have too take turns.
std::unique_lock<std::mutex> flags_locked(const Warp& warp, const MemoryAccess& access) {
  return warp.block->launch.ranks != nullptr && access.is_ordered
             ? std::unique_lock(shared_memory_mutex())
             : std::unique_lock<std::mutex>();
}

}  // namespace

void note_poll(Warp& warp, const Instruction& instruction, std::uint64_t seen) {
  Poll& last = warp.groups[warp.running].poll;
  const Poll now{&instruction, seen, warp.effects, last.phase};
  warp.found_nothing_new = std::exchange(last, now) == now;
}

void load_memory(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const MemoryAccess& access = warp.block->program.use_of<MemoryAccess>(instruction);
  if (load_uniform_parameter(warp, access, mask)) return;
  const int bytes = access.element_bytes * access.count;
  const auto lock = flags_locked(warp, access);
  Resolved where;
  resolve(warp, access, bytes, mask, AccessKind::load, where);
  count_global(warp, access, bytes, where, AccessKind::load);
  const LoadElements load = find_load(access);
  for (size_t i = 0; i < access.count; ++i)
    if (access.data[i] != kNoSlot)
      load(warp.at(access.data[i]), where, i * access.element_bytes, mask);
  if (where.tracks_defined && !is_all_written(where, bytes)) poison_loaded(warp, access, where);
  if (!access.is_ordered) return;
  if (lock && warp.block->races) warp.block->launch.ranks->observe(warp, access, where);
  if (warp.block->races) {
    const std::uint32_t waits = warp.block->races->observe(warp, access, where);
    if (waits != 0 && access.acquires) warp.block->check_release(warp, std::countr_zero(waits));
  }
  std::uint64_t seen = where.ok;
  for (size_t lane = 0; lane < kWarpLanes; ++lane) {
    std::uint64_t value = 0;
    if (((where.ok >> lane) & 1) != 0)
      std::memcpy(&value, where.data[lane], static_cast<size_t>(std::min(bytes, 8)));
    seen = seen * 0x9E3779B97F4A7C15ULL + value;
  }
  note_poll(warp, instruction, seen);
}

void store_memory(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const MemoryAccess& access = warp.block->program.use_of<MemoryAccess>(instruction);
  const int bytes = access.element_bytes * access.count;
  const auto lock = flags_locked(warp, access);
  Resolved where;
  resolve(warp, access, bytes, mask, AccessKind::store_by_value, where);
  if (RaceDetector* races = warp.block->races.get())
    races->access(warp, where, bytes, AccessKind::store, access,
                  repeating_lanes(warp, access, where));
  if (where.tracks_defined) set_defined(bytes, where);
  count_global(warp, access, bytes, where, AccessKind::store);
  if (access.is_ordered && warp.block->races) warp.block->races->publish(warp, access, where, true);
  if (lock && warp.block->races) warp.block->launch.ranks->publish(warp, access, where);
  ++warp.effects;  // what follows may see the effect
  if (warp.watch.is_on()) store_poison(warp, access, where);
  const StoreElements store = find_store(access);
  for (size_t i = 0; i < access.count; ++i)
    store(warp.at(access.data[i]), where, i * access.element_bytes);
}

}  // namespace jute::emulator
