// The judge itself: values, bounds, what it tells apart and what it lets pass.
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/gemm/reference.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace jute;
using jute::test::refusal_of;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Problem packed_problem(Index m, Index n, Index k, DType type = DType::f32) {
  Problem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.a.type = problem.b.type = type;
  problem.c.type = problem.d.type = is_integer(type) ? DType::s32 : type;
  return completed(problem);
}

std::vector<double> normal_values(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& value : values) value = normal(random);
  return values;
}

/// float32 sums in order of k by fused multiply-add, as a SIMT kernel computes them; `skipped_k` is
/// left out.
std::vector<double> fma_result(const Problem& p, const std::vector<double>& a,
                               const std::vector<double>& b, Index skipped_k = -1) {
  std::vector<double> d;
  for (Index m = 0; m < p.m; ++m)
    for (Index n = 0; n < p.n; ++n) {
      float sum = 0;
      for (Index k = 0; k < p.k; ++k)
        if (k != skipped_k)
          sum = std::fma(static_cast<float>(a[static_cast<size_t>(m * p.k + k)]),
                         static_cast<float>(b[static_cast<size_t>(k * p.n + n)]), sum);
      d.push_back(sum);
    }
  return d;
}

struct Data {
  std::vector<std::byte> a, b, c;
  [[nodiscard]] HostOperands operands() const { return {a, b, c}; }
};

}  // namespace

TEST_CASE("the reference is the sum of products, scaled, plus the scaled addend",
          "[gemm][reference]") {
  const Problem problem = packed_problem(2, 3, 2);
  const Data data{encode(DType::f32, std::vector<double>{1, 2, 3, 4}),
                  encode(DType::f32, std::vector<double>{5, 6, 7, 8, 9, 10}),
                  encode(DType::f32, std::vector<double>{1, 1, 1, 2, 2, 2})};
  const Reference reference = reference_gemm(problem, data.operands(), 2, 10, 0x1p-24);
  CHECK(reference.value == std::vector<double>{52, 58, 64, 114, 128, 142});
  // (K+2) u |alpha| (|A||B|) + u_out |value| + 4 u |beta C|, with both units 2^-24
  CHECK(reference.bound[0] == 0x1p-24 * (4 * 2 * 21 + 52 + 4 * 10));
}

TEST_CASE("beta 0 never reads C, not even where it is NaN or absent", "[gemm][reference]") {
  const Problem problem = packed_problem(1, 1, 1);
  Data data{encode(DType::f32, std::vector<double>{3}), encode(DType::f32, std::vector<double>{4}),
            encode(DType::f32, std::vector<double>{std::nan("")})};
  CHECK(reference_gemm(problem, data.operands(), 1, 0, 0x1p-24).value[0] == 12);
  CHECK(std::isnan(reference_gemm(problem, data.operands(), 1, 1, 0x1p-24).value[0]));
  data.c.clear();
  CHECK(reference_gemm(problem, data.operands(), 1, 0, 0x1p-24).value[0] == 12);
  CHECK(refusal_of([&] {
          return reference_gemm(problem, data.operands(), 1, 1, 0x1p-24);
        }).operand == "c");
}

TEST_CASE("strides, orders, batches and broadcasting address the element meant",
          "[gemm][reference]") {
  Problem problem;
  problem.m = problem.n = problem.batch = 2;
  problem.k = 1;
  problem.a.order = Order::col;  // column k at k * ld
  problem.a.ld_elems = 3;
  problem.a.batch_stride_elems = 5;
  problem.b.broadcast = true;
  problem.d.order = Order::col;
  problem.d.ld_elems = 3;
  const Problem whole = completed(problem);
  CHECK(operand_bytes(whole) == OperandBytes{28, 8, 32, 44});
  const Data data{encode(DType::f32, std::vector<double>{1, 2, -1, -1, -1, 3, 4}),
                  encode(DType::f32, std::vector<double>{10, 100}),
                  {}};
  const Reference reference = reference_gemm(problem, data.operands(), 1, 0, 0x1p-24);
  CHECK(reference.value == std::vector<double>{10, 100, 20, 200, 30, 300, 40, 400});
  const auto d = encode(DType::f32, std::vector<double>{10, 20, -7, 100, 200, -7,  //
                                                        30, 40, -7, 300, 400});
  CHECK(compare(problem, reference, d).ok);
  const auto transposed = encode(DType::f32, std::vector<double>{10, 100, -7, 20, 200, -7,  //
                                                                 30, 300, -7, 40, 400});
  const Verdict verdict = compare(problem, reference, transposed);
  CHECK(verdict.wrong == 4);
  CHECK(std::tuple{verdict.batch, verdict.row, verdict.col} == std::tuple{0, 0, 1});
}

