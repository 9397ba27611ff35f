#pragma once
// Sums of products by vectors. The aligned sum by instructions for f32: where all exponents lie in
// the middle of f32's range, products are exact there, and so is what is left of them behind their
// truncation to integers.
#include "emulator/tensor/aligned_dot.hpp"
#include "emulator/tensor/number_fields.hpp"

#include <cstdint>

namespace jute::emulator {

/// Magnitudes of a type that the sum by f32 takes besides zero: its bits without the sign, from
/// `least` on and below `limit`. Infinities and NaN lie outside.
struct ScaledRange {
  NumberFields fields{10, 5};
  std::uint32_t least = 1;
  std::uint32_t limit = 0;
};
[[nodiscard]] ScaledRange scaled_range(MmaType type);

/// One sum of 16 rows and 8 columns. A is (row, k), B (k, column), D (row, column), each with its
/// last index contiguous; D comes in as f32 and leaves as f32, rounded toward zero.
struct ScaledDot {
  int depth = 16;
  int fraction = 25;                        ///< bits that are kept below the largest exponent
  std::uint32_t result_mask = 0xFFFFFFFFU;  ///< bits of D that are kept
  /// Numbers as f32, and the exponents that they are written with; a zero has kZeroExponent.
  const float* a_value = nullptr;
  const std::int32_t* a_exponent = nullptr;
  const float* b_value = nullptr;
  const std::int32_t* b_exponent = nullptr;
};
struct ScaledDotFunctions {
  /// Splits `count` numbers, a multiple of kDotColumns; false if one of them lies outside.
  bool (*split)(const ScaledRange& range, const std::uint32_t* bits, int count, float* value,
                std::int32_t* exponent);
  /// Words of 32 / bits numbers each, what tf32 ignores left out: numbers that lie together …
  void (*unpack_rows)(const std::uint32_t* words, int count, int bits, std::uint32_t* numbers);
  /// … or registers of 32 lanes of B, four lanes a column, to (k, column).
  void (*unpack_columns)(const std::uint32_t* registers, int count, int bits,
                         std::uint32_t* numbers);
  /// Sums of products of integers, (row, column), of 16 rows and 8 columns.
  void (*multiply)(const std::int32_t* a, const std::int32_t* b, int depth, std::int32_t* sums);
  /// Four registers of 32 lanes, which hold a block of 8 columns, as its matrix (row, column), and
  /// back: registers 0 and 1 take turns in the upper 8 rows, 2 and 3 in the lower.
  void (*gather)(const std::uint32_t* registers, std::uint32_t* matrix);
  void (*scatter)(const std::uint32_t* matrix, std::uint32_t* registers);
  /// Returns the rows, one bit each, that it has left as they were: their sums leave the middle.
  std::uint32_t (*sum)(const ScaledDot& dot, std::uint32_t* d);
};

namespace portable {
extern const ScaledDotFunctions kScaledDot;
}
namespace avx2 {
extern const ScaledDotFunctions kScaledDot;
}
/// The build for this processor.
[[nodiscard]] const ScaledDotFunctions& best_scaled_dot();

}  // namespace jute::emulator
