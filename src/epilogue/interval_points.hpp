#pragma once
// The places of an interval at which a function takes its least and greatest values.
#include <jute/epilogue/bound.hpp>

#include <array>
#include <cmath>

namespace jute::epilogue {

/// Both ends; beside an infinite one the largest finite number, because a function may be no number
/// at infinity; a turn that lies within. A default one is a single 0: an operand that is not there.
class Points {
 public:
  Points() { add(0); }
  Points(const EpilogueInterval& interval, double largest, double turn = std::nan("")) {
    if (interval.is_empty()) return;
    add(interval.low);
    if (interval.high != interval.low) add(interval.high);
    if (interval.low < -largest && interval.high >= -largest) add(-largest);
    if (interval.high > largest && interval.low <= largest) add(largest);
    if (interval.low < turn && turn < interval.high) add(turn);
  }
  [[nodiscard]] const double* begin() const { return values_.data(); }
  [[nodiscard]] const double* end() const { return values_.data() + count_; }

 private:
  void add(double value) { values_[count_++] = value; }

  std::array<double, 5> values_{};
  std::size_t count_ = 0;
};

}  // namespace jute::epilogue