TEST_CASE("integers are exact, and beyond float64's reach too", "[gemm][reference]") {
  const Problem problem = packed_problem(1, 1, 3, DType::s8);
  const Data data{encode(DType::s8, std::vector<double>{127, -128, 1}),
                  encode(DType::s8, std::vector<double>{127, 127, 1}),
                  encode(DType::s32, std::vector<double>{5})};
  const Reference reference = reference_gemm(problem, data.operands(), 3, 2, 0);
  CHECK(reference.value[0] == 3 * (127 * 127 - 128 * 127 + 1) + 10);
  CHECK(reference.bound[0] == 0);
  auto d = encode(DType::s32, std::vector<double>{reference.value[0]});
  CHECK(compare(problem, reference, d).ok);
  d[0] ^= std::byte{1};
  CHECK(compare(problem, reference, d).wrong == 1);
}

TEST_CASE("a correct float32 result passes and one dropped k index does not", "[gemm][reference]") {
  for (const Index k : {1, 17, 64, 255, 400}) {
    const Problem problem = packed_problem(24, 20, k);
    const auto a = normal_values(static_cast<size_t>(problem.m * k), 1);
    const auto b = normal_values(static_cast<size_t>(problem.n * k), 2);
    const Data data{encode(DType::f32, a), encode(DType::f32, b), {}};
    const Reference reference = reference_gemm(
        problem, data.operands(), 1, 0, accumulator_roundoff(DType::f32, ProductUnit::thread));
    CHECK(compare(problem, reference, encode(DType::f32, fma_result(problem, a, b))).ok);
    for (Index skipped = 0; skipped < k; skipped += std::max<Index>(1, k / 8)) {
      const auto d = encode(DType::f32, fma_result(problem, a, b, skipped));
      const Verdict verdict = compare(problem, reference, d);
      CHECK_FALSE(verdict.ok);
      CHECK(verdict.wrong > problem.m * problem.n * 9 / 10);
    }
  }
}

TEST_CASE("a verdict says how much of the worst error is by rounding to D's type",
          "[gemm][reference]") {
  for (const DType type : {DType::f16, DType::bf16, DType::f32}) {
    const Problem problem = packed_problem(24, 20, 128, type);
    const Data data{
        encode(type, normal_values(24 * 128, 1)), encode(type, normal_values(20 * 128, 2)), {}};
    const Reference reference = reference_gemm(problem, data.operands(), 1, 0, 0x1p-23);
    const Verdict nearest = compare(problem, reference, encode(type, reference.value));
    CHECK(nearest.worst_rounding > 0);
    CHECK(nearest.worst_rounding == nearest.worst_error);
    CHECK(to_string(nearest).find(" by rounding to " + std::string(name(type)) + ", where") !=
          std::string::npos);
    // One element a bit too large: its own rounding is less than its error.
    std::vector<double> off = reference.value;
    const auto largest = std::ranges::max_element(off);
    *largest *= 1.25;
    const Verdict wrong = compare(problem, reference, encode(type, off));
    CHECK(wrong.wrong == 1);
    CHECK(wrong.worst_rounding <= nearest.worst_error);
    CHECK(wrong.worst_error > 2 * wrong.worst_rounding);
  }
  const Problem whole = packed_problem(2, 2, 2, DType::s8);
  const Data data{encode(DType::s8, std::vector<double>{1, 2, 3, 4}),
                  encode(DType::s8, std::vector<double>{5, 6, 7, 8}),
                  {}};
  const Reference reference = reference_gemm(whole, data.operands(), 1, 0, 0);
  const Verdict exact = compare(whole, reference, encode(DType::s32, reference.value));
  CHECK(exact.worst_rounding == 0);
  CHECK(to_string(exact).find("rounding") == std::string::npos);
}

