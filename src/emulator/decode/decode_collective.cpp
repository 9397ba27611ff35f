// Warp-wide instructions: their member mask is source 3, a second result is Instruction::extra.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/run/machine.hpp"

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

void require_sync(Decoder& decoder, Opcode& opcode) {
  if (!opcode.take(".sync"))
    decoder.refuse("it has .sync: the form without a member mask left the ISA with sm_70");
}

}  // namespace

void decode_shuffle(Decoder& decoder, Opcode& opcode) {
  require_sync(decoder, opcode);
  const std::string_view mode = opcode.take_one_of({".up", ".down", ".bfly", ".idx"});
  if (mode.empty() || !opcode.take(".b32")) decoder.refuse("shfl.sync.{up,down,bfly,idx}.b32");
  decoder.finish(opcode);
  decoder.require_operands(5, 5);
  const Slot a = decoder.source(decoder.operand(1), RegisterClass::b32);
  const Slot b = decoder.source(decoder.operand(2), RegisterClass::b32);
  const Slot c = decoder.source(decoder.operand(3), RegisterClass::b32);
  const Slot members = decoder.source(decoder.operand(4), RegisterClass::b32);
  const Targets to = take_targets(decoder, RegisterClass::b32);
  Instruction& made = decoder.emit(&run_shuffle);
  made.flow = Flow::collective;
  made.src = {a, b, c, members};
  made.dst = to.value;
  made.extra = to.predicate;
  made.bits = static_cast<std::uint64_t>(mode[1]);
}

void decode_vote(Decoder& decoder, Opcode& opcode) {
  require_sync(decoder, opcode);
  const std::string_view mode = opcode.take_one_of({".all", ".any", ".uni", ".ballot"});
  if (mode.empty()) decoder.refuse("vote.sync.{all,any,uni,ballot}");
  const bool ballot = mode == ".ballot";
  if (!opcode.take(ballot ? ".b32" : ".pred")) decoder.refuse("vote ends with .pred or .b32");
  decoder.finish(opcode);
  decoder.require_operands(3, 3);
  const Slot votes = decoder.source(decoder.operand(1), RegisterClass::pred);
  const Slot members = decoder.source(decoder.operand(2), RegisterClass::b32);
  const Slot to =
      decoder.target(decoder.operand(0), ballot ? RegisterClass::b32 : RegisterClass::pred);
  Instruction& made = decoder.emit(ballot ? &run_ballot : &run_vote);
  made.flow = Flow::collective;
  made.src = {votes, kNoSlot, kNoSlot, members};
  made.dst = to;
  made.bits = static_cast<std::uint64_t>(mode == ".all" ? 'l' : mode == ".any" ? 'y' : 'i');
}

void decode_match(Decoder& decoder, Opcode& opcode) {
  const std::string_view mode = opcode.take_one_of({".any", ".all"});
  require_sync(decoder, opcode);
  const auto type = opcode.take_type();
  if (mode.empty() || !type || (type->bytes != 4 && type->bytes != 8))
    decoder.refuse("match.{any,all}.sync.{b32,b64}");
  decoder.finish(opcode);
  decoder.require_operands(3, 3);
  const bool is_wide = type->bytes == 8;
  const Slot value =
      decoder.source(decoder.operand(1), is_wide ? RegisterClass::b64 : RegisterClass::b32);
  const Slot members = decoder.source(decoder.operand(2), RegisterClass::b32);
  const Targets to = take_targets(decoder, RegisterClass::b32);
  Instruction& made = decoder.emit(&run_match);
  made.flow = Flow::collective;
  made.src = {value, kNoSlot, kNoSlot, members};
  made.dst = to.value;
  made.extra = to.predicate;
  made.bits = static_cast<std::uint64_t>(mode == ".all" ? 'l' : 'y') | (is_wide ? 0x100 : 0);
}

void decode_reduce(Decoder& decoder, Opcode& opcode) {
  require_sync(decoder, opcode);
  const std::string_view mode = opcode.take_one_of({".add", ".min", ".max", ".and", ".or", ".xor"});
  const auto type = opcode.take_type();
  if (mode.empty() || !type || type->bytes != 4 || type->kind == 'f')
    decoder.refuse("redux.sync.{add,min,max,and,or,xor}.{u32,s32,b32}");
  decoder.finish(opcode);
  decoder.require_operands(3, 3);
  const Slot value = decoder.source(decoder.operand(1), RegisterClass::b32);
  const Slot members = decoder.source(decoder.operand(2), RegisterClass::b32);
  const Slot to = decoder.target(decoder.operand(0), RegisterClass::b32);
  const bool is_signed = type->kind == 's';
  char letter = '^';
  if (mode == ".add") letter = '+';
  if (mode == ".min") letter = is_signed ? 'N' : 'n';
  if (mode == ".max") letter = is_signed ? 'X' : 'x';
  if (mode == ".and") letter = '&';
  if (mode == ".or") letter = '|';
  Instruction& made = decoder.emit(&run_reduce);
  made.flow = Flow::collective;
  made.src = {value, kNoSlot, kNoSlot, members};
  made.dst = to;
  made.bits = static_cast<std::uint64_t>(letter);
}

void decode_active_mask(Decoder& decoder, Opcode& opcode) {
  (void)opcode.take(".b32");
  decoder.finish(opcode);
  const Slot to = decoder.target(decoder.operand(0), RegisterClass::b32);
  decoder.emit(&run_active_mask).dst = to;
}

void decode_elect(Decoder& decoder, Opcode& opcode) {
  require_sync(decoder, opcode);
  decoder.finish(opcode);
  decoder.require_operands(2, 2);
  const Slot members = decoder.source(decoder.operand(1), RegisterClass::b32);
  const Targets to = take_targets(decoder, RegisterClass::b32);
  Instruction& made = decoder.emit(&run_elect);
  made.flow = Flow::collective;
  made.src = {kNoSlot, kNoSlot, kNoSlot, members};
  made.dst = to.value;
  made.extra = to.predicate;
}

}  // namespace jute::emulator
