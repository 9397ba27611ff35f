// mma.sync of 16 rows without sparsity, by vectors, where that gives every bit.
#include "emulator/run/machine.hpp"
#include "emulator/tensor/mma.hpp"
#include "emulator/tensor/scaled_dot.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace jute::emulator {
namespace {

using Words = WarpOperand::Words;
using Accumulator = std::array<std::uint32_t, 16 * kDotColumns>;

Accumulator read_accumulator(const LaneState& lanes, const MmaUse& use) {
  std::array<Words, 4> registers;
  for (size_t i = 0; i < registers.size(); ++i)
    std::memcpy(registers[i].data(), lanes.at(use.c_slots[i]), sizeof(Words));
  Accumulator matrix;
  best_scaled_dot().gather(registers[0].data(), matrix.data());
  return matrix;
}
void write_accumulator(const LaneState& lanes, const MmaUse& use, const Accumulator& matrix,
                       std::uint32_t mask) {
  std::array<Words, 4> registers;
  best_scaled_dot().scatter(matrix.data(), registers[0].data());
  for (size_t i = 0; i < registers.size(); ++i) {
    std::byte* const to = lanes.at(use.d_slots[i]);
    if (mask == kAllLanes) {
      std::memcpy(to, registers[i].data(), sizeof(Words));
      continue;
    }
    for (const size_t lane : lanes_of(mask)) std::memcpy(to + lane * 4, &registers[i][lane], 4);
  }
}

bool add_floats(const WarpOperand& a, const WarpOperand& b, const MmaUse& use, Accumulator& d) {
  if (!a.is_scaled || !b.is_scaled) return false;
  return best_scaled_dot().sum({.depth = use.k,
                                .fraction = kFractionBits,
                                .a_value = a.value.data(),
                                .a_exponent = a.exponent.data(),
                                .b_value = b.value.data(),
                                .b_exponent = b.exponent.data()},
                               d.data()) == 0;
}
void add_integers(const WarpOperand& a, const WarpOperand& b, const MmaUse& use, Accumulator& d) {
  std::array<std::int32_t, 16 * kDotColumns> sums;
  best_scaled_dot().multiply(a.integer.data(), b.integer.data(), use.k, sums.data());
  for (size_t i = 0; i < d.size(); ++i) {
    const std::int64_t sum = std::int64_t{static_cast<std::int32_t>(d[i])} + sums[i];
    d[i] = static_cast<std::uint32_t>(
        use.saturates ? std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX) : sum);
  }
}

}  // namespace

bool multiply_dense(Warp& warp, const MmaUse& use, std::uint32_t mask) {
  const bool is_integer = use.arithmetic == MmaArithmetic::integer;
  const bool is_float = use.arithmetic == MmaArithmetic::aligned && use.c == MmaType::f32;
  if (use.is_sparse || use.m != 16 || use.k > kMostDepth || !(is_integer || is_float)) return false;
  WarpOperandCache& operands = warp.block->warp_operands;
  const WarpOperand& a = operands.rows(warp, use);
  const WarpOperand& b = operands.columns(warp, use);
  Accumulator d = read_accumulator(warp, use);
  if (is_integer) {
    add_integers(a, b, use, d);
  } else if (!add_floats(a, b, use, d)) {
    return false;
  }
  write_accumulator(warp, use, d, mask);
  return true;
}

}  // namespace jute::emulator