TEST_CASE("a dropped k index shows in bf16 results as well", "[gemm][reference]") {
  const Problem problem = packed_problem(24, 20, 128, DType::bf16);
  auto a = normal_values(static_cast<size_t>(24 * 128), 1);
  auto b = normal_values(static_cast<size_t>(20 * 128), 2);
  const Data data{encode(DType::bf16, a), encode(DType::bf16, b), {}};
  a = decode(DType::bf16, data.a);
  b = decode(DType::bf16, data.b);
  const Reference reference = reference_gemm(
      problem, data.operands(), 1, 0, accumulator_roundoff(DType::f32, ProductUnit::tensor_core));
  CHECK(compare(problem, reference, encode(DType::bf16, fma_result(problem, a, b))).ok);
  CHECK_FALSE(compare(problem, reference, encode(DType::bf16, fma_result(problem, a, b, 77))).ok);
}

TEST_CASE("NaN must meet NaN and infinity the same infinity", "[gemm][reference]") {
  const Problem problem = packed_problem(1, 4, 2);
  const Data data{encode(DType::f32, std::vector<double>{kInfinity, 1}),
                  encode(DType::f32, std::vector<double>{1, 0, -1, 1, /**/ 1, 1, 1, -kInfinity}),
                  {}};
  const Reference reference = reference_gemm(problem, data.operands(), 1, 0, 0x1p-24);
  const double nan = std::nan("");
  const auto passes = [&](const std::vector<double>& d) {
    return compare(problem, reference, encode(DType::f32, d)).wrong;
  };
  CHECK(passes({kInfinity, nan, -kInfinity, nan}) == 0);
  CHECK(passes({nan, kInfinity, kInfinity, 0}) == 4);
  CHECK(passes({1e30, 1e30, 1e30, 1e30}) == 4);
}

TEST_CASE("a finite sum beyond D's range is infinity, at its edge either", "[gemm][reference]") {
  Problem problem = packed_problem(1, 2, 1, DType::f16);
  const Data data{encode(DType::f16, std::vector<double>{256}),
                  encode(DType::f16, std::vector<double>{512, 255.875}),
                  {}};
  const Reference reference = reference_gemm(problem, data.operands(), 1, 0, 0x1p-24);
  const auto passes = [&](double first, double second) {
    return compare(problem, reference, encode(DType::f16, std::vector<double>{first, second})).ok;
  };
  CHECK(passes(kInfinity, 65504));
  CHECK(passes(kInfinity, kInfinity));
  CHECK_FALSE(passes(65504, 65504));
  CHECK_FALSE(passes(kInfinity, -kInfinity));
}

TEST_CASE("what may overflow the accumulator is not judged", "[gemm][reference]") {
  const Problem problem = packed_problem(1, 1, 2);
  const Data data{encode(DType::f32, std::vector<double>{3e38, -3e38}),
                  encode(DType::f32, std::vector<double>{1, 1}),
                  {}};
  const Reference reference = reference_gemm(problem, data.operands(), 1, 0, 0x1p-24);
  CHECK(reference.value[0] == 0);
  CHECK(std::isinf(reference.bound[0]));
  CHECK(compare(problem, reference, encode(DType::f32, std::vector<double>{-kInfinity})).ok);
}

TEST_CASE("subnormal factors are aligned as normal ones, by tensor cores alone",
          "[gemm][reference]") {
  const auto bound_of = [](DType type, double a) {
    Problem problem = packed_problem(1, 1, 2);
    problem.a.type = problem.b.type = type;
    const Data data{
        encode(type, std::vector<double>{a, a}), encode(type, std::vector<double>{1, 1}), {}};
    const double u = 0x1p-23;
    const double all = reference_gemm(completed(problem), data.operands(), 1, 0, u).bound[0];
    const Reference one = reference_elements(completed(problem), data.operands(),
                                             std::vector<ResultElement>{{0, 0, 0}}, 1, 0, u);
    CHECK(one.bound[0] == all);
    return (all - 0x1p-24 * 2 * a) / (4 * u * 2);  // of (K+2) u (|A||B|) + u_out |D|
  };
  for (const DType type : {DType::f16, DType::e5m2}) {
    CHECK(std::abs(bound_of(type, 0x1p-16) - 0x1p-14) < 0x1p-30);
    CHECK(std::abs(bound_of(type, 0x1p-13) - 0x1p-13) < 0x1p-30);
  }
  CHECK(std::abs(bound_of(DType::e4m3, 0x1p-9) - 0x1p-6) < 0x1p-30);
  CHECK(std::abs(bound_of(DType::f32, 0x1p-16) - 0x1p-16) < 0x1p-30);
}

