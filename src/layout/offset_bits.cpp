// Decides where a bit of a sum is an XOR of binary digits, without walking the domain.
#include "layout/offset_bits.hpp"

#include <algorithm>
#include <array>

namespace jute::layout {

namespace {

/// The addends of one mode's binary digits, modulo a power of two and least in amount.
struct Steps {
  std::array<Index, 63> step{};
  int count = 0;
};

/// The largest sum of the steps of a coordinate's digits, over coordinates up to `last`; above
/// `limit` where any sum is, in which case the value means no more than that.
Index largest_sum(const Steps& steps, Index last, Index sign, Index limit) {
  std::array<Index, 64> free{};  // the largest sum of digits below each
  for (int i = 0; i < steps.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    free[at + 1] = std::min(free[at] + std::max<Index>(0, sign * steps.step[at]), limit + 1);
  }
  // Coordinates up to `last` agree with it down to some digit, have 0 where it has 1 there, and
  // anything below.
  Index largest = 0;
  Index agreed = 0;
  for (int i = steps.count - 1; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(i);
    if ((last >> i & 1) == 0) continue;
    largest = std::max(largest, agreed + free[at]);
    agreed += sign * steps.step[at];
    if (agreed > limit || agreed < -limit) return limit + 1;
  }
  return std::max(largest, agreed);
}

}  // namespace

// Every coordinate is reached from 0 by setting one digit after another. With the XOR of the digits
// that flip the bit taken away, none of these steps may flip it: modulo 2 * half all sums stay in
// [0, half), each step is the difference of two of them, hence shorter than half, and so the sums
// stay in there as integers too. Their extremes decide.
std::optional<Parity> AffineOffsets::parity(int place) const {
  const Index half = Index{1} << place;
  const Index start = offset & (half - 1);
  Parity result{{}, (offset & half) != 0};
  Index highest = start;
  Index lowest = start;
  std::size_t digit = 0;
  for (std::size_t mode = 0; mode < extents.size(); ++mode) {
    const Index last = extents[mode] - 1;
    Steps steps;
    for (; last >> steps.count != 0; ++steps.count, ++digit) {
      const auto step = static_cast<std::uint64_t>(strides[mode]) << steps.count;
      const auto moved = static_cast<Index>((static_cast<std::uint64_t>(start) + step) &
                                            (2 * static_cast<std::uint64_t>(half) - 1));
      if ((moved & half) != 0) result.digits.set(digit);
      steps.step[static_cast<std::size_t>(steps.count)] = (moved & (half - 1)) - start;
    }
    highest += largest_sum(steps, last, 1, half);
    lowest -= largest_sum(steps, last, -1, half);
    if (highest >= half || lowest < 0) return std::nullopt;
  }
  return result;
}

}  // namespace jute::layout
