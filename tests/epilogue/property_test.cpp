// Laws of random expressions: texts, values and bounds.
#include <jute/epilogue/bound.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "epilogue/random_expression.hpp"
#include "support/catch.hpp"

using namespace jute;
using test::RandomExpression;

namespace {

bool same(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

/// C leaves the sign of a zero open; here -0 is less.
float least(float x, float y) { return x == y ? (std::signbit(x) ? x : y) : std::fmin(x, y); }
float greatest(float x, float y) { return -least(-x, -y); }

/// The meaning of a tree without steps: each node by plain recursion. A product that is added is
/// found where the sum is.
struct Plain {
  const EpilogueExpression& expression;
  const EpilogueElement& element;

  [[nodiscard]] const EpilogueNode& at(int place) const {
    return expression.nodes[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] float operand(const EpilogueNode& node, std::size_t i) const {
    return value(node.operands[i]);
  }

  [[nodiscard]] bool is_beta_c(const EpilogueNode& node) const {
    if (node.op != EpilogueOp::multiply) return false;
    const EpilogueOp left = at(node.operands[0]).op, right = at(node.operands[1]).op;
    return (left == EpilogueOp::beta && right == EpilogueOp::c) ||
           (left == EpilogueOp::c && right == EpilogueOp::beta);
  }

  [[nodiscard]] float sum(const EpilogueNode& node) const {
    const float sign = node.op == EpilogueOp::subtract ? -1.0F : 1.0F;
    const EpilogueNode& left = at(node.operands[0]);
    const EpilogueNode& right = at(node.operands[1]);
    const bool right_first = is_beta_c(right) || !is_beta_c(left);
    if (right.op == EpilogueOp::multiply && right_first) {
      if (is_beta_c(right) && element.beta == 0) return operand(node, 0);
      return std::fma(sign * operand(right, 0), operand(right, 1), operand(node, 0));
    }
    if (left.op == EpilogueOp::multiply) {
      const float other = sign * operand(node, 1);
      if (is_beta_c(left) && element.beta == 0) return other;
      return std::fma(operand(left, 0), operand(left, 1), other);
    }
    return operand(node, 0) + sign * operand(node, 1);
  }

  [[nodiscard]] float value(int place) const {
    const EpilogueNode& node = at(place);
    const auto x = [&] { return operand(node, 0); };
    const auto y = [&] { return operand(node, 1); };
    const auto z = [&] { return operand(node, 2); };
    switch (node.op) {
      case EpilogueOp::acc:
        return static_cast<float>(element.acc);
      case EpilogueOp::alpha:
        return static_cast<float>(element.alpha);
      case EpilogueOp::beta:
        return static_cast<float>(element.beta);
      case EpilogueOp::c:
        return static_cast<float>(element.c);
      case EpilogueOp::input:
        return static_cast<float>(element.inputs[static_cast<std::size_t>(node.input)]);
      case EpilogueOp::number:
        return static_cast<float>(node.number);
      case EpilogueOp::negate:
        return -x();
      case EpilogueOp::logical_not:
        return x() == 0 ? 1 : 0;
      case EpilogueOp::multiply:
        if (is_beta_c(node) && element.beta == 0) return 0;
        return x() * y();
      case EpilogueOp::divide:
        return x() / y();
      case EpilogueOp::add:
      case EpilogueOp::subtract:
        return sum(node);
      case EpilogueOp::less:
        return x() < y();
      case EpilogueOp::less_equal:
        return x() <= y();
      case EpilogueOp::greater:
        return x() > y();
      case EpilogueOp::greater_equal:
        return x() >= y();
      case EpilogueOp::equal:
        return x() == y();
      case EpilogueOp::not_equal:
        return x() != y();
      case EpilogueOp::logical_and:
        return x() != 0 && y() != 0;
      case EpilogueOp::logical_or:
        return x() != 0 || y() != 0;
      case EpilogueOp::min:
        return least(x(), y());
      case EpilogueOp::max:
        return greatest(x(), y());
      case EpilogueOp::clamp:
        return least(greatest(x(), y()), z());
      case EpilogueOp::abs:
        return std::fabs(x());
      case EpilogueOp::square:
        return x() * x();
      case EpilogueOp::relu:
        return x() < 0 ? 0 : x();
      case EpilogueOp::leaky_relu:
        return x() < 0 ? x() * y() : x();
      case EpilogueOp::sqrt:
        return std::sqrt(x());
      case EpilogueOp::select:
        return x() != 0 ? y() : z();
      case EpilogueOp::cast:
        return static_cast<float>(decode(node.type, encode(node.type, x())));
      default:
        return x();
    }
  }
};

/// Numbers of every size, and what is none.
double sample(RandomExpression& random) {
  static constexpr double kEdges[] = {0, 1, -1, INFINITY, -INFINITY, NAN, 1e-40, 3e38};
  if (random.below(8) == 0) return static_cast<float>(kEdges[random.below(8)]);
  const double size = std::ldexp(1.0 + random.below(1 << 20) * 0x1p-20, random.below(12) - 6);
  return static_cast<float>(random.below(2) == 0 ? size : -size);
}

EpilogueElement element_of(const EpilogueExpression& expression, RandomExpression& random) {
  EpilogueElement element{.acc = sample(random),
                          .alpha = sample(random),
                          .beta = random.below(3) == 0 ? 0 : sample(random),
                          .c = sample(random)};
  for (std::size_t i = 0; i < expression.inputs.size(); ++i)
    element.inputs.push_back(sample(random));
  return element;
}

/// Around a number, as wide as chance has it.
EpilogueInterval around(double value, RandomExpression& random) {
  if (random.below(3) == 0 || std::isnan(value)) return EpilogueInterval::point(value);
  const double width = std::ldexp(1.0, random.below(30) - 25);
  const auto down = static_cast<float>(value - width), up = static_cast<float>(value + width);
  return {std::min<double>(down, value), std::max<double>(up, value), random.below(16) == 0};
}

double within(const EpilogueInterval& interval, RandomExpression& random) {
  if (interval.is_empty() || (interval.nan && random.below(4) == 0)) return NAN;
  switch (random.below(4)) {
    case 0:
      return interval.low;
    case 1:
      return interval.high;
    default: {
      const double share = random.below(1 << 16) * 0x1p-16;
      const double value = interval.low + share * (interval.high - interval.low);
      const double f32 = static_cast<float>(value);
      return f32 >= interval.low && f32 <= interval.high ? f32 : interval.low;
    }
  }
}

}  // namespace

TEST_CASE("every expression prints to a text that reads as it", "[epilogue][law]") {
  RandomExpression random(7, {});
  for (int n = 0; n < 4000; ++n) {
    const std::string text = random.text();
    INFO(text);
    const EpilogueExpression expression = parse_epilogue(text);
    REQUIRE(broken_rules(expression).empty());
    const std::string printed = to_string(expression);
    REQUIRE(parse_epilogue(printed) == expression);
    REQUIRE(to_string(parse_epilogue(printed)) == printed);
    REQUIRE(in_order(expression) == expression);
  }
}

TEST_CASE("steps compute what the tree says", "[epilogue][law]") {
  RandomExpression random(8, {.functions = false});
  for (int n = 0; n < 4000; ++n) {
    const EpilogueExpression expression = parse_epilogue(random.text());
    const EpilogueArithmetic arithmetic = arithmetic_of(expression);
    const EpilogueElement element = element_of(expression, random);
    const std::vector<double> values = evaluate(arithmetic, DType::f32, element);
    const Plain plain{expression, element};
    for (std::size_t i = 0; i < values.size(); ++i) {
      INFO(to_string(expression) << " output " << i);
      REQUIRE(same(values[i], plain.value(expression.outputs[i].node)));
    }
  }
}

TEST_CASE("a bound holds every value of what it is made of", "[epilogue][law]") {
  for (const auto& [compute, integers] :
       {std::pair(DType::f32, false), std::pair(DType::f64, false), std::pair(DType::s32, true)}) {
    RandomExpression random(9, {.integers = integers});
    for (int n = 0; n < 3000; ++n) {
      const EpilogueExpression expression = parse_epilogue(random.text());
      if (compute_type(expression, compute) != compute) continue;
      const EpilogueArithmetic arithmetic = arithmetic_of(expression);
      EpilogueElement element = element_of(expression, random);
      const auto to_type = [compute = compute](double value) {
        return decode(compute, encode(compute, value));
      };
      const auto interval_of = [&, integers = integers](double value) {
        if (integers) return EpilogueInterval::point(to_type(value));
        return around(value, random);
      };
      EpilogueBounds bounds{.acc = interval_of(element.acc),
                            .alpha = EpilogueInterval::point(to_type(element.alpha)),
                            .beta = EpilogueInterval::point(to_type(element.beta)),
                            .c = EpilogueInterval::point(to_type(element.c))};
      if (integers && random.below(2) == 0)
        bounds.acc.high = std::min(bounds.acc.low + 9, 2147483647.0);
      for (const double input : element.inputs) bounds.inputs.push_back(interval_of(input));
      const std::vector<EpilogueInterval> result = bound(arithmetic, compute, bounds);
      for (int turn = 0; turn < 8; ++turn) {
        element.acc = to_type(within(bounds.acc, random));
        element.alpha = to_type(element.alpha);
        element.beta = to_type(element.beta);
        element.c = to_type(element.c);
        for (std::size_t i = 0; i < element.inputs.size(); ++i)
          element.inputs[i] = to_type(within(bounds.inputs[i], random));
        const std::vector<double> values = evaluate(arithmetic, compute, element);
        for (std::size_t i = 0; i < values.size(); ++i) {
          INFO(to_string(expression)
               << " output " << i << " in " << name(compute) << ": " << values[i] << " of "
               << result[i].low << " to " << result[i].high << (result[i].nan ? " or none" : ""));
          REQUIRE(result[i].contains(values[i]));
        }
      }
    }
  }
}

TEST_CASE("exact operations on numbers lose nothing in the bound", "[epilogue][law]") {
  RandomExpression random(10, {.functions = false});
  for (int n = 0; n < 2000; ++n) {
    const EpilogueExpression expression = parse_epilogue(random.text());
    if (names(expression, EpilogueOp::divide)) continue;  // the sign of zero is not followed
    const EpilogueArithmetic arithmetic = arithmetic_of(expression);
    const EpilogueElement element = element_of(expression, random);
    EpilogueBounds bounds{.acc = EpilogueInterval::point(element.acc),
                          .alpha = EpilogueInterval::point(element.alpha),
                          .beta = EpilogueInterval::point(element.beta),
                          .c = EpilogueInterval::point(element.c)};
    for (const double input : element.inputs)
      bounds.inputs.push_back(EpilogueInterval::point(input));
    const std::vector<EpilogueInterval> result = bound(arithmetic, DType::f32, bounds);
    const std::vector<double> values = evaluate(arithmetic, DType::f32, element);
    for (std::size_t i = 0; i < values.size(); ++i) {
      INFO(to_string(expression));
      if (std::isnan(values[i])) {
        REQUIRE(result[i].nan);
      } else {
        REQUIRE(result[i] == EpilogueInterval::point(values[i]));
      }
    }
  }
}

TEST_CASE("the sign of a zero is not followed where it decides", "[epilogue]") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const char* text : {"rsqrt(acc*s)", "1/(acc*s)", "1/rsqrt(-(acc*s))", "rsqrt(acc*0)"})
    for (const DType compute : {DType::f32, DType::f64})
      for (const double zero : {0.0, -0.0})
        for (const double end : {1.0, -1.0}) {
          INFO(text << " " << zero << " " << end);
          EpilogueBounds element{.acc = {std::min(end, -end / 4), std::max(end, -end / 4)}};
          element.inputs = {EpilogueInterval::point(zero)};
          const EpilogueArithmetic arithmetic = arithmetic_of(parse_epilogue(text));
          const EpilogueInterval lies = bound(arithmetic, compute, element).at(0);
          for (const double acc : {element.acc.low, element.acc.high, 0.0, -0.0}) {
            const double value =
                evaluate(arithmetic, compute, {.acc = acc, .inputs = {zero}}).at(0);
            CHECK(lies.contains(value));
          }
          if (std::string_view(text).starts_with("rsqrt")) {
            CHECK(lies.contains(infinity));
            CHECK(lies.contains(-infinity));
          }
        }
}

