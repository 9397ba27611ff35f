#pragma once
// Warp-level matrix instructions: shapes, fragment layouts and arithmetic.
#include "emulator/decode/program.hpp"
#include "emulator/run/lane_registers.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jute::emulator {

/// Fraction bits of a sum of products that tensor cores keep.
inline constexpr int kFractionBits = 25;

/// Bits of the significand's fraction and of the exponent. What is stored of tf32 has lost the bits
/// that it ignores.
struct NumberFields {
  int mantissa = 10;
  int exponent = 5;
};
struct MmaTypeRow {
  std::string_view name;
  int bits;
  NumberFields fields{};  ///< of floating point that sums align
};
/// In the order of MmaType.
inline constexpr MmaTypeRow kMmaTypes[]{{".f16", 16},
                                        {".bf16", 16, {7, 8}},
                                        {".tf32", 32, {10, 8}},
                                        {".f32", 32, {23, 8}},
                                        {".f64", 64},
                                        {".e4m3", 8, {3, 4}},
                                        {".e5m2", 8, {2, 5}},
                                        {".s8", 8},
                                        {".u8", 8},
                                        {".s4", 4},
                                        {".u4", 4},
                                        {".b1", 1},
                                        {".s32", 32}};
[[nodiscard]] constexpr int element_bits(MmaType type) {
  return kMmaTypes[static_cast<std::size_t>(type)].bits;
}
[[nodiscard]] constexpr NumberFields fields_of(MmaType type) {
  return kMmaTypes[static_cast<std::size_t>(type)].fields;
}
[[nodiscard]] std::optional<MmaType> find_mma_type(std::string_view suffix);
/// How a form multiplies; `bit_operation` is .and or .xor for single bits.
[[nodiscard]] MmaArithmetic arithmetic_of(const MmaUse& use, std::string_view bit_operation);

// Fragment layouts (PTX ISA, matrix fragments for mma). g = lane / 4, t = lane % 4, p elements a
// register. A, register r: row g + 8 (r % 2), columns p t + 4 p (r / 2) and following. B, register
// r: rows p t + 4 p r and following, column g. C, value i: row g + 8 (i / 2), column 2 t + i % 2.
// A of eight rows has its registers in one row group.
struct Place {
  int row = 0;
  int column = 0;
};
[[nodiscard]] inline Place place_of_a(int lane, int reg, int element, int per_register,
                                      bool has_16_rows) {
  const int half = has_16_rows ? reg % 2 : 0;
  const int step = has_16_rows ? reg / 2 : reg;
  return {lane / 4 + 8 * half, per_register * (lane % 4) + 4 * per_register * step + element};
}
[[nodiscard]] inline Place place_of_b(int lane, int reg, int element, int per_register) {
  return {per_register * (lane % 4) + 4 * per_register * reg + element, lane / 4};
}
[[nodiscard]] inline Place place_of_c(int lane, int value) {
  return {lane / 4 + 8 * (value / 2), 2 * (lane % 4) + value % 2};
}

struct Warp;
/// False, and nothing done, where this needs other arithmetic.
[[nodiscard]] bool multiply_dense(Warp& warp, const MmaUse& use, std::uint32_t mask);
void run_mma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_quadpair_mma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

/// wmma.load and wmma.store.
void run_wmma_access(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

void run_load_matrix(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_store_matrix(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_move_matrix(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

}  // namespace jute::emulator
