// D with a scale a block: values and scales of one launch.
#include <jute/emulator/emulator.hpp>
#include <jute/epilogue/quantise.hpp>
#include <jute/launch/device_presets.hpp>

#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/refusal.hpp"

#include <algorithm>
#include <cmath>
#include <string>

using namespace jute;
using namespace jute::test;

namespace {

struct Quantised {
  const char *chip, *problem;
  EpilogueBlock block;
};

GemmCase case_of(const Quantised& row, const char* epilogue = "acc") {
  GemmCase one;
  one.problem = parse_problem(row.problem);
  one.problem.epilogue =
      Epilogue{.expression = quantised(parse_epilogue(epilogue), row.block, one.problem.d.type)};
  return one;
}

/// Sums of whole numbers, of A by rows and B by columns, packed.
double plain_sum(const Problem& problem, const std::vector<double>& a, const std::vector<double>& b,
                 Index batch, Index m, Index n) {
  double sum = 0;
  for (Index k = 0; k < problem.k; ++k)
    sum += a[static_cast<size_t>((batch * problem.m + m) * problem.k + k)] *
           b[static_cast<size_t>((batch * problem.n + n) * problem.k + k)];
  return sum;
}

constexpr EpilogueBlock kWholeRows{1, kWholeExtent}, kAllOfD{kWholeExtent, kWholeExtent};

double largest_of(DType type) {
  return type == DType::s8 ? 127 : type == DType::e5m2 ? 57344 : 448;
}

}  // namespace

TEST_CASE("values and scales of blocks are those of a loop", "[gemm][blocks]") {
  constexpr Quantised kCases[] = {
      {"h200", "M=200 N=200 K=64 batch=2 A=bf16 B=bf16:col D=e4m3", {1, 128}},
      {"h200", "M=300 N=256 K=64 A=bf16 B=bf16:col D=e5m2", {128, 128}},
      {"h200", "M=130 N=96 K=64 A=f16 B=f16:col D=s8:col", {1, 128}},
      {"h200", "M=150 N=140 K=64 A=f16 B=f16:col D=e4m3:col", {128, 128}},
      {"h200", "M=5 N=300 K=128 A=e4m3 B=e4m3:col D=e4m3", {1, 128}},
      {"h200", "M=70 N=130 K=64 A=bf16 B=bf16:col D=e4m3", {1, 64}},
      {"a100", "M=140 N=150 K=64 A=f16 B=f16:col D=s8", {1, 128}},
      {"a100", "M=70 N=70 K=64 A=f16 B=f16:col D=s8", {64, 64}},
      {"a100", "M=33 N=140 K=20 A=f32 B=f32:col D=s8", {1, 128}},
      {"h200", "M=70 N=200 K=64 batch=2 A=bf16 B=bf16:col D=e4m3", kWholeRows},
      {"h200", "M=150 N=131 K=64 A=f16 B=f16:col D=s8:col", kWholeRows},
      {"h200", "M=1 N=300 K=128 A=e4m3 B=e4m3:col D=e5m2", kWholeRows},
      {"h200", "M=130 N=96 K=64 batch=3 A=f16 B=f16:col D=e4m3", kAllOfD},
      {"h200", "M=45 N=37 K=64 A=f16 B=f16:col D=s8:col", kAllOfD},
      {"a100", "M=70 N=71 K=40 A=f16 B=f16:col D=s8", kWholeRows},
      {"l40s", "M=70 N=71 K=40 A=f32 B=f32:col D=e4m3", kAllOfD},
  };
  for (const Quantised& row : kCases) {
    INFO(row.chip << " " << row.problem << " " << row.block.m << "x" << row.block.n);
    Context context(open_emulator({.device = device_preset(row.chip)}), with_kept_kernels());
    GemmCase one = case_of(row);
    one.guard_bytes = 0;
    const CaseData data = make_data(one);
    const CaseOutcome outcome = run_case(context, one, data);
    const std::string failure = describe(one, outcome);
    INFO(failure);
    REQUIRE(failure.empty());
    const Problem whole = completed(one.problem);
    const std::vector<double> a = decode(whole.a.type, data.a), b = decode(whole.b.type, data.b),
                              d = decode(whole.d.type, outcome.d),
                              scales = decode(DType::f32, outcome.outputs[1]);
    const Index rows = (whole.m + row.block.m - 1) / row.block.m,
                columns = (whole.n + row.block.n - 1) / row.block.n;
    REQUIRE(static_cast<Index>(scales.size()) == whole.batch * rows * columns);
    int wrong = 0, ones = 0;
    for (Index batch = 0; batch < whole.batch; ++batch)
      for (Index at_m = 0; at_m < rows; ++at_m)
        for (Index at_n = 0; at_n < columns; ++at_n) {
          const Index end_m = std::min(whole.m, (at_m + 1) * row.block.m),
                      end_n = std::min(whole.n, (at_n + 1) * row.block.n);
          double most = 0;
          std::vector<std::pair<Index, double>> sums;
          for (Index m = at_m * row.block.m; m < end_m; ++m)
            for (Index n = at_n * row.block.n; n < end_n; ++n) {
              const double sum = plain_sum(whole, a, b, batch, m, n);
              most = std::max(most, std::abs(sum));
              sums.emplace_back(whole.d.order == Order::row ? m * whole.n + n : n * whole.m + m,
                                sum);
            }
          const float scale =
              static_cast<float>(most) / static_cast<float>(largest_of(whole.d.type));
          const double found = scales[static_cast<size_t>((batch * rows + at_m) * columns + at_n)];
          wrong += found == static_cast<double>(scale) ? 0 : 1;
          for (const auto& [place, sum] : sums) {
            const float value =
                scale == 0 ? static_cast<float>(sum) : static_cast<float>(sum) / scale;
            const double held = d[static_cast<size_t>(batch * whole.m * whole.n + place)];
            wrong += held == decode(whole.d.type, encode(whole.d.type, static_cast<double>(value)))
                         ? 0
                         : 1;
            ones += held != 0 ? 1 : 0;
          }
        }
    CHECK(wrong == 0);
    CHECK(ones > 0);
  }
}

