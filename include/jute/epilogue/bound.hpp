#pragma once
// Between which values a kernel's outputs lie, given between which its sums of products do.
#include <jute/base/export.hpp>
#include <jute/epilogue/evaluate.hpp>

#include <limits>
#include <vector>

namespace JUTE_API jute {

/// Every number from low to high, infinities included, and perhaps what is no number. Where low
/// exceeds high there is no number. A truth value lies between 0 and 1.
struct EpilogueInterval {
  double low = 0, high = 0;
  bool nan = false;

  [[nodiscard]] static EpilogueInterval point(double value);
  [[nodiscard]] static EpilogueInterval nothing() {
    return {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  }
  /// value ± error; a value that is no number, or an error that is none, may be anything.
  [[nodiscard]] static EpilogueInterval around(double value, double error);
  [[nodiscard]] bool is_empty() const { return low > high; }
  [[nodiscard]] bool is_point() const { return low == high && !nan; }
  [[nodiscard]] bool contains(double value) const;
  bool operator==(const EpilogueInterval&) const = default;
};

/// The least interval that holds both.
[[nodiscard]] EpilogueInterval hull(const EpilogueInterval& x, const EpilogueInterval& y);
/// The interval once each of its values is rounded to a type.
[[nodiscard]] EpilogueInterval rounded(const EpilogueInterval& interval, DType type);

/// Intervals that an expression reads for one element. alpha and beta are numbers, and so is all
/// from memory; acc, gate, a_sum and b_sum are sums with an error.
struct EpilogueBounds {
  EpilogueInterval acc{}, alpha{1, 1}, beta{}, c{}, a_sum{}, b_sum{}, gate{}, block_amax{};
  std::vector<EpilogueInterval> inputs{};
};

/// Where each output lies before it is gathered or rounded. An exact operation takes the values at
/// the ends of its operands, rounded as a kernel rounds; a function moves them outward by its
/// error; an undecided comparison takes the hull of both branches.
[[nodiscard]] std::vector<EpilogueInterval> bound(
    const EpilogueArithmetic& arithmetic, DType compute, const EpilogueBounds& element,
    EpilogueAccuracy accuracy = EpilogueAccuracy::full);

}  // namespace jute
