// alloca and the marks of a thread's stack.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/run/machine.hpp"

namespace jute::emulator {
namespace {

RegisterClass take_address_class(Decoder& decoder, Opcode& opcode) {
  const auto type = opcode.take_type();
  decoder.finish(opcode);
  if (!type || type->bytes != 8) decoder.refuse("addresses of the stack have type .u64");
  decoder.mark_stack();
  return RegisterClass::b64;
}

}  // namespace

void decode_alloca(Decoder& decoder, Opcode& opcode) {
  const RegisterClass kind = take_address_class(decoder, opcode);
  decoder.require_operands(2, 3);
  constexpr std::int64_t kMostAlign = 1024;
  const std::int64_t align = decoder.operand_count() == 3 ? decoder.integer(decoder.operand(2)) : 8;
  if (align < 1 || align > kMostAlign || (align & (align - 1)) != 0)
    decoder.refuse(decoder.operand(2), "an alignment is a power of two up to 1024");
  const Slot size = decoder.source(decoder.operand(1), kind);
  const Slot target = decoder.target(decoder.operand(0), kind);
  Instruction& made = decoder.emit(&run_alloca);
  made.src[0] = size;
  made.dst = target;
  made.bits = static_cast<std::uint64_t>(align);
  made.flow = Flow::polling;
}

void decode_stack_save(Decoder& decoder, Opcode& opcode) {
  const RegisterClass kind = take_address_class(decoder, opcode);
  decoder.require_operands(1, 1);
  const Slot target = decoder.target(decoder.operand(0), kind);
  decoder.emit(&run_stack_save).dst = target;
}

void decode_stack_restore(Decoder& decoder, Opcode& opcode) {
  const RegisterClass kind = take_address_class(decoder, opcode);
  decoder.require_operands(1, 1);
  const Slot source = decoder.source(decoder.operand(0), kind);
  decoder.emit(&run_stack_restore).src[0] = source;
}

}  // namespace jute::emulator
