#pragma once
// Arguments and results of calls, which live in a thread's local memory.
#include "emulator/decode/program.hpp"

#include <cstdint>
#include <vector>

namespace jute::emulator {

struct Warp;
/// Copies what the lanes of a call hand over, or take back.
void copy_call_frame(Warp& warp, const std::vector<CallCopy>& copies, std::uint32_t mask);

}  // namespace jute::emulator