TEST_CASE("so are those of a gate's columns", "[gemm][reference]") {
  const auto bound_of = [](DType type, double gate) {
    Problem problem = packed_problem(1, 1, 2);
    problem.a.type = problem.b.type = type;
    problem.b.order = Order::col;  // the gate's column ahead of the other
    problem.b.ld_elems = problem.b.batch_stride_elems = 2;
    problem.alpha = Factor::one;
    problem.epilogue = Epilogue{.expression = parse_epilogue("gate - acc")};
    const Problem gated = completed(problem);
    const Data data{encode(type, std::vector<double>{1, 1}),
                    encode(type, std::vector<double>{gate, gate, 0, 0}),
                    {}};
    const double u = 0x1p-23;
    const double all = reference_gemm(gated, data.operands(), 1, 0, u).bound[0];
    const Reference one =
        reference_elements(gated, data.operands(), std::vector<ResultElement>{{0, 0, 0}}, 1, 0, u);
    CHECK(one.value[0] == 2 * gate);
    CHECK(one.bound[0] == all);
    return all / (4 * u * 2);  // (K+2) u (|A||B|), and what rounding leaves
  };
  CHECK(bound_of(DType::f16, 0x1p-16) >= 0x1p-14);
  CHECK(bound_of(DType::f16, 0x1p-16) < 0x1p-13);
  CHECK(bound_of(DType::f16, 0x1p-13) < 0x1p-12);
  CHECK(bound_of(DType::e4m3, 0x1p-9) >= 0x1p-6);
  CHECK(bound_of(DType::f32, 0x1p-16) < 0x1p-15);
}

TEST_CASE("what overflows float64 is not judged either, but infinities are", "[gemm][reference]") {
  const Problem problem = packed_problem(1, 1, 2, DType::f64);
  const auto passes = [&](std::vector<double> a, double d) {
    const Data data{
        encode(DType::f64, a), encode(DType::f64, std::vector<double>{1e200, 1e200}), {}};
    const Reference reference = reference_gemm(problem, data.operands(), 1, 0, 0x1p-53);
    return compare(problem, reference, encode(DType::f64, std::vector<double>{d})).ok;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double d : {nan, kInfinity, -kInfinity, 0.0}) CHECK(passes({1e200, -2e200}, d));
  CHECK(passes({kInfinity, 1}, kInfinity));
  CHECK_FALSE(passes({kInfinity, 1}, nan));
  CHECK_FALSE(passes({1, 2}, kInfinity));
}

TEST_CASE("products below the accumulator's range are judged by its smallest value",
          "[gemm][reference]") {
  const Problem problem = packed_problem(16, 16, 8);
  std::vector<double> a = normal_values(128, 5), b = normal_values(128, 6);
  for (double& value : a) value = std::ldexp(value, -70);
  for (double& value : b) value = std::ldexp(value, -75);  // products of about 16 smallest values
  const Data data{encode(DType::f32, a), encode(DType::f32, b), {}};
  a = decode(DType::f32, data.a);
  b = decode(DType::f32, data.b);
  const auto judged = [&](std::vector<double> d, double alpha) {
    for (double& value : d) value = static_cast<float>(alpha) * static_cast<float>(value);
    const Reference reference = reference_gemm(problem, data.operands(), alpha, 0, 0x1p-24);
    return compare(problem, reference, encode(DType::f32, d));
  };
  CHECK(judged(fma_result(problem, a, b), 1).ok);
  CHECK(judged(fma_result(problem, a, b), 1).worst_error > 0);
  CHECK(judged(fma_result(problem, a, b), 0.375).ok);
  CHECK_FALSE(judged(fma_result(problem, a, b, 3), 1).ok);
  CHECK_FALSE(judged(std::vector<double>(256, 0), 1).ok);
}

