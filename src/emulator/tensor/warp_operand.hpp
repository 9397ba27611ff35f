#pragma once
// Operands of mma.sync as numbers. A warp multiplies the same registers by many others: what has
// been unpacked is kept as long as they hold the same bits.
#include "emulator/decode/program.hpp"
#include "emulator/tensor/aligned_dot.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace jute::emulator {

/// A, 16 rows (row, k), or B, 8 columns (k, column).
struct WarpOperand {
  using Words = std::array<std::uint32_t, kWarpLanes>;
  static constexpr size_t kMostNumbers = 16 * kMostDepth;

  MmaType type = MmaType::f16;
  int registers = 0;  ///< 0: holds nothing
  std::array<Words, 4> words;
  bool is_scaled = false;  ///< may be summed by f32
  std::array<float, kMostNumbers> value;
  std::array<std::int32_t, kMostNumbers> exponent;
  std::array<std::int32_t, kMostNumbers> integer;  ///< of integer types, instead of both
};

/// Fragments by the first register of each.
class WarpOperandCache {
 public:
  /// The operand of a dense product of 16 rows and at most kMostDepth values along K.
  [[nodiscard]] const WarpOperand& rows(const LaneState& lanes, const MmaUse& use);
  [[nodiscard]] const WarpOperand& columns(const LaneState& lanes, const MmaUse& use);

 private:
  static constexpr size_t kKept = 16;
  std::vector<WarpOperand> rows_, columns_;  ///< kKept each once there are any
};

}  // namespace jute::emulator
