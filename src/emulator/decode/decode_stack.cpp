// alloca and the marks of a thread's stack.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"

namespace jute::emulator {
namespace {

RegisterClass address_class(Decoder& decoder) {
  decoder.mark_stack();
  return RegisterClass::b64;
}

}  // namespace

void decode_alloca(Decoder& decoder, Opcode&) {
  const RegisterClass kind = address_class(decoder);
  constexpr std::int64_t kMostAlign = 1024;
  const std::int64_t align = decoder.operand_count() == 3 ? decoder.integer(decoder.operand(2)) : 8;
  if (align < 1 || align > kMostAlign || (align & (align - 1)) != 0)
    decoder.refuse(decoder.operand(2), "an alignment must be a power of two up to 1024");
  const Slot size = decoder.source(decoder.operand(1), kind);
  const Slot target = decoder.target(decoder.operand(0), kind);
  Instruction& made = decoder.emit();
  made.src[0] = size;
  made.dst = target;
  made.bits = static_cast<std::uint64_t>(align);
}

void decode_stack_save(Decoder& decoder, Opcode&) {
  const RegisterClass kind = address_class(decoder);
  const Slot target = decoder.target(decoder.operand(0), kind);
  decoder.emit().dst = target;
}

void decode_stack_restore(Decoder& decoder, Opcode&) {
  const RegisterClass kind = address_class(decoder);
  const Slot source = decoder.source(decoder.operand(0), kind);
  decoder.emit().src[0] = source;
}

}  // namespace jute::emulator
