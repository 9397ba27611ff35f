// Branches, calls, ends, barriers, and what changes nothing but the schedule.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"

namespace jute::emulator {

void decode_branch(Decoder& decoder, Opcode&) {
  decoder.branch_to(decoder.emit(), decoder.operand(0));
}

void decode_branch_table(Decoder& decoder, Opcode&) {
  const Slot index = decoder.source(decoder.operand(0), RegisterClass::b32);
  Instruction& made = decoder.emit();
  made.src[0] = index;
  decoder.branch_table(made, decoder.operand(1));
}

void decode_call(Decoder& decoder, Opcode&) {
  size_t at = 0;
  CallOperands operands;
  const auto members = [](const PtxOperand& group, std::vector<const PtxOperand*>& list) {
    for (const PtxOperand& item : group.items) list.push_back(&item);
  };
  if (decoder.operand(0).kind == OperandKind::group)
    members(decoder.operand(at++), operands.results);
  const PtxOperand& callee = decoder.operand(at++);
  if (at < decoder.operand_count() && decoder.operand(at).kind == OperandKind::group)
    members(decoder.operand(at++), operands.arguments);
  if (at == decoder.operand_count()) return decoder.call(callee, operands);
  const PtxOperand& prototype = decoder.operand(at++);
  decoder.require_operands({at, at});
  decoder.call_pointer(callee, operands, prototype);
}

void decode_bare(Decoder& decoder, Opcode&) { decoder.emit(); }

void decode_group_wait(Decoder& decoder, Opcode& opcode) {
  const bool names_count = !opcode.has(".wait_all");
  const std::int64_t newest = names_count ? decoder.integer(decoder.operand(0)) : -1;
  if (names_count && newest < 0)
    decoder.refuse(decoder.operand(0), "a count of groups must not be negative");
  Instruction& made = decoder.emit();
  made.bits = static_cast<std::uint64_t>(newest);
  made.target = opcode.take(".read") ? 1 : 0;
}

void decode_meeting(Decoder& decoder, Opcode&) {
  const Slot members = decoder.source(decoder.operand(0), RegisterClass::b32);
  decoder.emit().src[3] = members;
}

void decode_barrier(Decoder& decoder, Opcode& opcode) {
  using Kind = BarrierUse::Kind;
  BarrierUse use;
  use.is_aligned = opcode.take(".aligned") || opcode.head() == "bar";
  const bool reduces = opcode.has(".red");
  if (opcode.has(".arrive")) use.kind = Kind::arrive;
  if (reduces)
    use.kind = opcode.has(".popc")  ? Kind::red_popc
               : opcode.has(".and") ? Kind::red_and
                                    : Kind::red_or;
  const size_t first = reduces ? 1 : 0;
  use.id = decoder.source(decoder.operand(first), RegisterClass::b32);
  const size_t last = decoder.operand_count() - 1;
  const bool has_count = last > first + (reduces ? 1 : 0);
  if (has_count) use.count = decoder.source(decoder.operand(first + 1), RegisterClass::b32);
  Slot target = kNoSlot;
  if (reduces) {
    use.predicate = decoder.source(decoder.operand(last), RegisterClass::pred);
    target = decoder.target(decoder.operand(0),
                            use.kind == Kind::red_popc ? RegisterClass::b32 : RegisterClass::pred);
  }
  decoder.emit_use(use).dst = target;
}

void decode_set_registers(Decoder& decoder, Opcode&) {
  const std::int64_t count = decoder.integer(decoder.operand(0));
  if (count < 24 || count > 256 || count % 8 != 0)
    decoder.refuse(decoder.operand(0), "setmaxnreg needs a multiple of 8 from 24 to 256");
  decoder.emit().bits = static_cast<std::uint64_t>(count);
}

void decode_grid_control(Decoder& decoder, Opcode& opcode) {
  decoder.emit().bits = opcode.has(".launch_dependents") ? 1 : 0;
}

void decode_nanosleep(Decoder& decoder, Opcode&) {
  (void)decoder.source(decoder.operand(0), RegisterClass::b32);
  decoder.emit();
}

}  // namespace jute::emulator
