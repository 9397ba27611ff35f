// Every row of the table: what its CUDA text computes on the emulator, against its value.
#include <cmath>
#include <limits>
#include <random>

#include "epilogue/expression_kernel.hpp"
#include "support/catch.hpp"

using namespace jute;
using test::Samples;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

bool same_bits(DType type, double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return encode(type, x) == encode(type, y);
}

double to_type(DType type, double value) { return decode(type, encode(type, value)); }

/// Dense where functions bend, sparse to the ends of the type; infinities, no number, subnormals.
std::vector<double> sweep(DType type) {
  std::vector<double> values{0.0, -0.0, kInfinity, -kInfinity, kNan};
  for (int i = -1200; i <= 1200; ++i) values.push_back(i / 100.0 + 0.0017);
  for (int i = -800; i <= 800; ++i) values.push_back(i / 8.0);
  const int least = type == DType::f64 ? -1074 : -149, most = type == DType::f64 ? 1023 : 127;
  for (int exponent = least; exponent <= most; exponent += type == DType::f64 ? 9 : 1)
    for (const double factor : {1.0, -1.0, 1.37, -1.71})
      values.push_back(std::ldexp(factor, exponent));
  for (double& value : values) value = to_type(type, value);
  return values;
}

/// What an approximate function is asked for: each x, and each exponent where it takes two.
Samples asked_of(const EpilogueOperation& row, DType type) {
  if (row.arity == 1) return {.x = sweep(type)};
  Samples all;
  for (const double y : {0.0, -0.0, 1.0, -1.0, 2.0, 3.0, -7.0, 0.5, -0.75, 1 / 3.0, 17.25, 1e-6,
                         -1e5, kInfinity, -kInfinity, kNan})
    for (const double x : sweep(type)) {
      all.x.push_back(x);
      all.y.push_back(to_type(type, y));
    }
  return all;
}

/// The power series.
long double small_erf(long double x) {
  long double sum = 0, power = x;
  for (int n = 0; n < 20; ++n) {
    sum += power / (2 * n + 1);
    power *= -x * x / (n + 1);
  }
  return sum * 2 / std::sqrt(std::acos(-1.0L));
}

/// The functions again, in extended precision and other words than the table's.
long double reference(EpilogueOp op, long double x, long double y) {
  switch (op) {
    case EpilogueOp::exp:
      return std::exp(x);
    case EpilogueOp::log:
      return std::log(x);
    case EpilogueOp::tanh:
      return x < 0 ? std::expm1(2 * x) / (std::expm1(2 * x) + 2)
                   : -std::expm1(-2 * x) / (std::expm1(-2 * x) + 2);
    case EpilogueOp::sigmoid:
      return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
    case EpilogueOp::erf:
      return std::abs(x) < 0.5L ? small_erf(x) : x < 0 ? std::erfc(-x) - 1 : 1 - std::erfc(x);
    case EpilogueOp::gelu:
      return x * (std::erfc(-x * std::sqrt(0.5L)) / 2);
    case EpilogueOp::gelu_tanh: {
      const long double u = std::sqrt(2 / std::acos(-1.0L)) * (x + 0.044715L * x * x * x);
      return x / (1 + std::exp(-2 * u));
    }
    case EpilogueOp::silu:
      return x / (1 + std::exp(-x));
    case EpilogueOp::hardswish:
      return x > 3 ? x : x < -3 ? x * 0 : x * (x + 3) / 6;
    case EpilogueOp::rsqrt:
      return 1 / std::sqrt(x);
    case EpilogueOp::pow:
      return std::pow(x, y);
    default:
      return kNan;
  }
}

/// How much of what its row allows an approximate function uses, at most.
struct Use {
  double worst = 0, at = 0;
  int wrong = 0;
};
Use use_of(const EpilogueOperation& row, DType compute, EpilogueAccuracy accuracy) {
  const EpilogueError& error = cuda_of(row, compute, accuracy).error;
  const Samples asked = asked_of(row, compute);
  const std::vector<double>& xs = asked.x;
  const std::string text = std::string(row.spelling) + (row.arity == 1 ? "(acc)" : "(acc, y)");
  const std::vector<double> found = test::run_on_emulator(text, compute, accuracy, asked);
  const bool is_wide = compute == DType::f64;
  Use use;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double x = xs[i], y = found[i];
    const auto right = static_cast<double>(reference(row.op, x, row.arity == 1 ? 0 : asked.y[i]));
    if (x == -kInfinity && row.op == EpilogueOp::gelu) {
      use.wrong += y != 0;  // the limit
      continue;
    }
    if (std::isnan(right) || std::isnan(y)) {
      use.wrong += std::isnan(right) != std::isnan(y);
      continue;
    }
    const double rounded = to_type(compute, right);
    const double unit = std::max(std::ldexp(std::abs(rounded), is_wide ? -52 : -23),
                                 is_wide ? 0x1p-1074 : 0x1p-149);
    const double allowed =
        (error.ulps + 1) * unit + error.absolute + error.of_operand * std::abs(x);
    const double off = std::isinf(rounded) ? (y == rounded ? 0 : kInfinity) : std::abs(y - right);
    if (off / allowed > use.worst) use = {off / allowed, x, use.wrong};
  }
  return use;
}

}  // namespace

