// Branches, calls, ends, barriers, and what changes nothing but the schedule.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/run/machine.hpp"

namespace jute::emulator {

void decode_branch(Decoder& decoder, Opcode& opcode) {
  (void)opcode.take(".uni");
  decoder.finish(opcode);
  decoder.require_operands(1, 1);
  Instruction& made = decoder.emit(nullptr);
  made.flow = Flow::branch;
  decoder.branch_to(made, decoder.operand(0));
}

void decode_branch_table(Decoder& decoder, Opcode& opcode) {
  if (!opcode.take(".idx")) decoder.refuse("the emulator knows this instruction");
  (void)opcode.take(".uni");
  decoder.finish(opcode);
  decoder.require_operands(2, 2);
  const Slot index = decoder.source(decoder.operand(0), RegisterClass::b32);
  Instruction& made = decoder.emit(nullptr);
  made.flow = Flow::table;
  made.src[0] = index;
  decoder.branch_table(made, decoder.operand(1));
}

void decode_call(Decoder& decoder, Opcode& opcode) {
  (void)opcode.take(".uni");
  decoder.finish(opcode);
  decoder.require_operands(1, 4);
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
  decoder.require_operands(at, at);
  decoder.call_pointer(callee, operands, prototype);
}

void decode_return(Decoder& decoder, Opcode& opcode) {
  (void)opcode.take(".uni");
  decoder.finish(opcode);
  decoder.require_operands(0, 0);
  decoder.emit(nullptr).flow = opcode.head() == "exit" ? Flow::exit : Flow::ret;
}

void decode_barrier(Decoder& decoder, Opcode& opcode) {
  using Kind = BarrierUse::Kind;
  BarrierUse use;
  if (opcode.take(".warp")) {
    if (!opcode.take(".sync")) decoder.refuse("the emulator knows this instruction");
    decoder.finish(opcode);
    decoder.require_operands(1, 1);
    const Slot members = decoder.source(decoder.operand(0), RegisterClass::b32);
    Instruction& made = decoder.emit(&run_meet);
    made.src[3] = members;
    made.flow = Flow::collective;
    return;
  }
  if (opcode.take(".cluster")) return decode_cluster_barrier(decoder, opcode);
  (void)opcode.take(".cta");
  const bool is_bar = opcode.head() == "bar";
  use.is_aligned = opcode.take(".aligned") || is_bar;
  const std::string_view what = opcode.take_one_of({".sync", ".arrive", ".red"});
  if (what.empty()) decoder.refuse("a barrier syncs, arrives or reduces");
  std::string_view reduction;
  if (what == ".arrive") use.kind = Kind::arrive;
  if (what == ".red") {
    reduction = opcode.take_one_of({".popc", ".and", ".or"});
    use.kind = reduction == ".popc"  ? Kind::red_popc
               : reduction == ".and" ? Kind::red_and
                                     : Kind::red_or;
    if (reduction.empty() || !opcode.take_type())
      decoder.refuse("a barrier reduces by popc, and, or");
    (void)opcode.take(".aligned");
  }
  use.is_aligned |= opcode.take(".aligned");
  decoder.finish(opcode);
  const bool reduces = what == ".red";
  const size_t first = reduces ? 1 : 0;
  decoder.require_operands(first + (reduces             ? 2
                                    : what == ".arrive" ? 2
                                                        : 1),
                           first + (reduces ? 3 : 2));
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
  const std::uint32_t index = decoder.add(use);
  Instruction& made = decoder.emit(nullptr);
  made.flow = Flow::barrier;
  made.extra = index;
  made.dst = target;
}

void decode_trap(Decoder& decoder, Opcode& opcode) {
  decoder.finish(opcode);
  decoder.emit(nullptr).flow = Flow::trap;
}

void decode_nothing(Decoder& decoder, Opcode&) { decoder.emit(&run_nothing); }

void decode_set_registers(Decoder& decoder, Opcode& opcode) {
  const bool is_change = opcode.take(".inc") || opcode.take(".dec");
  if (!is_change || !opcode.take(".sync") || !opcode.take(".aligned") || !opcode.take(".u32"))
    decoder.refuse("setmaxnreg.{inc,dec}.sync.aligned.u32");
  decoder.finish(opcode);
  decoder.require_operands(1, 1);
  const std::int64_t count = decoder.integer(decoder.operand(0));
  if (count < 24 || count > 256 || count % 8 != 0)
    decoder.refuse(decoder.operand(0), "setmaxnreg takes multiples of 8 from 24 to 256");
  Instruction& made = decoder.emit(&run_set_registers);
  made.flow = Flow::collective;
  made.bits = static_cast<std::uint64_t>(count);
}

void decode_grid_control(Decoder& decoder, Opcode& opcode) {
  const bool releases = opcode.take(".launch_dependents");
  if (!releases && !opcode.take(".wait")) decoder.refuse("griddepcontrol.{wait,launch_dependents}");
  decoder.finish(opcode);
  decoder.require_operands(0, 0);
  decoder.emit(&run_grid_control).bits = releases ? 1 : 0;
}

void decode_nanosleep(Decoder& decoder, Opcode& opcode) {
  (void)opcode.take(".u32");
  decoder.finish(opcode);
  (void)decoder.source(decoder.operand(0), RegisterClass::b32);
  decoder.emit(&run_yield).flow = Flow::polling;
}

}  // namespace jute::emulator
