#pragma once
// Warp-level matrix instructions: shapes, fragment layouts and arithmetic.
#include "emulator/lane_registers.hpp"
#include "emulator/program.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace jute::emulator {

[[nodiscard]] int element_bits(MmaType type);

void run_mma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_quadpair_mma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

void run_load_matrix(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_store_matrix(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_move_matrix(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

}  // namespace jute::emulator
