// tensormap.replace and tensormap.cp_fenceproxy: tensor maps that kernels make themselves. Both are
// stores into the emulator's own map, seen by the checks like any other.
#include "base/format.hpp"
#include "emulator/async/tensor_map.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/run/collectives.hpp"
#include "emulator/run/memory_access.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace jute::emulator {
namespace {

/// How the new value is given, and what is stored for it.
enum class NewValue : std::uint8_t {
  plain,       ///< a register or number, as it is
  plus_one,    ///< a rank, which counts from zero
  minus_one,   ///< an extent
  enumerated,  ///< a number below a bound
};
struct MapField {
  std::string_view name;
  NewValue value;
  int bytes;
  size_t offset;
  int count;  ///< dimensions that an ordinal chooses from; 1: no ordinal is given
  int bound;  ///< of an enumerated value
};
// Source: PTX ISA, tensormap.replace: fields, their types and the numbers of enumerated ones.
// clang-format off
constexpr std::array kFields{
    MapField{".global_address",    NewValue::plain,      8, offsetof(TensorMap, base),          1, 0},
    MapField{".rank",              NewValue::plus_one,   4, offsetof(TensorMap, rank),          1, 0},
    MapField{".box_dim",           NewValue::plain,      4, offsetof(TensorMap, box),           5, 0},
    MapField{".global_dim",        NewValue::minus_one,  4, offsetof(TensorMap, last),          5, 0},
    MapField{".global_stride",     NewValue::plain,      8, offsetof(TensorMap, strides),       4, 0},
    MapField{".element_stride",    NewValue::plain,      4, offsetof(TensorMap, steps),         5, 0},
    MapField{".elemtype",          NewValue::enumerated, 1, offsetof(TensorMap, type),          1, kMapElements},
    MapField{".swizzle_mode",      NewValue::enumerated, 1, offsetof(TensorMap, swizzle),       1, 4},
    MapField{".fill_mode",         NewValue::enumerated, 1, offsetof(TensorMap, out_of_bounds), 1, 2},
    // Only what is no layout of its own: neither is kept.
    MapField{".interleave_layout", NewValue::enumerated, 0, 0,                                  1, 1},
    MapField{".swizzle_atomicity", NewValue::enumerated, 0, 0,                                  1, 1},
};
// clang-format on

const MapField& field_of(const Opcode& opcode) {
  return *std::ranges::find_if(kFields,
                               [&](const MapField& field) { return opcode.has(field.name); });
}

void store(Decoder& decoder, MemoryAccess access, size_t offset, int bytes, Slot value) {
  access.offset += static_cast<Index>(offset);
  access.element_bytes = static_cast<std::uint8_t>(bytes);
  access.register_bytes = static_cast<std::uint8_t>(bytes == 8 ? 8 : 4);
  access.data[0] = value;
  decoder.emit_use(&store_memory, access);
}

/// The ordinal of a field that each dimension has; 0 of the others.
size_t ordinal_of(Decoder& decoder, const MapField& field) {
  if (field.count == 1) return 0;
  const std::int64_t ordinal = decoder.integer(decoder.operand(1));
  if (ordinal < 0 || ordinal >= field.count)
    decoder.refuse(decoder.operand(1),
                   base::format("the ordinal must lie in 0..{}", field.count - 1));
  return static_cast<size_t>(ordinal);
}

Slot enumerated(Decoder& decoder, const PtxOperand& operand, const MapField& field) {
  const std::int64_t value = decoder.integer(operand);
  if (value < 0 || value >= field.bound)
    decoder.refuse(operand, base::format("the emulator needs {} from 0 to {}", field.name.substr(1),
                                         field.bound - 1));
  return decoder.constant(static_cast<std::uint64_t>(value), 4);
}

Slot moved_by(Decoder& decoder, const PtxOperand& operand, std::uint64_t difference) {
  const Slot given = decoder.source(operand, RegisterClass::b32);
  return decoder.read_temporary(decoder.emit_temporary("add.s32", RegisterClass::b32,
                                                       {given, decoder.constant(difference, 4)}));
}

Slot new_value(Decoder& decoder, const PtxOperand& operand, const MapField& field) {
  switch (field.value) {
    case NewValue::enumerated:
      return enumerated(decoder, operand, field);
    case NewValue::plus_one:
      return moved_by(decoder, operand, 1);
    case NewValue::minus_one:
      return moved_by(decoder, operand, ~std::uint64_t{0});
    default:
      return decoder.source(operand, field.bytes == 8 ? RegisterClass::b64 : RegisterClass::b32);
  }
}

}  // namespace

