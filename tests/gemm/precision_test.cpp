// f32 products by tensor cores: within their own bound, which is not above that of f32 itself.
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/gemm_case.hpp"
#include "support/orders.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/epilogue/expression.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/split.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

using namespace jute;
using namespace jute::test;

namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

/// A problem with edges of some kind.
struct Row {
  Precision precision;
  Order a, b, d;
  Index m, n, k, batch;
  Index gap;      ///< elements behind each row and each matrix
  int alignment;  ///< bytes
  Fill fill;
  const char* config;
};
// clang-format off
constexpr Row kRows[] = {
  // precision           a     b     d      m    n    k  batch gap align fill            config
  {Precision::tf32x3, kRow, kCol, kRow,  72,  96, 128, 1, 0, 16, Fill::integers, ""},
  {Precision::tf32x3, kCol, kRow, kRow,  67,  45,  71, 2, 1,  4, Fill::normal,   ""},
  {Precision::tf32x3, kCol, kCol, kCol,  80,  40,  33, 1, 0, 16, Fill::special,  ""},
  {Precision::tf32x3, kRow, kRow, kRow,  68,  72,  64, 1, 3,  4, Fill::integers, "specialize=none"},
  {Precision::tf32x3, kRow, kCol, kRow,  64,  32, 200, 1, 0, 16, Fill::normal,   "split_k=3"},
  {Precision::tf32x3, kRow, kCol, kRow, 130,  72,  64, 1, 0, 16, Fill::normal,   "cluster=2x1 tile=64x64x32"},
  {Precision::tf32x3, kRow, kCol, kRow, 70,   66,  50, 3, 0,  8, Fill::normal,   "blocks=2"},
  {Precision::tf32x3, kRow, kRow, kRow,   1,   1,   1, 1, 0,  4, Fill::normal,   ""},
  {Precision::tf32x3, kRow, kRow, kRow,   5,   3,   0, 1, 0,  4, Fill::normal,   ""},
  {Precision::tf32x3, kCol, kRow, kRow,  40,  48,  48, 1, 0, 16, Fill::normal,
      "main_loop=warp_specialised mma_atom=SM80_16x8x8_F32TF32TF32F32_TN tile=64x64x32"},
  {Precision::tf32x3, kRow, kCol, kRow, 136, 200,  88, 1, 0, 16, Fill::normal,   "tile=128x192x16"},
  {Precision::tf32x3, kRow, kCol, kRow, 260, 100,  72, 1, 0, 16, Fill::normal,   "tile=128x64x16 cluster=2x1 blocks=2"},
  {Precision::tf32x3, kCol, kRow, kRow, 100, 260, 104, 1, 0, 16, Fill::integers, "tile=64x64x64 cluster=1x2 promote=128"},
  {Precision::tf32x3, kRow, kCol, kRow,  64,  64, 130, 1, 0, 16, Fill::normal,
      "tile=64x64x32 smem_a=Sw<2,2,3>o0o(64,(16,2)):(16,(1,1024)) promote=32"},
  {Precision::bf16x6, kRow, kCol, kRow,  72,  96, 128, 1, 0, 16, Fill::integers, ""},
  {Precision::bf16x6, kCol, kRow, kRow,  67,  45,  71, 2, 1,  4, Fill::normal,   ""},
  {Precision::bf16x6, kCol, kCol, kCol,  80,  40,  33, 1, 0, 16, Fill::special,  ""},
  {Precision::bf16x6, kRow, kRow, kRow,  68,  72,  64, 1, 3,  4, Fill::integers, "specialize=all"},
  {Precision::bf16x6, kRow, kCol, kRow,  64,  32, 300, 1, 0, 16, Fill::normal,   "split_k=2 reduction=all_add"},
  {Precision::bf16x6, kCol, kRow, kRow, 140,  40, 100, 1, 0, 16, Fill::normal,   "ping_pong=2"},
  {Precision::bf16x6, kCol, kRow, kRow, 140, 200, 100, 1, 0, 16, Fill::normal,   "tile=128x192x32"},
  {Precision::bf16x6, kCol, kRow, kRow, 140, 130,  70, 1, 0, 16, Fill::integers, "tile=64x64x64 cluster=2x2"},
  {Precision::bf16x6, kRow, kCol, kRow, 130,  40,  80, 1, 0, 16, Fill::normal,
      "main_loop=warp_specialised mma_atom=SM80_16x8x16_F32BF16BF16F32_TN tile=64x32x32 cluster=2x1"},
};
// clang-format on

