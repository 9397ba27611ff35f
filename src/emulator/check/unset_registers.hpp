#pragma once
// Registers that some path reaches unset.
#include <cstdint>

namespace jute::emulator {

struct Warp;
/// Registers that the instruction at `pc` reads and that its lanes never set have no value, as what
/// comes of them; whoever depends on it is told. Remembers those that it sets. It runs in the lanes
/// of `mask`, those of `active` that its guard lets.
void check_unset(Warp& warp, std::uint32_t pc, std::uint32_t mask, std::uint32_t active);

}  // namespace jute::emulator
