#pragma once
// Single bits of a layout's offsets, as functions of the binary digits of its coordinates.
#include <jute/layout/layout.hpp>

#include <bitset>
#include <optional>
#include <span>
#include <vector>

namespace jute::layout {

/// Extents above 1 whose product fits 63 bits have fewer binary digits together.
constexpr int kMostDigits = 128;

/// The XOR of a constant and of some binary digits: those of the first mode first, least first.
struct Parity {
  std::bitset<kMostDigits> digits;
  bool constant = false;
  [[nodiscard]] bool is_zero() const { return !constant && digits.none(); }
};
[[nodiscard]] inline Parity operator^(const Parity& a, const Parity& b) {
  return {a.digits ^ b.digits, a.constant != b.constant};
}

/// offset + the sum of coordinate * stride over flat modes. Nothing here is negative.
struct AffineOffsets {
  Index offset = 0;
  std::vector<Index> extents;
  std::vector<Index> strides;

  /// Bit `place` (at most 61) as a parity; nothing where carries make it anything else somewhere in
  /// the domain. The cost grows with the number of digits.
  [[nodiscard]] std::optional<Parity> parity(int place) const;
};

}  // namespace jute::layout
