#pragma once
// Digits with weights that add up to a number: whether two coordinates name one element.
#include <jute/base/types.hpp>

#include <optional>
#include <span>
#include <vector>

namespace jute::plan {

/// A whole number from `least` to `most`, each of which counts `weight`.
struct WeighedDigit {
  Index weight = 0, least = 0, most = 0;
};

/// One way to add up to a sum.
struct DigitSum {
  std::optional<std::vector<Index>> digits{};  ///< in the order of their places; none: no way
  bool is_undecided = false;                   ///< looking was given up
};
/// Depth first, the largest weights first, whose sum the smaller ones must make up; of digits that
/// weigh the same only the sum is looked for. A sum that the greatest common divisor of the weights
/// that are left does not divide has no way.   throws  overflow
[[nodiscard]] DigitSum digits_of_sum(std::span<const WeighedDigit> places, Index sum);

}  // namespace jute::plan
