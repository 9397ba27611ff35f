#pragma once
// Instructions whose work goes on behind a warp's back, in order of its queue: they start copies,
// boxes, stores and products, put them into groups, and wait for these.
#include "emulator/decode/program.hpp"

#include <cstdint>

namespace jute::emulator {

struct Warp;

// async_copy.cpp
void run_async_copy(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_commit_copies(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_wait_copies(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

// tma.cpp, wgmma.cpp
void run_bulk(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
/// A prefetch moves nothing: only what it must keep to is checked.
void run_bulk_fetch(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_async_store(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_commit_bulk(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_wait_bulk(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_wgmma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_fence_products(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_commit_products(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
/// Have the warps of the warpgroup issued all that a wait of this one asks for?
[[nodiscard]] bool are_products_issued(const Warp& warp, const Instruction& instruction);
void run_wait_products(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

// grid_control.cpp
void run_grid_control(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

}  // namespace jute::emulator
