#pragma once
// Registers that some path reaches unset.
#include <cstdint>

namespace jute::emulator {

struct Warp;
/// Reports the registers that the instruction at `pc` reads and that its lanes never set; remembers
/// those that it sets. It runs in the lanes of `mask`, those of `active` that its guard lets.
void check_unset(Warp& warp, std::uint32_t pc, std::uint32_t mask, std::uint32_t active);

}  // namespace jute::emulator
