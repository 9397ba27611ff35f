#pragma once
// Bulk prefetches: bytes and boxes on their way to the L2 cache alone.
#include "emulator/decode/families.hpp"

namespace jute::emulator {

void decode_bulk_fetch(Decoder& decoder, Opcode& opcode);
/// Moves nothing: only what a fetch must keep to is checked.
void run_bulk_fetch(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

}  // namespace jute::emulator
