// Evaluates plain epilogues, one way for each operation and nothing shared with the library.
#include "support/plain_epilogue.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "support/plain_functions.hpp"

namespace jute::test {
namespace {

using Value = PlainValue;

/// Ends of an interval as doubles that hold it.
std::pair<double, double> ends(const Value& x) {
  const long double low = x.value - x.error, high = x.value + x.error;
  double first = static_cast<double>(low), last = static_cast<double>(high);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (first > low) first = std::nextafter(first, -kInfinity);
  if (last < high) last = std::nextafter(last, kInfinity);
  return {first, last};
}

Value between(long double low, long double high) { return {(low + high) / 2, (high - low) / 2}; }
constexpr Value kUnknown{0, 0, false};

/// An expression at one element.
class Element {
 public:
  Element(const PlainEpilogue& epilogue, const PlainReads& reads, DType compute, bool is_half)
      : epilogue_(epilogue), reads_(reads), compute_(compute), is_half_(is_half) {}

  void at(Index batch, Index row, Index col, const Value& acc, const Value& a, const Value& b) {
    batch_ = batch;
    row_ = row;
    col_ = col;
    acc_ = acc;
    a_sum_ = a;
    b_sum_ = b;
    known_.assign(epilogue_.nodes.size(), false);
    values_.resize(epilogue_.nodes.size());
  }
  const Value& value(int place) {
    const auto i = static_cast<std::size_t>(place);
    if (!known_[i]) values_[i] = of(epilogue_.nodes[i]);
    known_[i] = true;
    return values_[i];
  }

 private:
  [[nodiscard]] bool is_whole() const { return compute_ == DType::s32; }
  [[nodiscard]] long double unit() const { return compute_ == DType::f64 ? 0x1p-53L : 0x1p-24L; }

  /// One operation's result, rounded.
  [[nodiscard]] Value rounded(Value x) const {
    if (!x.is_known) return kUnknown;
    if (is_whole()) return {last_bits(x.value)};
    const auto near = static_cast<double>(x.value);
    const long double most = compute_ == DType::f64 ? 1e300L : 3e38L;
    if (!(std::fabs(x.value) + x.error < most)) return kUnknown;
    const bool is_exact = x.error == 0 && static_cast<long double>(near) == x.value &&
                          to_type(compute_, near) == near;
    if (!is_exact)
      x.error +=
          unit() * (std::fabs(x.value) + x.error) + (compute_ == DType::f64 ? 1e-320L : 1e-44L);
    return x;
  }
  [[nodiscard]] Value read(double value) const {
    const Value exact{static_cast<long double>(value)};
    return is_whole() ? exact : rounded(exact);
  }

  /// Integers become what is computed in by one rounding.
  [[nodiscard]] Value from_sum(const Value& sum) const {
    return reads_.accumulate == DType::s32 && !is_whole() ? rounded(sum) : sum;
  }

  Value leaf(const PlainNode& node) {
    if (node.op == "acc") return from_sum(acc_);
    if (node.op == "a_sum") return from_sum(a_sum_);
    if (node.op == "b_sum") return from_sum(b_sum_);
    if (node.op == "alpha") return read(reads_.alpha);
    if (node.op == "beta") return read(reads_.beta);
    if (node.op == "c") return read(reads_.c(batch_, row_, col_));
    if (node.op == "1") return read(node.number);
    return read(reads_.inputs[static_cast<std::size_t>(node.input)](batch_, row_, col_));
  }

  [[nodiscard]] bool is_beta_c(const PlainNode& node) const {
    if (node.op != "*") return false;
    const std::string& x = epilogue_.nodes[static_cast<std::size_t>(node.kids[0])].op;
    const std::string& y = epilogue_.nodes[static_cast<std::size_t>(node.kids[1])].op;
    return (x == "beta" && y == "c") || (x == "c" && y == "beta");
  }

  Value of(const PlainNode& node) {
    if (node.kids.empty()) return leaf(node);
    if (is_beta_c(node) && reads_.beta == 0) return {0};
    const Value x = value(node.kids[0]);
    if (node.op == "select()") return select(x, node.kids[1], node.kids[2]);
    const Value y = node.kids.size() > 1 ? value(node.kids[1]) : Value{};
    if (node.op == "and" || node.op == "or") return logical(node.op == "and", x, y);
    if (!x.is_known || !y.is_known) return kUnknown;
    if (node.op == "not") return {1 - x.value};
    static const std::set<std::string> kComparisons{"<", "<=", ">", ">=", "==", "!="};
    if (kComparisons.contains(node.op)) return compared(node.op, x, y);
    if (node.op == "clamp()") {
      const Value z = value(node.kids[2]);
      return z.is_known ? least(least(x, y, 1), z, -1) : kUnknown;
    }
    if (node.op == "cast()") return cast(node.type, x);
    return arithmetic(node.op, x, y);
  }

