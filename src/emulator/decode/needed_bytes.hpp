#pragma once
// Which bytes of a function's registers decide anything: a load may fetch more than its kernel
// uses, and what nobody uses need not be defined.
#include "emulator/ptx/ptx_ast.hpp"

#include <cstdint>
#include <vector>

namespace jute::emulator {

/// One bit a byte, the lowest byte first.
using ByteMask = std::uint16_t;
inline constexpr ByteMask kEveryByte = 0xFFFF;

/// For each register of the function the bytes that reach an address, a predicate, a store or
/// arithmetic. Moves, packing, truncation, shifts by whole bytes, `and` with a constant, `or`,
/// `xor` and prmt pass on what is needed of their result; every other instruction needs all it
/// reads. The order of instructions does not count: bytes that are needed anywhere are needed
/// everywhere.
[[nodiscard]] std::vector<ByteMask> needed_bytes(const PtxFunction& function);

}  // namespace jute::emulator
