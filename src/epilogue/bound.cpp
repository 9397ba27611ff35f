// Interval arithmetic over the steps of an expression.
#include <jute/epilogue/bound.hpp>

#include <algorithm>
#include <cmath>

#include "epilogue/interval_points.hpp"
#include "epilogue/leaf.hpp"

namespace jute {
namespace {

using Interval = EpilogueInterval;
using Op = EpilogueOp;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Interval kTrue{1, 1}, kFalse{0, 0}, kUndecided{0, 1};

void include(Interval& interval, double value) {
  if (std::isnan(value)) {
    interval.nan = true;
    return;
  }
  interval.low = std::min(interval.low, value);
  interval.high = std::max(interval.high, value);
}

bool has_infinity(const Interval& x) {
  return !x.is_empty() && (x.low == -kInfinity || x.high == kInfinity);
}
bool has_zero(const Interval& x) { return x.low <= 0 && x.high >= 0; }

/// May the product be no number although its factors are?
bool may_be_zero_times_infinity(const Interval& x, const Interval& y) {
  return (has_zero(x) && has_infinity(y)) || (has_infinity(x) && has_zero(y));
}

struct Bounding {
  using Value = Interval;
  DType compute;
  EpilogueAccuracy accuracy;
  const EpilogueBounds& element;

  [[nodiscard]] Interval leaf(const EpilogueNode& node) const {
    if (node.op == Op::number) return Interval::point(rounded_number(node.number, compute));
    return epilogue::leaf_of(element, node);
  }

  [[nodiscard]] double largest() const {
    return compute == DType::f64 ? std::numeric_limits<double>::max()
                                 : static_cast<double>(std::numeric_limits<float>::max());
  }

  /// The hull of a function's values at the ends of its operands and at `turn` of the first; a
  /// function that rises or falls throughout in each operand has no others.
  template <class Function>
  [[nodiscard]] Interval at_ends(const Interval& x, const Interval& y, const Interval& z, int arity,
                                 double turn, Function&& function) const {
    Interval result = Interval::nothing();
    result.nan = x.nan || (arity > 1 && y.nan) || (arity > 2 && z.nan);
    const epilogue::Points none;
    const epilogue::Points xs(x, largest(), turn);
    const epilogue::Points ys = arity > 1 ? epilogue::Points(y, largest()) : none;
    const epilogue::Points zs = arity > 2 ? epilogue::Points(z, largest()) : none;
    for (const double at_x : xs)
      for (const double at_y : ys)
        for (const double at_z : zs) include(result, function(at_x, at_y, at_z));
    return compute == DType::s32 ? wrapped(result) : result;
  }

  /// Integers that may leave their 32 bits may be any.
  static Interval wrapped(const Interval& x) {
    const double least = -2147483648.0, most = 2147483647.0;
    return x.low < least || x.high > most ? Interval{least, most} : x;
  }

  /// The result of one exact operation on numbers; integers that wrap are left to `wrapped`.
  [[nodiscard]] double exact(const EpilogueNode& node, const Interval& x, const Interval& y,
                             const Interval& z, double at_x, double at_y, double at_z) const {
    const bool is_one = x.is_point() && y.is_point() && z.is_point();
    if (compute == DType::s32 && !is_one && node.op != Op::cast && node.op != Op::stochastic)
      return operation(node.op).value(at_x, at_y, at_z);
    return epilogue_value(node, compute, at_x, at_y, at_z);
  }

  [[nodiscard]] Interval exact(const EpilogueNode& node, const Interval& x, const Interval& y,
                               const Interval& z) const {
    const EpilogueOperation& row = operation(node.op);
    return at_ends(x, y, z, row.arity, row.turn, [&](double at_x, double at_y, double at_z) {
      return exact(node, x, y, z, at_x, at_y, at_z);
    });
  }

  /// A function with an error: a kernel rounds its value, and what it computes lies around that.
  [[nodiscard]] Interval inexact(const EpilogueOperation& row, const Interval& x,
                                 const Interval& y = {}) const {
    const EpilogueError& error = cuda_of(row, compute, accuracy).error;
    const bool is_wide = compute == DType::f64;
    const double unit = is_wide ? 0x1p-52 : 0x1p-23, least = is_wide ? 0x1p-1074 : 0x1p-149;
    const double of_operand =
        error.of_operand == 0 ? 0 : error.of_operand * std::max(std::abs(x.low), std::abs(x.high));
    Interval result = at_ends(x, y, {}, row.arity, row.turn, [&](double at_x, double at_y, double) {
      return row.value(at_x, at_y, 0);
    });
    if (result.is_empty()) return result;
    const auto moved = [&](double value, double sign) {
      if (std::isinf(value)) return value;
      const double ulp = std::max(unit * std::abs(value), least);
      return value + sign * ((error.ulps + 1) * ulp + error.absolute + of_operand);
    };
    const double low = moved(result.low, -1), high = moved(result.high, 1);
    // At the edge of the type a kernel may reach infinity or stay just below.
    result.low = low < -largest() ? -kInfinity : std::min(low, largest());
    result.high = high > largest() ? kInfinity : std::max(high, -largest());
    return result;
  }