  Value arithmetic(const std::string& op, const Value& x, const Value& y) {
    const long double size = std::fabs(x.value), other = std::fabs(y.value);
    if (op == "+") return rounded({x.value + y.value, x.error + y.error});
    if (op == "-") return rounded({x.value - y.value, x.error + y.error});
    if (op == "*")
      return rounded({x.value * y.value, size * y.error + other * x.error + x.error * y.error});
    if (op == "/") {
      if (other <= y.error) return kUnknown;
      const long double ratio = x.value / y.value;
      return rounded({ratio, (x.error + std::fabs(ratio) * y.error) / (other - y.error)});
    }
    if (op == "neg") return rounded({-x.value, x.error});
    if (op == "abs()") return rounded({size, x.error});
    if (op == "min()") return least(x, y, -1);
    if (op == "max()") return least(x, y, 1);
    if (op == "square()") return arithmetic("*", x, x);
    if (op == "pow()") return power(x, y);
    if (op == "relu()") return {std::max(x.value, 0.0L), x.error};
    if (op == "leaky_relu()") {
      if (x.value - x.error >= 0) return x;
      const Value scaled = arithmetic("*", x, y);
      if (x.value + x.error < 0 || !scaled.is_known) return scaled;
      return between(std::min({x.value - x.error, scaled.value - scaled.error, 0.0L}),
                     std::max({x.value + x.error, scaled.value + scaled.error, 0.0L}));
    }
    return root_or_function(op, x);
  }

  /// Of what is positive, to an exponent that is exact.
  [[nodiscard]] Value power(const Value& x, const Value& y) const {
    const long double low = x.value - x.error, high = x.value + x.error;
    if (low <= 0 || y.error != 0) return kUnknown;
    return moved(between(std::min(std::pow(low, y.value), std::pow(high, y.value)),
                         std::max(std::pow(low, y.value), std::pow(high, y.value))),
                 compute_ == DType::f64 ? 2 : 4, 0);
  }

  Value root_or_function(const std::string& op, const Value& x) {
    const long double low = x.value - x.error, high = x.value + x.error;
    if (op == "sqrt()") {
      if (low < 0) return kUnknown;
      const long double root = std::sqrt(x.value);
      return rounded(x.error == 0 ? Value{root} : between(std::sqrt(low), std::sqrt(high)));
    }
    if (op == "rsqrt()") {
      if (low <= 0) return kUnknown;
      return moved(between(1 / std::sqrt(high), 1 / std::sqrt(low)), compute_ == DType::f64 ? 3 : 2,
                   0);
    }
    if (op == "log()" && low <= 0) return kUnknown;
    const PlainFunction& function = plain_functions().at(op);
    const bool is_wide = compute_ == DType::f64;
    Value result{function.value(x.value), function.fastest * x.error};
    if (function.rises) result = between(function.value(low), function.value(high));
    const long double magnitude = std::max(std::fabs(low), std::fabs(high));
    const bool is_half = is_half_ && !is_wide;
    const Value full = moved(result, is_wide ? function.f64_ulps : function.f32_ulps,
                             is_wide ? function.f64_absolute : function.f32_absolute);
    const Value half =
        moved(result, function.half_ulps, function.half_absolute + function.half_share * magnitude);
    return is_half && half.error > full.error ? half : full;
  }
  /// By so many units in the last place and what its own rounding adds.
  [[nodiscard]] Value moved(Value x, double ulps, long double more) const {
    x.error += (ulps + 1) * 2 * unit() * (std::fabs(x.value) + x.error) + more;
    return rounded(x);
  }

  /// The smaller (sign -1) or the larger.
  static Value least(const Value& x, const Value& y, int sign) {
    const auto pick = [&](long double first, long double second) {
      return sign < 0 ? std::min(first, second) : std::max(first, second);
    };
    if (x.error == 0 && y.error == 0) return {pick(x.value, y.value)};
    return between(pick(x.value - x.error, y.value - y.error),
                   pick(x.value + x.error, y.value + y.error));
  }

  static Value logical(bool is_and, const Value& x, const Value& y) {
    const long double decides = is_and ? 0 : 1;
    for (const Value& one : {x, y})
      if (one.is_known && one.value == decides) return {decides};
    return x.is_known && y.is_known ? Value{1 - decides} : kUnknown;
  }

