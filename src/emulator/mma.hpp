#pragma once
// Warp-level matrix instructions: shapes, fragment layouts and arithmetic.
#include "emulator/program.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace jute::emulator {

[[nodiscard]] int element_bits(MmaType type);

/// One lane's 32-bit register.
[[nodiscard]] inline std::uint32_t read_word(const LaneState& lanes, Slot slot, int lane) {
  std::uint32_t value;
  std::memcpy(&value, lanes.at(slot) + static_cast<size_t>(lane) * 4, sizeof(value));
  return value;
}
inline void write_word(LaneState& lanes, Slot slot, int lane, std::uint32_t value) {
  std::memcpy(lanes.at(slot) + static_cast<size_t>(lane) * 4, &value, sizeof(value));
}

void run_mma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_quadpair_mma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

void run_load_matrix(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_store_matrix(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_move_matrix(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

}  // namespace jute::emulator