GemmCase case_of(const Row& row) {
  GemmCase result;
  Problem& problem = result.problem;
  problem = problem_of(row.m, row.n, row.k, {}, {row.a, row.b});
  problem.precision = row.precision;
  problem.batch = row.batch;
  problem.c.order = problem.d.order = row.d;
  const auto lie = [&](Matrix& matrix, Index rows, Index cols) {
    const bool by_row = matrix.order == kRow;
    matrix.alignment_bytes = row.alignment;
    matrix.ld_elems = std::max<Index>(by_row ? cols : rows, 1) + row.gap;
    matrix.batch_stride_elems = matrix.ld_elems * (by_row ? rows : cols) + row.gap;
  };
  lie(problem.a, row.m, row.k);
  lie(problem.b, row.k, row.n);
  if (row.batch > 2) {
    problem.b.broadcast = true;
    problem.b.batch_stride_elems = 0;
  }
  result.config = parse_config(row.config);
  result.alpha = 2;
  result.beta = -3;
  result.fill = row.fill;
  result.seed = 5;
  return result;
}

HostOperands operands_of(const CaseData& data) { return {data.a, data.b, data.c}; }

/// By the bound of the sums alone, which for long ones is narrower than that of f32.
Verdict judged(const GemmCase& one, const CaseData& data, const std::vector<std::byte>& d) {
  const Plan plan = make_plan(one.problem, device_preset("h200"), one.config);
  return compare(one.problem,
                 reference_gemm(one.problem, operands_of(data), one.alpha, one.beta,
                                sum_roundoff(gemm_step(plan), one.problem.k)),
                 d);
}

std::string failures_under(Context context) {
  std::string failures;
  for (const Row& row : kRows) {
    const GemmCase one = case_of(row);
    const Plan plan = make_plan(one.problem, context.backend().device_info(), one.config);
    if (!check(plan).empty()) failures += "not legal: " + to_string(one) + "\n";
    const CaseData data = make_data(one);
    const CaseOutcome outcome = run_case(context, one, data);
    if (!outcome.failures.empty()) failures += describe(one, outcome) + "\n";
    if (outcome.failures.empty() && !judged(one, data, outcome.d).ok)
      failures += to_string(one) + ": " + to_string(judged(one, data, outcome.d)) + "\n";
  }
  return failures;
}

/// A K-major problem whose operands are what functions of (row or column, k) say.
using Values = std::function<float(Index, Index)>;
struct OwnCase {
  GemmCase gemm_case;
  CaseData data;
};
OwnCase own_case(Precision precision, Index m, Index n, Index k, const Values& a, const Values& b) {
  OwnCase own;
  own.gemm_case.fill = Fill::normal;
  Problem& problem = own.gemm_case.problem;
  problem = problem_of(m, n, k, {}, {kRow, kCol});
  problem.precision = precision;
  problem.alpha = Factor::one;
  problem.beta = Factor::zero;
  own.data = make_data(own.gemm_case);
  const auto put = [k](std::vector<std::byte>& bytes, Index lines, const Values& values) {
    for (Index line = 0; line < lines; ++line)
      for (Index at = 0; at < k; ++at) {
        const float value = values(line, at);
        std::memcpy(bytes.data() + (line * k + at) * Index{sizeof value}, &value, sizeof value);
      }
  };
  put(own.data.a, m, a);
  put(own.data.b, n, b);
  own.data.reference = reference_gemm(problem, operands_of(own.data), 1, 0, 0x1p-24);
  return own;
}

float element(const std::vector<std::byte>& d, Index at) {
  float value = 0;
  std::memcpy(&value, d.data() + at * Index{sizeof value}, sizeof value);
  return value;
}