  static Value compared(const std::string& op, const Value& x, const Value& y) {
    const long double apart = std::fabs(x.value - y.value), reach = x.error + y.error;
    if (reach > 0 && apart <= reach) return kUnknown;
    const bool is_less = x.value < y.value, is_equal = x.value == y.value;
    const bool holds = op == "<"    ? is_less
                       : op == "<=" ? is_less || is_equal
                       : op == ">"  ? !is_less && !is_equal
                       : op == ">=" ? !is_less
                       : op == "==" ? is_equal
                                    : !is_equal;
    return {holds ? 1.0L : 0.0L};
  }

  Value select(const Value& condition, int x, int y) {
    if (condition.is_known) return value(condition.value != 0 ? x : y);
    const Value one = value(x), other = value(y);
    if (!one.is_known || !other.is_known) return kUnknown;
    return between(std::min(one.value - one.error, other.value - other.error),
                   std::max(one.value + one.error, other.value + other.error));
  }

  [[nodiscard]] Value cast(DType type, const Value& x) const {
    const auto [low, high] = ends(x);
    const double first = to_type(type, low), last = to_type(type, high);
    if (!std::isfinite(first) || !std::isfinite(last)) return kUnknown;
    const Value result = between(first, last);
    return is_whole() ? result : rounded(result);
  }

  const PlainEpilogue& epilogue_;
  const PlainReads& reads_;
  DType compute_;
  bool is_half_;
  Index batch_ = 0, row_ = 0, col_ = 0;
  Value acc_, a_sum_, b_sum_;
  std::vector<bool> known_;
  std::vector<Value> values_;
};

/// s32 where everything is whole and stays so; f64 of f64 sums; else f32.
DType computed_in(const PlainEpilogue& epilogue, const PlainReads& reads) {
  if (reads.accumulate == DType::f64) return DType::f64;
  if (reads.accumulate != DType::s32) return DType::f32;
  static const std::vector<std::string> kReal{"/",      "cast()",  "relu()", "leaky_relu()",
                                              "sqrt()", "rsqrt()", "pow()"};
  for (const PlainNode& node : epilogue.used()) {
    const bool is_input = node.op == "x";
    const PlainInput input =
        is_input ? epilogue.inputs[static_cast<std::size_t>(node.input)] : PlainInput{};
    if ((node.op == "1" && node.number != std::floor(node.number)) ||
        std::ranges::find(kReal, node.op) != kReal.end() || plain_functions().contains(node.op) ||
        (is_input && !is_integer(input.type)) || (node.op == "c" && !is_integer(reads.c_type)))
      return DType::f32;
  }
  return DType::s32;
}

/// Sums of values: exact while they are multiples of 2^-10 that f32 holds, however they are added.
class Sum {
 public:
  void add(const Value& x) {
    is_known_ = is_known_ && x.is_known;
    value_ += x.value;
    error_ += x.error;
    magnitude_ += std::fabs(x.value) + x.error;
    is_fine_ = is_fine_ && x.error == 0 && x.value * 0x1p10L == std::floor(x.value * 0x1p10L);
    ++count_;
  }
  /// Whole numbers are summed exactly; 32 bits hold the last of the sum.
  [[nodiscard]] Value value(DType compute, DType type) const {
    if (!is_known_) return kUnknown;
    if (compute == DType::s32 && error_ == 0)
      return {type == DType::s32 ? last_bits(value_) : value_};
    if (compute == DType::s32) return kUnknown;
    const bool is_exact = is_fine_ && magnitude_ * 0x1p10L < 0x1p24L;
    const long double unit = compute == DType::f64 ? 0x1p-53L : 0x1p-24L;
    return {value_, is_exact ? 0 : error_ + static_cast<long double>(count_) * unit * magnitude_};
  }

 private:
  bool is_known_ = true, is_fine_ = true;
  long double value_ = 0, error_ = 0, magnitude_ = 0;
  Index count_ = 0;
};

/// Rows of A or columns of B, and the products of both.
struct Sums {
  const PlainReads& reads;