TEST_CASE("an undecided comparison takes both branches, a decided one its own",
          "[epilogue][bound]") {
  const auto bound_of = [](const char* text, EpilogueInterval acc) {
    return bound(arithmetic_of(parse_epilogue(text)), DType::f32, {.acc = acc})[0];
  };
  CHECK(bound_of("select(acc > 0, acc, -8)", {-1, 2}) == EpilogueInterval{-8, 2});
  CHECK(bound_of("select(acc > 0, acc, -8)", {1, 2}) == EpilogueInterval{1, 2});
  CHECK(bound_of("select(acc > 0, acc, -8)", {-2, 0}) == EpilogueInterval::point(-8));
  CHECK(bound_of("select(acc > 0, 1, 2)", {1, 2, true}) == EpilogueInterval{1, 2});
  CHECK(bound_of("max(acc, 0)", {1, 2, true}) == EpilogueInterval{0, 2});
  CHECK(bound_of("relu(acc)", {1, 2, true}) == EpilogueInterval{1, 2, true});
  CHECK(bound_of("abs(acc)", {-3, 2}) == EpilogueInterval{0, 3});
  CHECK(bound_of("sqrt(acc)", {-4, 4}) == EpilogueInterval{0, 2, true});
  CHECK(bound_of("1/acc", {-1, 1}) == EpilogueInterval{-INFINITY, INFINITY});
  CHECK(bound_of("acc - acc", {-INFINITY, 0}) == EpilogueInterval{-INFINITY, INFINITY, true});
  CHECK(bound_of("u8(acc)", {-5, 3, true}) == EpilogueInterval{0, 3});
  // The least value of silu lies within.
  const EpilogueInterval silu = bound_of("silu(acc)", {-5, 0});
  CHECK(silu.low < -0.278464);
  CHECK(silu.low > -0.278475);
  CHECK(bound_of("leaky_relu(acc, nan)", {-3, 2}) == EpilogueInterval{0, 2, true});
  // Powers of what is negative are numbers where the exponent is whole.
  CHECK(bound_of("square(acc)", {-3, 2}) == EpilogueInterval{0, 9});
  const EpilogueInterval cube = bound_of("pow(acc, 3)", {-2, 3});
  CHECK((cube.contains(-8) && cube.contains(27) && cube.low > -8.001 && cube.high < 27.001));
  CHECK(!cube.nan);
  CHECK(bound_of("pow(acc, 0.5)", {-2, 3}).nan);
  const EpilogueInterval root = bound_of("pow(acc, 0.5)", {0, 4});
  CHECK((root.contains(0) && root.contains(2) && root.high < 2.001 && !root.nan));
  CHECK(bound_of("hardswish(acc)", {-5, 0}).contains(-0.375));
  CHECK(rounded({0.9, 448.5, true}, DType::e4m3) == EpilogueInterval{0.875, 448, true});
  CHECK(rounded({0.9, 448.5, true}, DType::s8) == EpilogueInterval{0, 127});
}
