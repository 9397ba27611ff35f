// Comparisons with more than one result or operator, and arithmetic that reads or writes the carry
// flag.
#include "emulator/decode/families.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/format.hpp"

namespace jute::emulator {

namespace {

OperandType compared_type(Decoder& decoder, ElementType type) {
  if (type.bytes == 0) decoder.refuse("a comparison must name the type of its operands");
  return operand_type(type);
}

struct Comparison {
  std::string row;         ///< the plain setp of the same operator and type
  std::string combine;     ///< `and`, `or`, `xor` with a predicate, or nothing
  OperandType type;        ///< of one value
  bool is_packed = false;  ///< two halves of a register, compared one by one
};
/// Takes operator, .ftz, what combines and the type from `setp.lt.and.ftz.f32`.
Comparison take_comparison(Decoder& decoder, Opcode& opcode) {
  Comparison result;
  const std::string_view operation =
      opcode.take_one_of({".eq", ".ne", ".lt", ".le", ".gt", ".ge", ".lo", ".ls", ".hi", ".hs",
                          ".equ", ".neu", ".ltu", ".leu", ".gtu", ".geu", ".num", ".nan"});
  const std::string_view combine = opcode.take_one_of({".and", ".or", ".xor"});
  if (!combine.empty()) result.combine = combine.substr(1);
  const bool flushes = opcode.take(".ftz");
  std::string suffix(opcode.rest().empty() ? std::string_view() : opcode.rest().front());
  const auto type = opcode.take_type();
  if (!type) decoder.refuse("a comparison must name the type of its operands");
  result.is_packed = suffix.ends_with("x2");
  if (result.is_packed) suffix.resize(suffix.size() - 2);
  result.type = compared_type(decoder, result.is_packed ? ElementType{2, 'f'} : *type);
  result.row = base::format("setp{}{}{}", operation, flushes ? ".ftz" : "", suffix);
  return result;
}

/// Half of each lane of a 32-bit slot.
int emit_half(Decoder& decoder, Slot pair, bool is_high) {
  return decoder.emit_temporary(is_high ? "$high.b16.b32" : "$low.b16.b32", RegisterClass::b16,
                                {pair});
}

/// Emits the comparison into a temporary predicate; of packed values that of one half.
int emit_comparison(Decoder& decoder, const Comparison& comparison, bool of_high = false) {
  const OperandType type = comparison.is_packed ? OperandType{RegisterClass::b32} : comparison.type;
  Slot a = decoder.source(decoder.operand(1), type);
  Slot b = decoder.source(decoder.operand(2), type);
  if (comparison.is_packed) {
    const int a_half = emit_half(decoder, a, of_high), b_half = emit_half(decoder, b, of_high);
    a = decoder.read_temporary(a_half);
    b = decoder.read_temporary(b_half);
  }
  return decoder.emit_temporary(comparison.row, RegisterClass::pred, {a, b});
}
int emit_not(Decoder& decoder, int predicate) {
  return decoder.emit_temporary("not.pred", RegisterClass::pred,
                                {decoder.read_temporary(predicate)});
}
int emit_combined(Decoder& decoder, const Comparison& comparison, int predicate, Slot with) {
  if (comparison.combine.empty()) return predicate;
  return decoder.emit_temporary(comparison.combine + ".pred", RegisterClass::pred,
                                {decoder.read_temporary(predicate), with});
}

}  // namespace

// Plain setp is a row of the table; here come `p|q`, a comparison combined with a predicate, and
// two halves, of which q has the high one.
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
  if (comparison.is_packed && !is_pair) decoder.refuse(target, "two halves must give p|q");
  if (is_pair) {
    const int other = comparison.is_packed ? emit_comparison(decoder, comparison, true)
                                           : emit_not(decoder, compared);
    const int second = emit_combined(decoder, comparison, other, with);
    const Slot value = decoder.read_temporary(second);
    decoder.emit_row("mov.pred", decoder.target(target.items[1], RegisterClass::pred), {value});
  }
  const Slot value = decoder.read_temporary(first);
  const PtxOperand& to = is_pair ? target.items[0] : target;
  decoder.emit_row("mov.pred", decoder.target(to, RegisterClass::pred), {value});
}