  template <class Term>
  [[nodiscard]] Value over_k(Term&& term) const {
    long double sum = 0, magnitude = 0;
    for (Index k = 0; k < reads.k; ++k) {
      const long double one = term(k);
      sum += one;
      magnitude += std::fabs(one);
    }
    if (reads.accumulate == DType::s32) return {last_bits(sum)};
    return {sum, static_cast<long double>(reads.k + 2) * reads.roundoff * magnitude};
  }
  [[nodiscard]] Value products(Index batch, Index row, Index col) const {
    return over_k([&](Index k) {
      return static_cast<long double>(reads.a(batch, row, k)) * reads.b(batch, k, col);
    });
  }
  [[nodiscard]] Value of_a(Index batch, Index row) const {
    return over_k([&](Index k) { return static_cast<long double>(reads.a(batch, row, k)); });
  }
  [[nodiscard]] Value of_b(Index batch, Index col) const {
    return over_k([&](Index k) { return static_cast<long double>(reads.b(batch, k, col)); });
  }
};

/// Which of the two operands' sums the node is made of, and whether of elements.
struct Parts {
  bool of_a = false, of_b = false, of_elements = false;
};
Parts parts_of(const PlainEpilogue& epilogue, int place) {
  const PlainNode& node = epilogue.nodes[static_cast<std::size_t>(place)];
  Parts parts{node.op == "a_sum", node.op == "b_sum", node.op == "acc" || node.op == "c"};
  if (node.op == "x") {
    const std::string& index = epilogue.inputs[static_cast<std::size_t>(node.input)].index;
    parts.of_elements = !index.empty() && index != "batch";
  }
  for (const int kid : node.kids) {
    const Parts more = parts_of(epilogue, kid);
    parts = {parts.of_a || more.of_a, parts.of_b || more.of_b,
             parts.of_elements || more.of_elements};
  }
  return parts;
}

/// Does the output have a value for each row? For each column?
std::pair<bool, bool> extents(const PlainEpilogue& epilogue, const PlainOutput& output) {
  if (output.gather == "amax" || output.gather == "sum") return {false, false};
  if (output.gather == "row_sum" || output.gather == "col_sum")
    return {output.gather == "row_sum", output.gather == "col_sum"};
  const Parts parts = parts_of(epilogue, output.node);
  const bool is_vector =
      output.gather.empty() && output.name != "d" && !parts.of_elements && parts.of_a != parts.of_b;
  return {!is_vector || parts.of_a, !is_vector || parts.of_b};
}

Value largest(const Value& x, const Value& y) {
  if (!x.is_known || !y.is_known) return kUnknown;
  if (x.error == 0 && y.error == 0) return {std::max(x.value, y.value)};
  return between(std::max(x.value - x.error, y.value - y.error),
                 std::max(x.value + x.error, y.value + y.error));
}

}  // namespace

std::vector<PlainResult> plain_results(const PlainEpilogue& epilogue, const PlainReads& reads) {
  const DType compute = computed_in(epilogue, reads);
  const bool is_half = std::ranges::all_of(epilogue.outputs, [](const PlainOutput& output) {
    return output.gather == "bit" || width_bits(output.type) <= 16;
  });
  const Sums sums{reads};
  Element element(epilogue, reads, compute, is_half);
  std::vector<PlainResult> results;
  std::vector<std::vector<Sum>> gathered;
  for (const PlainOutput& output : epilogue.outputs) {
    const auto [has_rows, has_cols] = extents(epilogue, output);
    const Index rows = has_rows ? reads.m : 1, cols = has_cols ? reads.n : 1;
    const auto count = static_cast<std::size_t>(reads.batch * rows * cols);
    results.push_back({has_rows, has_cols, rows, cols, std::vector<Value>(count)});
    gathered.emplace_back(count);
  }
  const bool has_a = epilogue.names("a_sum"), has_b = epilogue.names("b_sum"),
             has_acc = epilogue.names("acc");
  for (Index batch = 0; batch < reads.batch; ++batch)
    for (Index row = 0; row < reads.m; ++row)
      for (Index col = 0; col < reads.n; ++col) {
        element.at(batch, row, col, has_acc ? sums.products(batch, row, col) : Value{},
                   has_a ? sums.of_a(batch, row) : Value{},
                   has_b ? sums.of_b(batch, col) : Value{});
        for (std::size_t i = 0; i < results.size(); ++i) {
          const PlainOutput& output = epilogue.outputs[i];
          const Value value = element.value(output.node);
          PlainResult& result = results[i];
          const auto at = static_cast<std::size_t>(
              (batch * result.rows + (result.has_rows ? row : 0)) * result.cols +
              (result.has_cols ? col : 0));
          if (output.gather == "amax")
            result.values[at] =
                largest(result.values[at], {std::fabs(value.value), value.error, value.is_known});
          else if (output.gather.ends_with("sum"))
            gathered[i][at].add(value);
          else
            result.values[at] = value;
        }
      }
  for (std::size_t i = 0; i < results.size(); ++i)
    if (epilogue.outputs[i].gather.ends_with("sum"))
      for (std::size_t at = 0; at < gathered[i].size(); ++at)
        results[i].values[at] = gathered[i][at].value(compute, epilogue.outputs[i].type);
  return results;
}

bool may_hold(DType type, const PlainValue& expected, double held) {
  if (!expected.is_known) return true;
  const auto [low, high] = ends(expected);
  return to_type(type, low) <= held && held <= to_type(type, high);
}

}  // namespace jute::test
