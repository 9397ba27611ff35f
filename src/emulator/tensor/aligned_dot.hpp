#pragma once
// The tensor core's sum: all products and the accumulator aligned to the largest exponent.
#include <cstdint>

namespace jute::emulator {

/// Operands of one instruction, split. A is (rows, depth), B is (depth, 8), C is (rows, 8), each
/// with its last index contiguous. A zero has exponent kZeroExponent.
inline constexpr int kDotColumns = 8;
inline constexpr int kMostDepth = 64;
inline constexpr std::int32_t kZeroExponent = -20000;

struct SplitOperand {
  std::int32_t exponent[16 * kMostDepth];
  std::uint32_t magnitude[16 * kMostDepth];  ///< the significand, as an integer
  std::int32_t sign[16 * kMostDepth];        ///< 0 or -1
};

/// Operands and result of one aligned sum. Each product `magnitude << product_shift` and each `C
/// magnitude << c_shift` counts quanta 2^(largest exponent - fraction bits) when its exponent is
/// the largest; smaller ones shift right and lose bits, toward zero.
struct AlignedDot {
  int rows = 16;
  int depth = 16;
  int product_shift = 11;
  int c_shift = 2;
  SplitOperand a;
  SplitOperand b;
  SplitOperand c;
  std::int64_t sum[16 * kDotColumns];       ///< in quanta
  std::int32_t exponent[16 * kDotColumns];  ///< the largest; kZeroExponent or less: all are zero
};
using AlignedDotFunction = void (*)(AlignedDot& dot);

namespace portable {
void aligned_dot(AlignedDot& dot);
}
namespace avx2 {
void aligned_dot(AlignedDot& dot);
}

/// The build for this processor.
[[nodiscard]] AlignedDotFunction best_aligned_dot();

}  // namespace jute::emulator
