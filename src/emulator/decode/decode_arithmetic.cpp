// Comparisons with more than one result or operator, and arithmetic that reads or writes the carry
// flag.
#include "emulator/decode/families.hpp"

#include <string>

#include "base/format.hpp"

namespace jute::emulator {

namespace {

OperandType compared_type(Decoder& decoder, ElementType type) {
  if (type.bytes == 0) decoder.refuse("a comparison must name the type of its operands");
  return {type.bytes == 2   ? RegisterClass::b16
          : type.bytes == 4 ? RegisterClass::b32
                            : RegisterClass::b64,
          type.kind != 'f'  ? ImmediateKind::integer
          : type.bytes == 4 ? ImmediateKind::f32
          : type.bytes == 8 ? ImmediateKind::f64
                            : ImmediateKind::integer};
}

struct Comparison {
  std::string row;      ///< the plain setp of the same operator and type
  std::string combine;  ///< `and`, `or`, `xor` with a predicate, or nothing
  OperandType type;
};
/// Takes operator, .ftz and what combines from `setp.lt.and.ftz.f32`; the last suffix is the type.
Comparison take_comparison(Decoder& decoder, Opcode& opcode) {
  Comparison result;
  if (opcode.rest().size() < 2) decoder.refuse("a comparison must have an operator and a type");
  const std::string operation(opcode.rest().front());
  (void)opcode.take(operation);
  const std::string suffix(opcode.rest().back());
  ElementType type;
  if (!find_element_type(suffix, type)) decoder.refuse("a comparison must end with a type");
  (void)opcode.take(suffix);
  const std::string_view combine = opcode.take_one_of({".and", ".or", ".xor"});
  if (!combine.empty()) result.combine = combine.substr(1);
  const bool flushes = opcode.take(".ftz");
  result.type = compared_type(decoder, type);
  result.row = base::format("setp{}{}{}", operation, flushes ? ".ftz" : "", suffix);
  return result;
}

/// Emits the comparison into a temporary predicate.
int emit_comparison(Decoder& decoder, const Comparison& comparison) {
  const Slot a = decoder.source(decoder.operand(1), comparison.type);
  const Slot b = decoder.source(decoder.operand(2), comparison.type);
  const int result = decoder.make_temporary(RegisterClass::pred);
  decoder.emit_row(comparison.row, decoder.write_temporary(result), {a, b});
  return result;
}
int emit_not(Decoder& decoder, int predicate) {
  const int result = decoder.make_temporary(RegisterClass::pred);
  const Slot from = decoder.read_temporary(predicate);
  decoder.emit_row("not.pred", decoder.write_temporary(result), {from});
  return result;
}
int emit_combined(Decoder& decoder, const Comparison& comparison, int predicate, Slot with) {
  if (comparison.combine.empty()) return predicate;
  const int result = decoder.make_temporary(RegisterClass::pred);
  const Slot from = decoder.read_temporary(predicate);
  decoder.emit_row(comparison.combine + ".pred", decoder.write_temporary(result), {from, with});
  return result;
}

}  // namespace

// Plain setp is a row of the table; here come `p|q` and a comparison combined with a predicate.
void decode_setp(Decoder& decoder, Opcode& opcode) {
  const Comparison comparison = take_comparison(decoder, opcode);
  decoder.finish(opcode);
  const Slot with = comparison.combine.empty()
                        ? kNoSlot
                        : decoder.source(decoder.operand(3), RegisterClass::pred);
  const int compared = emit_comparison(decoder, comparison);
  const int first = emit_combined(decoder, comparison, compared, with);
  const PtxOperand& target = decoder.operand(0);
  const bool is_pair = target.kind == OperandKind::pair;
  if (is_pair) {
    const int second = emit_combined(decoder, comparison, emit_not(decoder, compared), with);
    const Slot value = decoder.read_temporary(second);
    decoder.emit_row("mov.pred", decoder.target(target.items[1], RegisterClass::pred), {value});
  }
  const Slot value = decoder.read_temporary(first);
  const PtxOperand& to = is_pair ? target.items[0] : target;
  decoder.emit_row("mov.pred", decoder.target(to, RegisterClass::pred), {value});
}

// set.op.dtype.stype: all ones, or 1.0, where the comparison holds.
void decode_set(Decoder& decoder, Opcode& opcode) {
  // The result's type stands before the operands' type, which may be the same word.
  const std::string_view result_type = opcode.take_second_last();
  const bool is_float = result_type == ".f32";
  const Comparison comparison = take_comparison(decoder, opcode);
  decoder.finish(opcode);
  const Slot with = comparison.combine.empty()
                        ? kNoSlot
                        : decoder.source(decoder.operand(3), RegisterClass::pred);
  const int result = emit_combined(decoder, comparison, emit_comparison(decoder, comparison), with);
  const Slot value = decoder.read_temporary(result);
  const Slot yes = decoder.constant(is_float ? 0x3F800000U : 0xFFFFFFFFU, 4);
  decoder.emit_row("selp.b32", decoder.target(decoder.operand(0), RegisterClass::b32),
                   {yes, decoder.constant(0, 4), value});
}

// slct.dtype.{s32,f32} d, a, b, c: a where c >= 0.
void decode_slct(Decoder& decoder, Opcode& opcode) {
  const bool flushes = opcode.take(".ftz");
  const auto type = opcode.take_type();
  const auto selector = opcode.take_type();
  decoder.finish(opcode);
  const bool is_float = selector->kind == 'f';
  const OperandType kind = compared_type(decoder, *type);
  const Slot a = decoder.source(decoder.operand(1), kind);
  const Slot b = decoder.source(decoder.operand(2), kind);
  const Slot c = decoder.source(decoder.operand(3), compared_type(decoder, *selector));
  const int sign = decoder.make_temporary(RegisterClass::pred);
  decoder.emit_row(is_float ? (flushes ? "setp.ge.ftz.f32" : "setp.ge.f32") : "setp.ge.s32",
                   decoder.write_temporary(sign), {c, decoder.constant(0, 4)});
  const Slot value = decoder.read_temporary(sign);
  const Slot to = decoder.target(decoder.operand(0), kind.kind);
  decoder.emit_row(base::format("selp.b{}", 8 * type->bytes), to, {a, b, value});
}

// add.cc, addc{.cc}, sub.cc, subc{.cc}, mad{c}.{lo,hi}{.cc}: the carry is a hidden predicate.
void decode_carry(Decoder& decoder, Opcode& opcode) {
  const std::string head(opcode.head());
  const bool reads = head.back() == 'c';
  const bool writes = opcode.take(".cc");
  const std::string_view part = opcode.take_one_of({".lo", ".hi"});
  const bool multiplies = head.starts_with("mad");
  const auto type = opcode.take_type();
  const RegisterClass kind = type->bytes == 4 ? RegisterClass::b32 : RegisterClass::b64;
  const std::string suffix = base::format("{}{}", type->kind == 's' ? 's' : 'u', 8 * type->bytes);
  const std::string base = head.starts_with("sub") ? "subc" : "addc";
  Slot a = decoder.source(decoder.operand(1), kind);
  Slot b = decoder.source(decoder.operand(2), kind);
  if (multiplies) {
    const int product = decoder.make_temporary(kind);
    decoder.emit_row(base::format("mul{}.{}", part, suffix), decoder.write_temporary(product),
                     {a, b});
    a = decoder.read_temporary(product);
    b = decoder.source(decoder.operand(3), kind);
  }
  const int flag = decoder.hidden_predicate();
  const Slot in = reads ? decoder.read_temporary(flag) : decoder.constant_predicate(false);
  const int carry = decoder.make_temporary(RegisterClass::pred);
  if (writes)
    decoder.emit_row(base::format("$carry.{}.{}", base, suffix), decoder.write_temporary(carry),
                     {a, b, in});
  const Slot target = decoder.target(decoder.operand(0), kind);
  decoder.emit_row(base::format("${}.{}", base, suffix), target, {a, b, in});
  if (!writes) return;
  const Slot out = decoder.read_temporary(carry);
  decoder.emit_row("mov.pred", decoder.write_temporary(flag), {out});
}

}  // namespace jute::emulator