TEST_CASE("approximate functions keep to the errors of their rows", "[epilogue][functions]") {
  for (const EpilogueOperation& row : epilogue_operations()) {
    if (!row.is_approximate()) continue;
    for (const auto& [compute, accuracy] : {std::pair(DType::f32, EpilogueAccuracy::full),
                                            std::pair(DType::f32, EpilogueAccuracy::half),
                                            std::pair(DType::f64, EpilogueAccuracy::full)}) {
      const Use use = use_of(row, compute, accuracy);
      INFO(row.spelling << " in " << name(compute) << " at " << use.at << " uses " << use.worst);
      CHECK(use.worst <= 1);
      CHECK(use.wrong == 0);
    }
  }
}

TEST_CASE("host values of functions are theirs, rounded", "[epilogue][functions]") {
  const auto is_near = [](DType type, double value, double right) {
    if (std::isnan(right) || std::isinf(right)) return same_bits(type, value, right);
    if (type == DType::f64)
      return std::abs(value - right) <= std::max(std::abs(right) * 0x1p-50, 0x1p-1072);
    const float f32 = static_cast<float>(right);
    return value == f32 || value == std::nextafter(f32, INFINITY) ||
           value == std::nextafter(f32, -INFINITY);
  };
  for (const EpilogueOperation& row : epilogue_operations()) {
    if (!row.is_approximate()) continue;
    for (const DType type : {DType::f32, DType::f64}) {
      int wrong = 0;
      double at = 0;
      const Samples asked = asked_of(row, type);
      for (std::size_t i = 0; i < asked.x.size(); ++i) {
        const double x = asked.x[i], y = row.arity == 1 ? 0 : asked.y[i];
        const bool is_limit = row.op == EpilogueOp::gelu && x == -kInfinity;
        const auto right = is_limit ? -0.0 : static_cast<double>(reference(row.op, x, y));
        if (is_near(type, epilogue_value({.op = row.op}, type, x, y), right)) continue;
        ++wrong;
        at = x;
      }
      INFO(row.spelling << "(" << at << ") in " << name(type));
      CHECK(wrong == 0);
    }
  }
}

namespace {

/// All triples of a few values that are edges somewhere.
Samples triples(DType type) {
  std::vector<double> edges{0.0, -0.0, 1, -1, 0.5, 2.75, -3.5, 100, -448, 3e9, -3e9, 1e-5};
  if (type == DType::s32) {
    edges = {0, 1, -1, 2, -7, 46341, 2147483647, -2147483648.0, 1073741824, -65537};
  } else {
    for (const double more :
         {kInfinity, -kInfinity, kNan, 1e-40, 3.4e38, 1.0000001, 464.0, 65519.0})
      edges.push_back(to_type(type, more));
    for (double& edge : edges) edge = to_type(type, edge);
  }
  Samples all;
  for (const double x : edges)
    for (const double y : edges)
      for (const double z : edges) {
        all.x.push_back(x);
        all.y.push_back(y);
        all.z.push_back(z);
      }
  return all;
}

void check_exact(const std::string& text, DType compute) {
  const EpilogueArithmetic arithmetic = arithmetic_of(parse_epilogue(text));
  const Samples samples = triples(compute);
  const std::vector<double> found =
      test::run_on_emulator(text, compute, EpilogueAccuracy::full, samples);
  int wrong = 0;
  std::string first;
  for (std::size_t i = 0; i < samples.x.size(); ++i) {
    const double x = samples.x[i], y = samples.y[i], z = samples.z[i];
    const std::vector<double> right =
        evaluate(arithmetic, compute, {.acc = x, .alpha = y, .beta = z, .c = y, .inputs = {y, z}});
    for (std::size_t output = 0; output < right.size(); ++output) {
      const double value = found[output * samples.x.size() + i];
      if (same_bits(compute, value, right[output])) continue;
      if (wrong++ == 0)
        first = "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) +
                ") gives " + std::to_string(value) + ", not " + std::to_string(right[output]);
    }
  }
  INFO(text << " in " << name(compute) << ": " << first);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("exact operations give the host's bits", "[epilogue][functions]") {
  const std::string arithmetic =
      "d = -acc; o1 = acc*y + z; o2 = acc*y - z; o3 = z - acc*y; o4 = acc*y; o5 = acc + y; "
      "o6 = acc - y; o7 = acc - beta*c";
  const std::string choices =
      "d = min(acc, y); o1 = max(acc, y); o2 = clamp(acc, y, z); o3 = abs(acc); "
      "o4 = select(acc < y and acc != z or not (acc >= z), y, z); o5 = bit(acc == y); "
      "o6 = select(acc <= y, square(acc) + 1, max(acc + y, acc)); o7 = beta*c - acc";
  for (const DType compute : {DType::f32, DType::f64, DType::s32}) {
    check_exact(arithmetic, compute);
    check_exact(choices, compute);
  }
  for (const DType compute : {DType::f32, DType::f64}) {
    check_exact(
        "d = acc/y; o1 = sqrt(acc); o2 = relu(acc - y); o3 = leaky_relu(acc, y); "
        "o4 = silu(0)*(beta*c) + square(acc); o5 = min(acc, nan); o6 = acc*1e-3 + inf; o7 = bit(y "
        "> acc)",
        compute);
    check_exact(
        "d = f16(acc*y); o1 = bf16(acc*y); o2 = tf32(acc*y); o3 = e4m3(acc*y); "
        "o4 = e5m2(acc*y); o5 = s8(acc*y); o6 = u8(acc*y); o7 = s32(acc*y)",
        compute);
    check_exact(
        "d = f32(acc*y); o1 = f64(acc*y); o2 = e4m3(acc); o3 = f16(acc*1e-5); "
        "o4 = bf16(acc*1e-39); o5 = e5m2(acc*1e-3)",
        compute);
  }
}