TEST_CASE("blocks stand behind gates, inputs, C and seeds", "[gemm][blocks]") {
  Context context(open_emulator(), with_kept_kernels());
  constexpr const char* kProblem = "M=140 N=200 K=128 A=bf16 B=bf16:col C=bf16 D=e4m3";
  constexpr Quantised kRow{"h200", kProblem, {1, 128}}, kLine{"h200", kProblem, kWholeRows};
  for (const auto& [epilogue, row] :
       {std::pair("silu(gate)*acc", kRow), std::pair("acc*s[m] + bias[n]", kRow),
        std::pair("alpha*acc + beta*c", kRow), std::pair("relu(acc)", kRow),
        std::pair("silu(gate)*acc", kLine), std::pair("acc*s[m] + bias[n]", kLine),
        std::pair("alpha*acc + beta*c", kLine),
        std::pair("y := relu(acc); d = y; kept = y; whole = sum(y)", kLine)}) {
    GemmCase one = case_of(row, epilogue);
    one.beta = std::string(epilogue).find("beta") != std::string::npos ? 1 : 0;
    INFO(epilogue);
    const std::string failure = describe(one, run_case(context, one, make_data(one)));
    INFO(failure);
    CHECK(failure.empty());
  }
  for (const Quantised& row : {kRow, kLine}) {
    GemmCase drawn = case_of(row);
    drawn.problem.epilogue->expression =
        rounded_by_seed(drawn.problem.epilogue->expression, DType::e4m3);
    const std::string of_drawn = describe(drawn, run_case(context, drawn, make_data(drawn)));
    INFO(of_drawn);
    CHECK(of_drawn.empty());
  }
}

