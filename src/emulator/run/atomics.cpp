// atom and red: lane after lane, in order, so that results do not depend on timing.
#include "base/format.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"

#include <array>
#include <cstring>

namespace jute::emulator {
namespace {
#include "emulator/run/lane_float_scalar.inc"

using AtomicOperation = AtomicUse::Operation;
using Type = AtomicUse::Type;

template <class T>
u64 integer_step(AtomicOperation operation, u64 old_bits, u64 operand_bits, u64 comparand_bits) {
  const auto old = static_cast<T>(old_bits);
  const auto operand = static_cast<T>(operand_bits);
  const auto bits = [](T value) { return static_cast<u64>(value); };
  switch (operation) {
    case AtomicOperation::add:
      return old_bits + operand_bits;
    case AtomicOperation::min:
      return bits(operand < old ? operand : old);
    case AtomicOperation::max:
      return bits(old < operand ? operand : old);
    case AtomicOperation::and_:
      return old_bits & operand_bits;
    case AtomicOperation::or_:
      return old_bits | operand_bits;
    case AtomicOperation::xor_:
      return old_bits ^ operand_bits;
    case AtomicOperation::exch:
      return operand_bits;
    case AtomicOperation::cas:
      return old == static_cast<T>(comparand_bits) ? operand_bits : old_bits;
    case AtomicOperation::inc:
      return old >= operand ? 0 : old_bits + 1;
    case AtomicOperation::dec:
      return old == T(0) || old > operand ? operand_bits : old_bits - 1;
  }
  return old_bits;
}

template <class H>
u16 half_step(AtomicOperation operation, u16 old_bits, u16 operand_bits) {
  const float old = to_float(H{old_bits});
  const float operand = to_float(H{operand_bits});
  H result{};
  const bool takes_operand =
      old != old || (operation == AtomicOperation::min ? operand < old : operand > old);
  narrow(operation == AtomicOperation::add ? old + operand : takes_operand ? operand : old, result);
  return result.bits;
}
template <class H>
u64 pair_step(AtomicOperation operation, u64 old, u64 operand) {
  const u64 low = half_step<H>(operation, static_cast<u16>(old), static_cast<u16>(operand));
  const u64 high =
      half_step<H>(operation, static_cast<u16>(old >> 16), static_cast<u16>(operand >> 16));
  return low | (high << 16);
}

// Additions of f32 in global memory flush subnormals; those in shared memory keep them (PTX ISA,
// atom).
template <class T>
T chosen(AtomicOperation operation, T old, T operand) {
  if (operation == AtomicOperation::min) return operand < old ? operand : old;
  if (operation == AtomicOperation::max) return old < operand ? operand : old;
  return old + operand;
}
u64 f32_step(AtomicOperation operation, u64 old, u64 operand, bool flushes) {
  float a = float_of(static_cast<u32>(old));
  float b = float_of(static_cast<u32>(operand));
  if (flushes) a = flush(a), b = flush(b);
  const float result = canonical(chosen(operation, a, b));
  return bits_of(flushes ? flush(result) : result);
}

/// One element of an atomic, before and after.
struct Step {
  AtomicOperation operation;
  Type type;
  bool flushes;  ///< f32 subnormals
};
u64 step(const Step& use, u64 old, u64 operand, u64 comparand) {
  switch (use.type) {
    case Type::u32:
      return integer_step<u32>(use.operation, old, operand, comparand);
    case Type::s32:
      return integer_step<s32>(use.operation, old, operand, comparand);
    case Type::u64:
      return integer_step<u64>(use.operation, old, operand, comparand);
    case Type::s64:
      return integer_step<s64>(use.operation, old, operand, comparand);
    case Type::b16:
      return integer_step<u16>(use.operation, old, operand, comparand);
    case Type::f32:
      return f32_step(use.operation, old, operand, use.flushes);
    case Type::f64:
      return bits_of(chosen(use.operation, double_of(old), double_of(operand)));
    case Type::f16:
      return half_step<Half>(use.operation, static_cast<u16>(old), static_cast<u16>(operand));
    case Type::bf16:
      return half_step<Bfloat>(use.operation, static_cast<u16>(old), static_cast<u16>(operand));
    case Type::f16x2:
      return pair_step<Half>(use.operation, old, operand);
    case Type::bf16x2:
      return pair_step<Bfloat>(use.operation, old, operand);
  }
  return old;
}

u64 operand(const Warp& warp, Slot slot, size_t lane, size_t bytes) {
  return slot == kNoSlot ? 0 : read_lane(warp, slot, static_cast<int>(lane), bytes);
}

/// A lane's element of memory: its bits before, mixed, and whether they change.
struct Seen {
  u64 old = 0;
  bool changed = false;
};

Seen step_of_lane(const AtomicUse& use, size_t element, std::byte* place, Warp& warp, size_t lane) {
  const size_t bytes = use.access.element_bytes;
  u64 old = 0;
  std::memcpy(&old, place, bytes);
  const u64 next = step({use.operation, use.type, use.access.space != Space::shared}, old,
                        operand(warp, use.operands[element], lane, bytes),
                        operand(warp, use.comparand, lane, bytes));
  std::memcpy(place, &next, bytes);
  if (use.results[element] != kNoSlot)
    std::memcpy(warp.at(use.results[element]) + lane * bytes, &old, bytes);
  return {old, std::memcmp(&next, &old, bytes) != 0};
}

/// Sixteen bytes, which are exchanged, or compared and exchanged.
Seen exchange_of_lane(const AtomicUse& use, std::byte* place, Warp& warp, size_t lane) {
  using Wide = std::array<u64, 2>;
  const auto held = [&](Slot slot) {
    Wide value{};
    std::memcpy(&value, warp.at(slot) + lane * sizeof(Wide), sizeof(Wide));
    return value;
  };
  Wide old{};
  std::memcpy(&old, place, sizeof(Wide));
  const bool is_taken = use.operation == AtomicOperation::exch || old == held(use.comparand);
  const Wide next = is_taken ? held(use.operands[0]) : old;
  std::memcpy(place, &next, sizeof(Wide));
  if (use.results[0] != kNoSlot)
    std::memcpy(warp.at(use.results[0]) + lane * sizeof(Wide), &old, sizeof(Wide));
  return {old[0] * 31 + old[1], next != old};
}

/// An atomic must not compute with what was never written, and neither the old value
/// nor what it leaves has one then. An exchange computes nothing: what it leaves was given.
bool leaves_unset(Warp& warp, const AtomicUse& use, const Resolved& where, size_t lane) {
  const int bytes = use.access.element_bytes;
  const int total = bytes * use.access.count;
  Resolved own = where;
  own.ok = 1U << lane;
  const std::string text =
      base::format("atomic on {} bytes of {} memory that were never all written", total,
                   space_name(use.access.space));
  bool is_unset = false;
  for (int i = 0; i < use.access.count; ++i) {
    const std::uint32_t found = undefined_lanes(warp, own, {i * bytes, bytes, 0xFFFF});
    is_unset |= found != 0;
    const Slot result = use.results[static_cast<size_t>(i)];
    if (result != kNoSlot) warp.watch.poison(warp, result, {found, kWholeLane}, text);
  }
  if (!is_unset || use.operation == AtomicOperation::exch) return false;
  warp.block->find("M3", warp, static_cast<int>(lane), [&] { return text; });
  return true;
}

}  // namespace

int atomic_bytes(Type type) {
  switch (type) {
    case Type::f16:
    case Type::bf16:
    case Type::b16:
      return 2;
    case Type::u64:
    case Type::s64:
    case Type::f64:
      return 8;
    default:
      return 4;
  }
}
std::uint64_t reduced_value(AtomicOperation operation, Type type, std::uint64_t old,
                            std::uint64_t operand) {
  return step({operation, type, false}, old, operand, 0);
}

void run_atomic(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const AtomicUse& use = warp.block->program.use_of<AtomicUse>(instruction);
  const size_t bytes = use.access.element_bytes;
  const int total = static_cast<int>(bytes) * use.access.count;
  Resolved where;
  resolve(warp, use.access, total, mask, AccessKind::atomic, where);
  if (RaceDetector* races = warp.block->races.get()) {
    (void)races->observe(warp, use.access, where);
    races->publish(warp, use.access, where, false);
  }
  const bool is_set = !where.tracks_defined || is_all_written(where, total);
  u64 seen = where.ok;
  bool changed = false;
  for (const size_t lane : lanes_of(where.ok)) {
    const bool stays_unset = !is_set && leaves_unset(warp, use, where, lane);
    for (size_t i = 0; i < use.access.count; ++i) {
      std::byte* const place = where.data[lane] + i * bytes;
      const Seen one = bytes == 2 * sizeof(u64) ? exchange_of_lane(use, place, warp, lane)
                                                : step_of_lane(use, i, place, warp, lane);
      changed |= one.changed;
      seen = seen * 0x9E3779B97F4A7C15ULL + one.old;
    }
    if (where.tracks_defined && where.defined[lane] != nullptr && !stays_unset)
      std::memset(where.defined[lane], 1, static_cast<size_t>(total));
  }
  if (changed) {
    ++warp.effects;
    warp.found_nothing_new = false;
  } else {
    note_poll(warp, instruction, seen);
  }
}

}  // namespace jute::emulator
