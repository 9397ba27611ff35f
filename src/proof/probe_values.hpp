#pragma once
// Small integers in the bits of any value type.
#include <jute/atom/value_type.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jute::proof {

/// An integer, a complex integer, or the three sums of Gauss's product, by parts(type).
using ProbeValue = std::array<Index, 3>;

/// 1 for a real type, 2 for a complex one, 3 for the accumulator of Gauss's product.
[[nodiscard]] int parts(const ValueType& type);

/// Bits of the small integers of one type.
class ProbeEncoder {
 public:
  explicit ProbeEncoder(const ValueType& type);
  /// 0, 1, … up to this all have exact bits; at most kLargest, which every accumulator holds.
  [[nodiscard]] Index largest() const { return largest_; }
  [[nodiscard]] int part_bits() const { return part_bits_; }
  [[nodiscard]] std::uint64_t bits(Index value) const {
    if (value >= 0 && value < static_cast<Index>(table_.size()))
      return table_[static_cast<size_t>(value)];
    return encoded(value);
  }
  /// The integer with these bits; nothing else than an integer gives -1.
  [[nodiscard]] Index value(std::uint64_t bits) const;
  static constexpr Index kLargest = 2048;

 private:
  [[nodiscard]] std::uint64_t encoded(Index value) const;
  ValueType type_;  ///< of one part
  int part_bits_ = 0;
  Index largest_ = 0;
  std::vector<std::uint64_t> table_;
};

/// Writes and reads `width` bits (1 to 64) at a bit offset; bytes from low to high.
void put_bits(std::span<std::byte> bytes, Index offset, int width, std::uint64_t value);
[[nodiscard]] std::uint64_t get_bits(std::span<const std::byte> bytes, Index offset, int width);

}  // namespace jute::proof