TEST_CASE("sampled elements get the same value and bound as the whole result",
          "[gemm][reference]") {
  Problem problem = packed_problem(31, 17, 45);
  problem.batch = 3;
  problem.a.batch_stride_elems = 31 * 45;
  problem.b = {.broadcast = true};
  const Data data{encode(DType::f32, normal_values(3 * 31 * 45, 5)),
                  encode(DType::f32, normal_values(17 * 45, 6)),
                  {}};
  problem.d.batch_stride_elems = 31 * 17;
  const Reference whole = reference_gemm(problem, data.operands(), 1.5, 0, 0x1p-24);
  const auto elements = sample_elements(problem, 40, 9);
  REQUIRE(elements.size() == 48);
  const Reference sampled = reference_elements(problem, data.operands(), elements, 1.5, 0, 0x1p-24);
  for (size_t i = 0; i < elements.size(); ++i) {
    const auto [batch, row, col] = elements[i];
    const auto at = static_cast<size_t>((batch * 31 + row) * 17 + col);
    CHECK(std::abs(sampled.value[i] - whole.value[at]) <= 1e-13);
    CHECK(std::abs(sampled.bound[i] - whole.bound[at]) <= 1e-12 * whole.bound[at]);
  }
  auto d = encode(DType::f32, whole.value);
  CHECK(compare_elements(problem, sampled, elements, d).ok);
  d.assign(d.size(), std::byte{0x3f});
  CHECK(compare_elements(problem, sampled, elements, d).wrong == 48);
  CHECK(sample_elements(packed_problem(0, 5, 5), 40, 9).empty());
}

TEST_CASE("float64 is judged by more than float64", "[gemm][reference]") {
  const Problem problem = packed_problem(1, 1, 3, DType::f64);
  const Data data{encode(DType::f64, std::vector<double>{1, 0x1p-60, -1}),
                  encode(DType::f64, std::vector<double>{1, 1, 1}),
                  {}};
  CHECK(reference_gemm(problem, data.operands(), 1, 0, 0x1p-53).value[0] == 0x1p-60);
}

TEST_CASE("an empty K gives the scaled addend, an empty result gives nothing",
          "[gemm][reference]") {
  const Problem no_k = packed_problem(1, 2, 0);
  const Data data{{}, {}, encode(DType::f32, std::vector<double>{1, 2})};
  CHECK(reference_gemm(no_k, data.operands(), 1, 3, 0x1p-24).value == std::vector<double>{3, 6});
  CHECK(reference_gemm(packed_problem(0, 2, 2), {}, 1, 0, 0x1p-24).value.empty());
}

// What lies between is held to its own bound, which the next product's grows by.
TEST_CASE("a chain of products is judged by its first operands", "[gemm][reference]") {
  const Problem first = packed_problem(6, 8, 300), second = packed_problem(6, 5, 8);
  const auto rounded_values = [](size_t count, unsigned seed) {
    return decode(DType::f32, encode(DType::f32, normal_values(count, seed)));
  };
  const auto a = rounded_values(6 * 300, 1), b = rounded_values(300 * 8, 2),
             c = rounded_values(8 * 5, 3);
  const double u = accumulator_roundoff(DType::f32, ProductUnit::thread);
  const Data of_first{encode(DType::f32, a), encode(DType::f32, b), {}};
  const ComputedOperand between =
      computed_operand(first, reference_gemm(first, of_first.operands(), 1, 0, u));
  const auto is_right = [&](const std::vector<double>& left, const ComputedOperand* computed) {
    const Data of_second{encode(DType::f32, left), encode(DType::f32, c), {}};
    HostOperands operands = of_second.operands();
    operands.computed_a = computed;
    const Reference reference = reference_gemm(second, operands, 1, 0, u);
    return compare(second, reference, encode(DType::f32, fma_result(second, left, c))).ok;
  };
  CHECK(is_right(fma_result(first, a, b), &between));
  const std::vector<double> wrong = fma_result(first, a, b, 7);
  CHECK(is_right(wrong, nullptr));  // of what it was given
  CHECK_FALSE(is_right(wrong, &between));
}