namespace {

/// The result of a set whose comparison holds: 1.0 of a float, all ones of an integer. Two halves
/// have a value each.
struct Truth {
  std::string_view type;
  int bytes;
  std::uint64_t bits;
};
constexpr std::array kTruths{
    Truth{".f32", 4, 0x3F800000}, Truth{".u32", 4, 0xFFFFFFFF}, Truth{".s32", 4, 0xFFFFFFFF},
    Truth{".f16", 2, 0x3C00},     Truth{".bf16", 2, 0x3F80},    Truth{".u16", 2, 0xFFFF},
    Truth{".s16", 2, 0xFFFF},     Truth{".f16x2", 4, 0x3C00},   Truth{".bf16x2", 4, 0x3F80},
};

/// The value of one comparison, as a temporary of its size.
int emit_truth(Decoder& decoder, const Comparison& comparison, Slot with, const Truth& truth,
               bool of_high) {
  const int holds =
      emit_combined(decoder, comparison, emit_comparison(decoder, comparison, of_high), with);
  const int bytes = comparison.is_packed ? 2 : truth.bytes;
  return decoder.emit_temporary(bytes == 2 ? "selp.b16" : "selp.b32", class_of_bytes(bytes),
                                {decoder.constant(truth.bits, bytes), decoder.constant(0, bytes),
                                 decoder.read_temporary(holds)});
}

}  // namespace

// set.op.dtype.stype
void decode_set(Decoder& decoder, Opcode& opcode) {
  // The result's type stands before the operands' type, which may be the same word.
  const Truth* truth = nullptr;
  for (const std::string_view suffix : opcode.rest())
    for (const Truth& known : kTruths)
      if (truth == nullptr && known.type == suffix) truth = &known;
  if (truth == nullptr || !opcode.take(truth->type))
    decoder.refuse("set must name the type of its result");
  const Comparison comparison = take_comparison(decoder, opcode);
  decoder.finish(opcode);
  const Slot with = comparison.combine.empty()
                        ? kNoSlot
                        : decoder.source(decoder.operand(3), RegisterClass::pred);
  const int low = emit_truth(decoder, comparison, with, *truth, false);
  if (!comparison.is_packed) {
    const Slot value = decoder.read_temporary(low);
    decoder.emit_row(truth->bytes == 2 ? "mov.b16" : "mov.b32",
                     decoder.target(decoder.operand(0), class_of_bytes(truth->bytes)), {value});
    return;
  }
  const int high = emit_truth(decoder, comparison, with, *truth, true);
  const Slot low_value = decoder.read_temporary(low), high_value = decoder.read_temporary(high);
  decoder.emit_row("$join.b32.b16", decoder.target(decoder.operand(0), RegisterClass::b32),
                   {low_value, high_value});
}

// lop3.{and,or} d|p, a, b, c, table, q: p tells whether d is not 0, combined with q.
void decode_lop3(Decoder& decoder, Opcode& opcode) {
  const std::string_view combine = opcode.take_one_of({".and", ".or"});
  std::vector<Slot> sources;
  for (size_t i = 1; i <= 4; ++i)
    sources.push_back(decoder.source(decoder.operand(i), RegisterClass::b32));
  const Slot with = decoder.source(decoder.operand(5), RegisterClass::pred);
  const PtxOperand& target = decoder.operand(0);
  if (target.kind != OperandKind::pair)
    decoder.refuse(target, "lop3 with a predicate must give d|p");
  const int result = decoder.emit_temporary("lop3.b32", RegisterClass::b32, std::move(sources));
  const int is_set = decoder.emit_temporary(
      "setp.ne.b32", RegisterClass::pred, {decoder.read_temporary(result), decoder.constant(0, 4)});
  const Slot holds = decoder.read_temporary(is_set);
  decoder.emit_row(base::format("{}.pred", combine.substr(1)),
                   decoder.target(target.items[1], RegisterClass::pred), {holds, with});
  const Slot value = decoder.read_temporary(result);
  decoder.emit_row("mov.b32", decoder.target(target.items[0], RegisterClass::b32), {value});
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
  const int sign = decoder.emit_temporary(
      is_float ? (flushes ? "setp.ge.ftz.f32" : "setp.ge.f32") : "setp.ge.s32", RegisterClass::pred,
      {c, decoder.constant(0, 4)});
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
  const bool subtracts = head.starts_with("sub");
  const std::string base = subtracts ? "subc" : "addc";
  Slot a = decoder.source(decoder.operand(1), kind);
  Slot b = decoder.source(decoder.operand(2), kind);
  if (multiplies) {
    a = decoder.read_temporary(
        decoder.emit_temporary(base::format("mul{}.{}", part, suffix), kind, {a, b}));
    b = decoder.source(decoder.operand(3), kind);
  }
  const int flag = decoder.hidden_predicate();
  const Slot in = reads ? decoder.read_temporary(flag) : decoder.constant_predicate(subtracts);
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