/// Of k-tiles of every kind of operand that is hard to split.
struct Hard {
  const char* what;
  Values a, b;
};
std::vector<Hard> hard_operands() {
  const auto random = [](Index line, Index k, std::uint64_t salt) {
    std::mt19937_64 engine(static_cast<std::uint64_t>(line * 4099 + k) * 31 + salt);
    return engine();
  };
  // Signs, all bits of the significand, a span of exponents.
  const auto wide = [random](int span, std::uint64_t salt) {
    return [random, span, salt](Index line, Index k) {
      const std::uint64_t bits = random(line, k, salt);
      const auto significand = static_cast<float>(bits >> 40 | 1U << 23);
      const int exponent = static_cast<int>(bits % static_cast<std::uint64_t>(2 * span + 1)) - span;
      return std::ldexp(bits & 1U << 20 ? significand : -significand, exponent - 23);
    };
  };
  const auto all = [](float value) { return [value](Index, Index) { return value; }; };
  return {
      {"all significands", wide(0, 1), wide(0, 2)},
      {"many exponents", wide(20, 3), wide(20, 4)},
      {"ones to the last bit, all of one sign", all(0x1.fffffep0F), all(0x1.fffffep0F)},
      {"halves of the first term's last bit", all(0x1.002p0F), all(0x1.002002p0F)},
      {"halves of bf16's last bit", all(0x1.01p0F), all(0x1.010001p0F)},
      {"sums that cancel but for their last bits",
       [](Index line, Index k) {
         return (k % 2 == 0 ? 1.0F : -1.0F) * (1 + 0x1p-20F * static_cast<float>(line));
       },
       [](Index line, Index k) { return 1 + 0x1p-22F * static_cast<float>((k * 7 + line) % 5); }},
      {"terms too small for their type", wide(10, 5),
       [](Index line, Index k) {
         return 0x1.234568p-110F * static_cast<float>(1 + (line + k) % 9);
       }},
      {"subnormal operands", [](Index, Index) { return 0x1p100F; },
       [](Index line, Index k) { return 0x1.3p-140F * static_cast<float>(1 + (line + k) % 5); }},
      {"what rounds beyond the finite", all(0x1.fffffep127F), all(0x1.8p-60F)},
  };
}

}  // namespace

TEST_CASE("products of terms are right whenever work lands", "[gemm][precision]") {
  for (const Schedule schedule : {Schedule::fixed, Schedule::late, Schedule::random})
    CHECK(failures_under(context_of(schedule, 7)) == "");
}

TEST_CASE("operands that are hard to split stay within the bound", "[gemm][precision]") {
  Context context = context_of(Schedule::fixed);
  for (const Precision precision : {Precision::tf32x3, Precision::bf16x6})
    for (const Hard& hard : hard_operands()) {
      INFO(name(precision) << ", " << hard.what);
      const OwnCase own = own_case(precision, 64, 16, 200, hard.a, hard.b);
      const CaseOutcome outcome = run_case(context, own.gemm_case, own.data);
      CHECK(outcome.failures == std::vector<std::string>{});
      CHECK(to_string(judged(own.gemm_case, own.data, outcome.d)).starts_with("ok"));
    }
}

TEST_CASE("the bound notices a product of terms that is left out", "[gemm][precision]") {
  const Index k = 256;
  const Hard hard = hard_operands().front();
  const auto first_term = [](DType type, float value) {
    return static_cast<float>(decode(type, encode(type, value)));
  };
  for (const Split& split : splits()) {
    const OwnCase own = own_case(split.precision, 16, 16, k, hard.a, hard.b);
    std::vector<std::byte> whole(16 * 16 * sizeof(float)), lacking = whole;
    for (Index m = 0; m < 16; ++m)
      for (Index n = 0; n < 16; ++n) {
        double sum = 0, without = 0;
        for (Index at = 0; at < k; ++at) {
          const float a = hard.a(m, at), b = hard.b(n, at), high = first_term(split.term, b);
          sum += double{a} * b;
          // The products of A's first term and B's second.
          without +=
              double{a} * b - double{first_term(split.term, a)} * first_term(split.term, b - high);
        }
        const auto put = [at = (m * 16 + n) * Index{sizeof(float)}](auto& bytes, double value) {
          const auto rounded = static_cast<float>(value);
          std::memcpy(bytes.data() + at, &rounded, sizeof rounded);
        };
        put(whole, sum);
        put(lacking, without);
      }
    CHECK(judged(own.gemm_case, own.data, whole).ok);
    CHECK_FALSE(judged(own.gemm_case, own.data, lacking).ok);
  }
}

