#pragma once
// What a decoded video instruction holds beside its registers.
#include <array>
#include <cstdint>

namespace jute::emulator {

/// vadd, vadd2, vadd4 and their like: one, two or four parts of two registers, and what becomes of
/// the parts' results.
struct VideoUse {
  enum class Operation : std::uint8_t { add, sub, avrg, absdiff, min, max, shl, shr, mad, set };
  enum class Secondary : std::uint8_t { merge, add, min, max };
  enum class Compare : std::uint8_t { eq, ne, lt, le, gt, ge };
  /// Where a part begins in the registers' bits, b's 32 being above a's.
  using Places = std::array<std::uint8_t, 4>;
  Operation operation = Operation::add;
  Secondary secondary = Secondary::merge;
  Compare compare = Compare::eq;
  int count = 1;
  bool a_signed = false, b_signed = false, d_signed = false;
  bool saturates = false;
  bool wraps = false;     ///< shl, shr: the count is taken modulo 32
  bool adds_one = false;  ///< mad.po
  int scale = 0;          ///< mad: bits that are shifted out
  int a_bits = 32, b_bits = 32, d_bits = 32;
  Places a_places{}, b_places{}, d_places{};
  unsigned written = 1;  ///< parts of d that take a result, one bit each; the others are c's
};

}  // namespace jute::emulator