// `[map], {ordinal,} value`
void decode_replace(Decoder& decoder, Opcode& opcode) {
  const MapField& field = field_of(opcode);
  MemoryAccess map;
  map.space = opcode.take(".global")        ? Space::global
              : opcode.take(".shared::cta") ? Space::shared
                                            : Space::generic;
  const size_t operands = field.count == 1 ? 2 : 3;
  decoder.require_operands({operands, operands});
  const size_t ordinal = ordinal_of(decoder, field);
  const Slot value = new_value(decoder, decoder.operand(operands - 1), field);
  decoder.address(decoder.operand(0), map);
  store(decoder, map, offsetof(TensorMap, magic), 8, decoder.constant(kReplacedMap, 8));
  if (field.bytes > 0)
    store(decoder, map, field.offset + ordinal * static_cast<size_t>(field.bytes), field.bytes,
          value);
}

namespace {

/// The access' address as a 64-bit register plus `offset`, in 64 bits.
MemoryAccess moved_access(Decoder& decoder, const MemoryAccess& access, Slot offset) {
  MemoryAccess moved = access;
  const bool is_wide = access.base_is_64;
  moved.base = access.base == kNoSlot
                   ? offset
                   : decoder.read_temporary(decoder.emit_temporary(
                         is_wide ? "add.s64" : "add.s32",
                         is_wide ? RegisterClass::b64 : RegisterClass::b32, {access.base, offset}));
  return moved;
}

}  // namespace

// `[to], [from], 128`, by a whole warp: four bytes a lane, then the release; nobody goes on before.
void decode_copy_of_map(Decoder& decoder, Opcode& opcode) {
  const Scope scope = take_scope(opcode).value_or(Scope::gpu);
  if (decoder.integer(decoder.operand(2)) != kMapBytes)
    decoder.refuse(decoder.operand(2), "a tensor map must have 128 bytes");
  MemoryAccess to, from;
  to.space = Space::global;
  from.space = Space::shared;
  decoder.address(decoder.operand(0), to);
  decoder.address(decoder.operand(1), from);
  const int narrow = decoder.emit_temporary(
      "shl.b32", RegisterClass::b32,
      {decoder.preset({find_preset("%laneid"), RegisterClass::b32}), decoder.constant(2, 4)});
  const int wide =
      decoder.emit_temporary("cvt.u64.u32", RegisterClass::b64, {decoder.read_temporary(narrow)});
  const auto at_lane = [&](const MemoryAccess& access) {
    return moved_access(decoder, access, decoder.read_temporary(access.base_is_64 ? wide : narrow));
  };
  MemoryAccess source = at_lane(from);
  const int word = decoder.make_temporary(RegisterClass::b32);
  source.data[0] = decoder.write_temporary(word);
  decoder.emit_use(&load_memory, source);
  store(decoder, at_lane(to), 0, 4, decoder.read_temporary(word));
  decoder.emit(&run_map_fence).bits = static_cast<std::uint64_t>(scope);
  Instruction& met = decoder.emit(&run_meet);
  met.src[3] = decoder.constant(kAllLanes, 4);
  met.flow = Flow::collective;
}

}  // namespace jute::emulator