TEST_CASE("scales of rows and of all of D are made in a second step", "[gemm][blocks]") {
  GemmCase one = case_of({"h200", "M=256 N=512 K=128 A=bf16 B=bf16:col D=e4m3", kWholeRows});
  const Plan plan = make_plan(completed(one.problem), device_preset("h200"));
  REQUIRE(plan.steps.size() == 2);
  CHECK(check(plan).empty());
  CHECK(gemm_step(plan).epilogue.d_type == DType::f32);
  CHECK(explain(plan).find("a second step makes D and scale_d") != std::string::npos);
  CHECK(numerics(plan).find("The second step computes scale := amax[1,n](acc)/448") !=
        std::string::npos);
  CHECK(to_string(plan).find("scaling.expression scale := amax[1,n](acc)/448") !=
        std::string::npos);
}

TEST_CASE("slices of K and wide tiles leave blocks whole", "[gemm][blocks]") {
  Context context(open_emulator(), with_kept_kernels());
  for (const char* const config : {"split_k=4", "tile=256x128x64", "tile=128x128x64 stages=3"}) {
    INFO(config);
    GemmCase one = case_of({"h200", "M=270 N=140 K=512 A=bf16 B=bf16:col D=e4m3", {1, 128}});
    one.config = parse_config(config);
    const std::string failure = describe(one, run_case(context, one, make_data(one)));
    INFO(failure);
    CHECK(failure.empty());
  }
  const Plan plan = make_plan(completed(case_of({"h200",
                                                 "M=256 N=256 K=512 A=bf16 B=bf16:col "
                                                 "D=e4m3",
                                                 {1, 128}})
                                            .problem),
                              device_preset("h200"));
  CHECK(transfer_of(gemm_step(plan).a) == Transfer::tma);
}

TEST_CASE("groups of rows have scales of their rows", "[gemm][blocks][groups]") {
  Context context(open_emulator(), with_kept_kernels());
  GemmCase one =
      case_of({"h200", "M=200 N=200 K=64 batch=3 A=bf16 B=bf16:col D=e4m3 groups=rows", {1, 128}});
  one.ends = {30, 40, 164};
  const std::string failure = describe(one, run_case(context, one, make_data(one)));
  INFO(failure);
  CHECK(failure.empty());
}

TEST_CASE("what no tile holds whole is refused by name", "[gemm][blocks][refusal]") {
  const auto rule = [](auto&& call) { return refusal_of(call).violated_rules.at(0); };
  CHECK(rule([] {
          (void)parse_epilogue("d = acc; s = amax[3,128](acc)");
        }).starts_with("blocks must have 1, 64 or 128 rows"));
  CHECK(rule([] {
          (void)quantised(parse_epilogue("acc"), {1, 128}, DType::bf16);
        }).starts_with("a D with a scale a block must be e4m3"));
  CHECK(
      rule([] {
        (void)completed(parse_problem(
            "M=8 N=8 K=8 batch=2 A=bf16 groups=rows epilogue=\"d = acc; s = amax[128,128](acc)\""));
      }).starts_with("blocks of groups must have one row each"));
  const auto refused = [&](const std::string& text) {
    return rule([&] { (void)completed(parse_problem("M=8 N=8 K=8 batch=2 A=bf16 " + text)); });
  };
  CHECK(refused("groups=rows epilogue=\"d = acc/amax[1,n](acc)\"")
            .starts_with("amax of whole rows or of all of D must be of a product without groups"));
  CHECK(refused("epilogue=\"d = acc*2/amax[1,n](acc + 1)\"")
            .starts_with("outputs that need amax of whole rows or of all of D must be made of"));
  CHECK(refused("epilogue=\"d = acc/amax[m,n](acc) + bias[n]\"")
            .starts_with("outputs that need amax of whole rows or of all of D must be made of"));
  CHECK(to_string(parse_epilogue("d = acc / amax[ m , n ](acc)")) == "acc/amax[m,n](acc)");
  CHECK(to_string(quantised(parse_epilogue("silu(acc)"), {1, 128}, DType::e4m3)) ==
        "unscaled := silu(acc); scale := amax[1,128](unscaled)/448; "
        "d = select(scale == 0, unscaled, unscaled/scale); scale_d = scale");
}
