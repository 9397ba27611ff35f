// mov with its vectors, symbols and clocks; cvta and isspacep; cvt between registers of any width.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/ptx/token_stream.hpp"
#include "emulator/run/collectives.hpp"
#include "emulator/run/global_memory.hpp"

#include <array>
#include <bit>
#include <string>

namespace jute::emulator {
namespace {

// mov.b64 {%r1, %r2}, %rd1: element 0 takes the low bits.
void unpack(Decoder& decoder, const PtxOperand& parts, ElementType type) {
  const size_t count = parts.items.size();
  const int part_bytes = type.bytes / static_cast<int>(count == 0 ? 1 : count);
  const Slot from = decoder.source(decoder.operand(1), operand_type(type));
  const bool bytes = count == 2 && type.bytes == 2;
  const bool halves = count == 2 && type.bytes >= 4;
  const bool quarters = count == 4 && (type.bytes == 8 || type.bytes == 4);
  if (!bytes && !halves && !quarters)
    decoder.refuse(parts, "a register must split into 2 or 4 equal parts");
  const RegisterClass kind = class_of_bytes(part_bytes);
  // Through temporaries: a part may be written over the source.
  std::array<int, 4> temporaries{};
  for (size_t i = 0; i < count; ++i) {
    temporaries[i] =
        halves ? decoder.emit_temporary(base::format("{}.{}.b{}", i == 0 ? "$low" : "$high",
                                                     bits_name(kind), 8 * type.bytes),
                                        kind, {from})
               : decoder.emit_temporary(type.bytes == 8   ? "$word.b16.b64"
                                        : type.bytes == 4 ? "$byte.b16.b32"
                                                          : "$byte.b16.b16",
                                        kind, {from, decoder.constant(i, 4)});
  }
  for (size_t i = 0; i < count; ++i) {
    if (parts.items[i].kind == OperandKind::sink) continue;
    const Slot value = decoder.read_temporary(temporaries[i]);
    const Slot to = decoder.target(parts.items[i], kind);
    decoder.emit_row(base::format("mov.{}", bits_name(kind)), to, {value});
  }
}

void pack(Decoder& decoder, const PtxOperand& parts, ElementType type) {
  const size_t count = parts.items.size();
  const bool halves = count == 2 && type.bytes >= 2;
  const bool quarters = count == 4 && (type.bytes == 8 || type.bytes == 4);
  if (!halves && !quarters) decoder.refuse(parts, "a register must be made of 2 or 4 equal parts");
  const RegisterClass kind = class_of_bytes(type.bytes / static_cast<int>(count));
  std::vector<Slot> sources;
  for (const PtxOperand& part : parts.items) sources.push_back(decoder.source(part, kind));
  const Slot to = decoder.target(decoder.operand(0), operand_type(type).kind);
  if (halves) {
    decoder.emit_row(base::format("$join.b{}.b{}", 8 * type.bytes, 4 * type.bytes), to,
                     std::move(sources));
  } else {
    decoder.emit_row(type.bytes == 8 ? "$join4.b64.b16" : "$join4.b32.b8", to, std::move(sources));
  }
}

bool move_clock(Decoder& decoder, const PtxOperand& from, ElementType type) {
  const bool is_clock =
      from.kind == OperandKind::special &&
      (from.name == "%clock" || from.name == "%clock64" || from.name == "%clock_hi" ||
       from.name == "%globaltimer" || from.name == "%globaltimer_lo");
  if (!is_clock) return false;
  const Slot to = decoder.target(decoder.operand(0), operand_type(type).kind);
  Instruction& made = decoder.emit(&run_clock);
  made.dst = to;
  made.bits = static_cast<std::uint64_t>(type.bytes);
  return true;
}

}  // namespace

// `%r1+4` where a number stands: the sum.
Slot Decoder::displaced(const PtxOperand& operand, RegisterClass kind) {
  if (kind != RegisterClass::b32 && kind != RegisterClass::b64)
    refuse(operand, "a sum needs a register of 32 or 64 bits");
  const Slot from = slot_of(operand.index, false);
  return read_temporary(emit_temporary(
      kind == RegisterClass::b32 ? "add.u32" : "add.u64", kind,
      {from, constant(static_cast<std::uint64_t>(operand.offset), lane_bytes(kind))}));
}

Slot Decoder::low_half(Slot word) {
  return read_temporary(emit_temporary("$low.b16.b32", RegisterClass::b16, {word}));
}

void decode_mov(Decoder& decoder, Opcode& opcode) {
  const auto type = opcode.take_type();
  decoder.finish(opcode);
  const PtxOperand& to = decoder.operand(0);
  const PtxOperand& from = decoder.operand(1);
  if (to.kind == OperandKind::vector) return unpack(decoder, to, *type);
  if (from.kind == OperandKind::vector) return pack(decoder, from, *type);
  if (move_clock(decoder, from, *type)) return;
  const OperandType kind = operand_type(*type);
  if (from.kind == OperandKind::label)
    decoder.refuse(from, "it must not be the address of a label");
  const Slot source = decoder.source(from, kind);
  const Slot target = decoder.target(to, kind.kind);
  decoder.emit_row(base::format("mov.{}", bits_name(kind.kind)), target, {source});
}

void decode_cvta(Decoder& decoder, Opcode& opcode) {
  const bool to_space = opcode.take(".to");
  const std::string_view space = opcode.take_one_of(
      {".global", ".shared", ".shared::cta", ".shared::cluster", ".local", ".const", ".param"});
  if (space.empty()) decoder.refuse("cvta must name a state space");
  const auto type = opcode.take_type();
  decoder.finish(opcode);
  if (!type || (type->bytes != 8 && type->bytes != 4)) decoder.refuse("cvta must convert .u64");
  if (type->bytes == 4) decoder.refuse("generic addresses must have 64 bits");
  const Space named =
      space.starts_with(".shared") ? Space::shared : find_space(space).value_or(Space::global);
  const std::uint64_t window = window_of(named);
  const Slot source = decoder.source(decoder.operand(1), RegisterClass::b64);
  const Slot target = decoder.target(decoder.operand(0), RegisterClass::b64);
  decoder.emit_row(to_space ? "sub.u64" : "add.u64", target, {source, decoder.constant(window, 8)});
}

void decode_isspacep(Decoder& decoder, Opcode& opcode) {
  const std::string_view space =
      opcode.take_one_of({".global", ".shared::cta", ".shared::cluster", ".shared", ".local",
                          ".const", ".param", ".param::entry"});
  decoder.finish(opcode);
  const Slot source = decoder.source(decoder.operand(1), RegisterClass::b64);
  if (space == ".global") {
    const Slot target = decoder.target(decoder.operand(0), RegisterClass::pred);
    decoder.emit_row("setp.ge.u64", target, {source, decoder.constant(kGlobalWindow, 8)});
    return;
  }
  // Constant variables live among the global ones: no address is theirs.
  std::uint64_t window = ~std::uint64_t{0};
  if (space == ".shared::cluster") window = kSharedWindow / kWindowBytes;
  if (space == ".local") window = kLocalWindow / kWindowBytes;
  if (space.starts_with(".param")) window = kParamWindow / kWindowBytes;
  if (space == ".shared" || space == ".shared::cta") {
    const Slot own = decoder.shared_address(kSharedWindow, RegisterClass::b64);
    const int bits = decoder.emit_temporary("and.b64", RegisterClass::b64,
                                            {source, decoder.constant(~kSharedOffsetMask, 8)});
    const Slot begin = decoder.read_temporary(bits);
    const Slot target = decoder.target(decoder.operand(0), RegisterClass::pred);
    decoder.emit_row("setp.eq.b64", target, {begin, own});
    return;
  }
  constexpr int kWindowBits = std::countr_zero(kWindowBytes);
  const int bits = decoder.emit_temporary("shr.u64", RegisterClass::b64,
                                          {source, decoder.constant(kWindowBits, 4)});
  const Slot high = decoder.read_temporary(bits);
  const Slot target = decoder.target(decoder.operand(0), RegisterClass::pred);
  decoder.emit_row("setp.eq.b64", target, {high, decoder.constant(window, 8)});
}

namespace {

/// The type of the register that carries a cvt's operand, by its type suffix.
struct CarriedType {
  RegisterClass natural = RegisterClass::b32;
  char kind = 'b';
};
CarriedType carried_type(const Decoder& decoder, std::string_view suffix) {
  ElementType type;
  if (find_element_type(suffix, type)) return {class_of_bytes(type.bytes), type.kind};
  if (suffix == ".tf32") return {RegisterClass::b32, 'b'};
  if (suffix == ".e4m3x2" || suffix == ".e5m2x2") return {RegisterClass::b16, 'b'};
  decoder.refuse(base::format("{} must be a type that the emulator knows", suffix));
}

}  // namespace

void decode_cvt(Decoder& decoder, Opcode& opcode) {
  if (opcode.rest().size() < 2) decoder.refuse("cvt must have two types");
  const std::string_view to_suffix = opcode.rest()[opcode.rest().size() - 2];
  const std::string_view from_suffix = opcode.rest().back();
  const CarriedType to = carried_type(decoder, to_suffix);
  const CarriedType from = carried_type(decoder, from_suffix);
  // .satfinite changes nothing where the largest finite value cannot be passed.
  std::string name(opcode.text());
  const bool packs = to_suffix == ".f16x2" || to_suffix == ".bf16x2" || from_suffix == ".f32";
  const size_t sources = decoder.operand_count() - 1;
  if (sources < 1 || sources > 2 || (sources == 2 && !packs))
    decoder.refuse("cvt must have one source");
  std::vector<Slot> slots;
  for (size_t i = 1; i <= sources; ++i) {
    const PtxOperand& operand = decoder.operand(i);
    const auto wide = decoder.register_class(operand);
    const OperandType type{from.natural, from.kind == 'f' && from.natural == RegisterClass::b64};
    if (wide && *wide != from.natural && lane_bytes(*wide) > lane_bytes(from.natural)) {
      const Slot source = decoder.source(operand, *wide);
      slots.push_back(decoder.read_temporary(decoder.emit_temporary(
          base::format("$low.{}.{}", bits_name(from.natural), bits_name(*wide)), from.natural,
          {source})));
    } else {
      slots.push_back(decoder.source(operand, type));
    }
  }
  const auto wide = decoder.register_class(decoder.operand(0));
  if (!wide || *wide == to.natural || lane_bytes(*wide) < lane_bytes(to.natural)) {
    const Slot target = decoder.target(decoder.operand(0), to.natural);
    decoder.emit_row(name, target, std::move(slots));
    return;
  }
  const Slot value =
      decoder.read_temporary(decoder.emit_temporary(name, to.natural, std::move(slots)));
  const Slot target = decoder.target(decoder.operand(0), *wide);
  decoder.emit_row(base::format("$widen.{}.{}.{}", to.kind == 's' ? 's' : 'u', bits_name(*wide),
                                bits_name(to.natural)),
                   target, {value});
}

}  // namespace jute::emulator