  /// log, sqrt and rsqrt: nothing comes of negative numbers.
  static Interval not_negative(Interval x) {
    x.nan = x.nan || x.low < 0;
    return x.high < 0 ? Interval{kInfinity, -kInfinity, true}
                      : Interval{std::max(x.low, 0.0), x.high, x.nan};
  }

  /// Throughout x >= 0 it rises or falls in each operand; below 0 there are values where y is
  /// whole.
  [[nodiscard]] Interval power(const EpilogueOperation& row, const Interval& x,
                               const Interval& y) const {
    const Interval anything{-kInfinity, kInfinity, true};
    if (x.is_empty() || y.is_empty() || x.nan || y.nan) return anything;
    const bool is_whole = y.is_point() && y.low >= 0 && y.low == std::floor(y.low);
    if (x.low < 0 && !is_whole) return anything;
    // The sign of a zero is not followed: an odd power of -0 below none is -inf.
    if (has_zero(x) && y.low < 0) return anything;
    Interval result = inexact(row, x, y);
    if (has_zero(x) && has_zero(y)) result = hull(result, Interval::point(1));
    if (x.low < 0) result = hull(result, Interval::point(0));
    return result;
  }

  /// An operand that is no number gives way to the other.
  [[nodiscard]] Interval smaller_or_larger(Op op, const Interval& x, const Interval& y) const {
    Interval result = Interval::nothing();
    if (!x.is_empty() && !y.is_empty())
      result = exact({.op = op}, {x.low, x.high}, {y.low, y.high}, {});
    if (x.nan) result = hull(result, {y.low, y.high});
    if (y.nan) result = hull(result, {x.low, x.high});
    result.nan = x.nan && y.nan;
    return result;
  }

  [[nodiscard]] Interval quotient(const EpilogueNode& node, const Interval& x,
                                  const Interval& y) const {
    if (x.is_empty() || y.is_empty()) return {kInfinity, -kInfinity, true};
    const bool nan =
        x.nan || y.nan || (has_zero(x) && has_zero(y)) || (has_infinity(x) && has_infinity(y));
    // The sign of a zero is not followed.
    Interval result = has_zero(y) ? Interval{-kInfinity, kInfinity} : exact(node, x, y, {});
    result.nan = nan;
    return result;
  }

  [[nodiscard]] static Interval less(const Interval& x, const Interval& y, bool or_equal) {
    if (x.is_empty() || y.is_empty()) return kFalse;
    if (or_equal ? x.low > y.high : x.low >= y.high) return kFalse;
    const bool holds = or_equal ? x.high <= y.low : x.high < y.low;
    return holds && !x.nan && !y.nan ? kTrue : kUndecided;
  }
  [[nodiscard]] static Interval equal(const Interval& x, const Interval& y) {
    if (x.is_empty() || y.is_empty() || x.high < y.low || y.high < x.low) return kFalse;
    return x.is_point() && y.is_point() ? kTrue : kUndecided;
  }

  [[nodiscard]] static Interval chosen(const Interval& condition, const Interval& x,
                                       const Interval& y) {
    if (condition == kTrue) return x;
    return condition == kFalse ? y : hull(x, y);
  }

  [[nodiscard]] Interval cast(const EpilogueNode& node, const Interval& x,
                              const Interval& word) const {
    Interval result = exact(node, {x.low, x.high}, word, {});
    if (x.nan && is_integer(node.type)) {
      include(result, 0);
    } else {
      result.nan = x.nan;
    }
    return result;
  }

