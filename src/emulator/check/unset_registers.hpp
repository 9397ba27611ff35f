#pragma once
// Registers that some path reaches unset.
#include <cstdint>

namespace jute::emulator {

struct Warp;
/// Reports the registers that the instruction at `pc` reads and that its lanes never set; remembers
/// those that it sets.
void check_unset(Warp& warp, std::uint32_t pc, std::uint32_t mask);

}  // namespace jute::emulator
