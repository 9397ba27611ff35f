// Warp-wide instructions: their member mask is source 3, a second result is Instruction::extra.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/run/collectives.hpp"

namespace jute::emulator {
namespace {

struct Targets {
  Slot value = kNoSlot;
  Slot predicate = kNoSlot;
};
/// `d` or `d|p`.
Targets take_targets(Decoder& decoder, RegisterClass kind) {
  const PtxOperand& operand = decoder.operand(0);
  if (operand.kind != OperandKind::pair) return {decoder.target(operand, kind), kNoSlot};
  return {decoder.target(operand.items[0], kind),
          decoder.target(operand.items[1], RegisterClass::pred)};
}

/// The member mask; of forms without .sync those lanes that have come here together.
Slot take_members(Decoder& decoder, const Opcode& opcode, size_t operand) {
  if (opcode.has(".sync")) return decoder.source(decoder.operand(operand), RegisterClass::b32);
  const int active = decoder.make_temporary(RegisterClass::b32);
  const Slot to = decoder.write_temporary(active);
  decoder.emit(&run_active_mask).dst = to;
  return decoder.read_temporary(active);
}

}  // namespace

void decode_shuffle(Decoder& decoder, Opcode& opcode) {
  const std::string_view mode = opcode.take_one_of({".up", ".down", ".bfly", ".idx"});
  const Slot a = decoder.source(decoder.operand(1), RegisterClass::b32);
  const Slot b = decoder.source(decoder.operand(2), RegisterClass::b32);
  const Slot c = decoder.source(decoder.operand(3), RegisterClass::b32);
  const Slot members = take_members(decoder, opcode, 4);
  const Targets to = take_targets(decoder, RegisterClass::b32);
  Instruction& made = decoder.emit();
  made.src = {a, b, c, members};
  made.dst = to.value;
  made.extra = to.predicate;
  made.bits = static_cast<std::uint64_t>(mode[1]);
}

void decode_vote(Decoder& decoder, Opcode& opcode) {
  const std::string_view mode = opcode.take_one_of({".all", ".any", ".uni", ".ballot"});
  const bool ballot = mode == ".ballot";
  const Slot votes = decoder.source(decoder.operand(1), RegisterClass::pred);
  const Slot members = take_members(decoder, opcode, 2);
  const Slot to =
      decoder.target(decoder.operand(0), ballot ? RegisterClass::b32 : RegisterClass::pred);
  Instruction& made = decoder.emit();
  made.src = {votes, kNoSlot, kNoSlot, members};
  made.dst = to;
  made.bits = static_cast<std::uint64_t>(mode == ".all" ? 'l' : mode == ".any" ? 'y' : 'i');
}

void decode_match(Decoder& decoder, Opcode& opcode) {
  const std::string_view mode = opcode.take_one_of({".any", ".all"});
  const bool is_wide = opcode.take(".b64");
  const Slot value =
      decoder.source(decoder.operand(1), is_wide ? RegisterClass::b64 : RegisterClass::b32);
  const Slot members = decoder.source(decoder.operand(2), RegisterClass::b32);
  const Targets to = take_targets(decoder, RegisterClass::b32);
  Instruction& made = decoder.emit();
  made.src = {value, kNoSlot, kNoSlot, members};
  made.dst = to.value;
  made.extra = to.predicate;
  made.bits = static_cast<std::uint64_t>(mode == ".all" ? 'l' : 'y') | (is_wide ? 0x100 : 0);
}

void decode_reduce(Decoder& decoder, Opcode& opcode) {
  const std::string_view mode = opcode.take_one_of({".add", ".min", ".max", ".and", ".or", ".xor"});
  const Slot value = decoder.source(decoder.operand(1), RegisterClass::b32);
  const Slot members = decoder.source(decoder.operand(2), RegisterClass::b32);
  const Slot to = decoder.target(decoder.operand(0), RegisterClass::b32);
  const bool is_signed = opcode.take(".s32");
  char letter = '^';
  if (mode == ".add") letter = '+';
  if (mode == ".min") letter = is_signed ? 'N' : 'n';
  if (mode == ".max") letter = is_signed ? 'X' : 'x';
  if (mode == ".and") letter = '&';
  if (mode == ".or") letter = '|';
  Instruction& made = decoder.emit();
  made.src = {value, kNoSlot, kNoSlot, members};
  made.dst = to;
  made.bits = static_cast<std::uint64_t>(letter);
}

void decode_active_mask(Decoder& decoder, Opcode&) {
  const Slot to = decoder.target(decoder.operand(0), RegisterClass::b32);
  decoder.emit().dst = to;
}

void decode_elect(Decoder& decoder, Opcode&) {
  const Slot members = decoder.source(decoder.operand(1), RegisterClass::b32);
  const Targets to = take_targets(decoder, RegisterClass::b32);
  Instruction& made = decoder.emit();
  made.src = {kNoSlot, kNoSlot, kNoSlot, members};
  made.dst = to.value;
  made.extra = to.predicate;
}

}  // namespace jute::emulator