  [[nodiscard]] Interval apply(const EpilogueNode& node, const Interval& x, const Interval& y,
                               const Interval& z) const {
    switch (node.op) {
      case Op::less:
        return less(x, y, false);
      case Op::less_equal:
        return less(x, y, true);
      case Op::greater:
        return less(y, x, false);
      case Op::greater_equal:
        return less(y, x, true);
      case Op::equal:
        return equal(x, y);
      case Op::not_equal: {
        const Interval same = equal(x, y);
        return {1 - same.high, 1 - same.low};
      }
      case Op::select:
        return chosen(x, y, z);
      case Op::min:
      case Op::max:
        return smaller_or_larger(node.op, x, y);
      case Op::clamp:
        return smaller_or_larger(Op::min, smaller_or_larger(Op::max, x, y), z);
      case Op::divide:
        return quotient(node, x, y);
      case Op::pow:
        return power(operation(node.op), x, y);
      case Op::block_amax:
        return element.block_amax;
      case Op::cast:
      case Op::stochastic:
        return cast(node, x, y);
      case Op::sqrt:
        return exact(node, not_negative(x), {}, {});
      default:
        return function(node, x, y, z);
    }
  }

  [[nodiscard]] Interval function(const EpilogueNode& node, const Interval& x, const Interval& y,
                                  const Interval& z) const {
    const EpilogueOperation& row = operation(node.op);
    Interval result{};
    if (!row.is_approximate()) {
      result = exact(node, x, y, z);
    } else {
      const bool needs_sign = node.op == Op::log || node.op == Op::rsqrt;
      result = inexact(row, needs_sign ? not_negative(x) : x);
    }
    // The sign of a zero is not followed: of -0 the least number comes, of 0 the greatest.
    if (node.op == Op::rsqrt && has_zero(x)) result = {-kInfinity, kInfinity, result.nan};
    // Values that are not below zero do not meet the slope.
    if (node.op == Op::leaky_relu && y.nan && x.high >= 0)
      result = hull(result, {std::max(x.low, 0.0), x.high, result.nan});
    const bool multiplies = node.op == Op::multiply || node.op == Op::leaky_relu;
    if (multiplies && may_be_zero_times_infinity(x, y)) result.nan = true;
    return result;
  }

  [[nodiscard]] Interval fused(EpilogueSigns signs, const Interval& x, const Interval& y,
                               const Interval& z) const {
    const bool is_one = x.is_point() && y.is_point() && z.is_point();
    Interval result = at_ends(x, y, z, 3, std::nan(""), [&](double at_x, double at_y, double at_z) {
      const DType type = compute == DType::s32 && !is_one ? DType::f64 : compute;
      return fused_value(signs, type, at_x, at_y, at_z);
    });
    if (may_be_zero_times_infinity(x, y)) result.nan = true;
    return result;
  }
  [[nodiscard]] bool has_no_beta() const { return element.beta == Interval{}; }
  [[nodiscard]] Interval beta_c() const {
    return has_no_beta() ? Interval{} : apply({.op = Op::multiply}, element.beta, element.c, {});
  }
  [[nodiscard]] Interval with_beta_c(EpilogueSigns signs, const Interval& z) const {
    if (!has_no_beta()) return fused(signs, element.beta, element.c, z);
    return signs.minus_addend ? apply({.op = Op::negate}, z, {}, {}) : z;
  }
  [[nodiscard]] Interval kept(int /*node*/, const Interval& value) const { return value; }
};

}  // namespace

EpilogueInterval EpilogueInterval::point(double value) {
  if (std::isnan(value)) return {kInfinity, -kInfinity, true};
  return {value, value};
}

EpilogueInterval EpilogueInterval::around(double value, double error) {
  if (std::isnan(value) || std::isnan(error) || (std::isinf(value) && std::isinf(error)))
    return {-kInfinity, kInfinity, true};
  return {value - error, value + error};
}

bool EpilogueInterval::contains(double value) const {
  return std::isnan(value) ? nan : low <= value && value <= high;
}

EpilogueInterval hull(const EpilogueInterval& x, const EpilogueInterval& y) {
  return {std::min(x.low, y.low), std::max(x.high, y.high), x.nan || y.nan};
}

EpilogueInterval rounded(const EpilogueInterval& interval, DType type) {
  EpilogueInterval result = interval;
  const auto to_type = [&](double value) { return decode(type, encode(type, value)); };
  if (!interval.is_empty()) {
    result.low = to_type(interval.low);
    result.high = to_type(interval.high);
  }
  if (is_integer(type) && interval.nan) {
    include(result, 0);
    result.nan = false;
  }
  return result;
}

std::vector<EpilogueInterval> bound(const EpilogueArithmetic& arithmetic, DType compute,
                                    const EpilogueBounds& element, EpilogueAccuracy accuracy) {
  Bounding domain{compute, accuracy, element};
  return evaluate(arithmetic, domain);
}

}  // namespace jute