TEST_CASE("infinite operands and NaN give what they give in f32", "[gemm][precision]") {
  // Each against each: row m of A has one of these, column n of B, and 1 or an even number else.
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  const auto infinite = std::numeric_limits<float>::infinity();
  const std::vector<float> kValues{infinite, -infinite, nan,  0.0F,  -0.0F,
                                   1.0F,     -2.0F,     0.1F, -0.3F, 0x1.fffffep127F};
  const auto count = static_cast<Index>(kValues.size());
  const Values one = [&](Index line, Index k) {
    return k == 17 ? kValues[static_cast<size_t>(line % count)] : 0.0F;
  };
  Context context = context_of(Schedule::fixed);
  for (const Precision precision : {Precision::tf32x3, Precision::bf16x6}) {
    const OwnCase own = own_case(precision, count, count, 40, one, one);
    const CaseOutcome outcome = run_case(context, own.gemm_case, own.data);
    REQUIRE(outcome.failures == std::vector<std::string>{});
    for (Index m = 0; m < count; ++m)
      for (Index n = 0; n < count; ++n) {
        const float a = kValues[static_cast<size_t>(m)], b = kValues[static_cast<size_t>(n)];
        const float expected = std::fma(a, b, 0.0F), got = element(outcome.d, m * count + n);
        INFO(name(precision) << " " << a << " by " << b << " is " << got);
        const bool overflows = std::isfinite(a) && std::isfinite(b) && std::isinf(expected);
        if (std::isnan(expected)) CHECK(std::isnan(got));
        if (std::isinf(expected) && !overflows) CHECK(got == expected);
        if (overflows) CHECK_FALSE(std::isfinite(got));
      }
  }
}

TEST_CASE("errors of long sums are not above those of f32", "[gemm][precision]") {
  const Index rows = 64, columns = 8, k = 640;
  const Hard hard = hard_operands().front();
  Context context = context_of(Schedule::fixed);
  for (const Precision precision : {Precision::tf32x3, Precision::bf16x6}) {
    const OwnCase own = own_case(precision, rows, columns, k, hard.a, hard.b);
    const CaseOutcome outcome = run_case(context, own.gemm_case, own.data);
    REQUIRE(outcome.failures == std::vector<std::string>{});
    double squares = 0, squares_f32 = 0, worst = 0, worst_f32 = 0;
    for (Index m = 0; m < rows; ++m)
      for (Index n = 0; n < columns; ++n) {
        float sum = 0;
        for (Index at = 0; at < k; ++at) sum = std::fma(hard.a(m, at), hard.b(n, at), sum);
        const double exact = own.data.reference.value[static_cast<size_t>(m * columns + n)];
        const double error = std::abs(element(outcome.d, m * columns + n) - exact);
        const double error_f32 = std::abs(sum - exact);
        squares += error * error;
        squares_f32 += error_f32 * error_f32;
        worst = std::max(worst, error);
        worst_f32 = std::max(worst_f32, error_f32);
      }
    INFO(name(precision) << " " << std::sqrt(squares / squares_f32) << " of f32's, worst "
                         << worst / worst_f32);
    CHECK(squares <= squares_f32);
    CHECK(worst <= worst_f32);
  }
}

TEST_CASE("terms pass through the epilogue that a problem says", "[gemm][precision][epilogue]") {
  Context context = context_of(Schedule::late);
  for (const Precision precision : {Precision::tf32x3, Precision::bf16x6}) {
    GemmCase one;
    one.problem = problem_of(70, 52, 100, {}, {kRow, kRow});
    one.problem.precision = precision;
    one.problem.epilogue =
        Epilogue{.expression = parse_epilogue("d = gelu(acc + bias[n]) + a_sum[m]; r = amax(acc)")};
    one.fill = Fill::normal;
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    CHECK(outcome.failures == std::vector<std::string>{});
  }
}

TEST_CASE("an operand that stays is split once", "[gemm][precision][pack]") {
  Context context = context_of(Schedule::late);
  Backend& backend = context.backend();
  const GemmCase one = case_of(kRows[1]);
  const Problem problem = completed(one.problem);
  const CaseData data = make_data(one);
  const Gemm gemm = prepare(context, problem, one.config);
  const Buffer a = uploaded(backend, data.a), b = uploaded(backend, data.b),
               c = uploaded(backend, data.c);
  const Buffer workspace(backend, gemm.workspace_bytes());
  const Buffer packed_b(backend, gemm.packed_bytes(TensorRole::b));
  gemm.pack(TensorRole::b, packed_b.pointer(), {.b = b.pointer()});
  const Buffer d(backend, operand_bytes(problem)[TensorRole::d]);
  gemm.run({.a = a.pointer(),
            .c = c.pointer(),
            .d = d.pointer(),
            .workspace = workspace.pointer(),
            .alpha = one.alpha,
            .beta = one.beta,
            .packed_b = packed_b.pointer()});
  backend.synchronize();
  std::vector<std::byte> result(static_cast<size_t>(operand_bytes(problem)[TensorRole::d]));
  backend.copy_out(result, d.pointer());
  CHECK(judged(one, data, result).ok);
}
