// D rounded by random words: the same bits for any tile, order and way out.
#include <jute/emulator/emulator.hpp>
#include <jute/epilogue/operations.hpp>
#include <jute/epilogue/philox.hpp>
#include <jute/launch/device_presets.hpp>

#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/refusal.hpp"

#include <string>

using namespace jute;
using namespace jute::test;

namespace {

struct Rounding {
  const char *chip, *problem, *config;
};

/// What a loop makes of the case's operands, which are whole numbers, packed, A by rows and B by
/// columns: sums are exact, and one multiplication rounds.
std::vector<double> plain_d(const GemmCase& one, const CaseData& data, double factor) {
  const Problem problem = completed(one.problem);
  const std::vector<double> a = decode(problem.a.type, data.a), b = decode(problem.b.type, data.b);
  const auto seed = static_cast<std::int32_t>(data.input_values[0]);
  std::vector<double> d;
  for (Index batch = 0; batch < problem.batch; ++batch)
    for (Index m = 0; m < problem.m; ++m)
      for (Index n = 0; n < problem.n; ++n) {
        double sum = 0;
        for (Index k = 0; k < problem.k; ++k)
          sum += a[static_cast<size_t>((batch * problem.m + m) * problem.k + k)] *
                 b[static_cast<size_t>((batch * problem.n + n) * problem.k + k)];
        const float scaled = static_cast<float>(sum) * static_cast<float>(factor);
        d.push_back(stochastic_value(problem.d.type, static_cast<double>(scaled),
                                     random_word(seed, m * problem.n + n, batch)));
      }
  return d;
}

}  // namespace

TEST_CASE("every way out of a kernel rounds by the words of a loop", "[gemm][stochastic]") {
  constexpr Rounding kRoundings[] = {
      {"h200", "M=136 N=72 K=64 batch=2 A=bf16 B=bf16:col D=bf16", "main_loop=warp_specialised"},
      {"h200", "M=136 N=72 K=64 batch=2 A=bf16 B=bf16:col D=bf16",
       "main_loop=warp_specialised swapped=on"},
      {"h200", "M=136 N=72 K=64 A=bf16 B=bf16:col D=bf16:col", "main_loop=warp_specialised"},
      {"h200", "M=70 N=200 K=128 A=e4m3 B=e4m3:col D=e5m2", ""},
      {"h200", "M=65 N=37 K=96 A=bf16 B=bf16:col D=e4m3", "main_loop=multistage"},
      {"h200", "M=1 N=136 K=256 A=f16 B=f16:col D=f16", ""},
      {"h200", "M=9 N=40 K=512 A=f16 B=f16:col D=f16", "split_k=4"},
      {"a100", "M=33 N=130 K=64 A=f16 B=f16:col D=s8", ""},
      {"a100", "M=40 N=50 K=20 A=f32 B=f32:col D=bf16:col", ""},
  };
  for (const auto& [chip, text, config] : kRoundings) {
    Context context(open_emulator({.device = device_preset(chip)}), with_kept_kernels());
    GemmCase one;
    const std::string problem(text);
    const std::string type = problem.substr(problem.find(" D=") + 3, 4);
    const std::string word = type.substr(0, type.find(':'));
    one.problem =
        parse_problem(problem + " epilogue=\"" + word + "(acc*0.0137, seed)\" seed=s32:by-value");
    one.config = parse_config(config);
    one.guard_bytes = 0;
    const CaseData data = make_data(one);
    const Problem whole = completed(one.problem);
    INFO(chip << " " << text << " " << config);
    const CaseOutcome outcome = run_case(context, one, data);
    const std::string failure = describe(one, outcome);
    INFO(failure);
    CHECK(failure.empty());
    const std::vector<double> found = decode(whole.d.type, outcome.d),
                              expected = plain_d(one, data, 0.0137);
    REQUIRE(found.size() == expected.size());
    int differ = 0, up = 0;
    for (Index batch = 0, at = 0; batch < whole.batch; ++batch)
      for (Index m = 0; m < whole.m; ++m)
        for (Index n = 0; n < whole.n; ++n, ++at) {
          const Index place = whole.d.order == Order::row ? m * whole.n + n : n * whole.m + m;
          const double held = found[static_cast<size_t>(batch * whole.m * whole.n + place)];
          differ += held == expected[static_cast<size_t>(at)] ? 0 : 1;
          up += held != 0 ? 1 : 0;
        }
    CHECK(differ == 0);
    CHECK(up > 0);
  }
}

TEST_CASE("groups of rows draw by D's rows, and verification knows the words",
          "[gemm][stochastic][groups]") {
  Context context(open_emulator(), with_kept_kernels());
  for (const char* const text :
       {"M=200 N=72 K=64 batch=3 A=bf16 B=bf16:col D=bf16 groups=rows",
        "M=64 N=72 K=64 batch=3 A=bf16 B=bf16:col D=bf16 groups=masked_rows",
        "M=64 N=72 K=200 batch=3 A=bf16:col B=bf16 D=bf16 groups=k"}) {
    GemmCase one;
    one.problem = parse_problem(std::string(text) + " epilogue=\"bf16(acc*0.0137, seed)\"");
    one.ends = {30, 40, 64};
    const std::string failure = describe(one, run_case(context, one, make_data(one)));
    INFO(failure);
    CHECK(failure.empty());
  }
}

TEST_CASE("what has no 32-bit key or no columns of its own is not drawn for",
          "[gemm][stochastic][refusal]") {
  const auto rule = [](const std::string& text) {
    return refusal_of([&] { (void)completed(parse_problem(text)); }).violated_rules.at(0);
  };
  const std::string epilogue = " epilogue=\"bf16(acc, seed)\"";
  CHECK(completed(parse_problem("M=8 N=8 K=8 A=bf16" + epilogue)).epilogue->inputs[0].type ==
        DType::s32);
  CHECK(rule("M=8 N=8 K=8 A=bf16" + epilogue + " seed=f32").starts_with("a seed must be s32"));
  CHECK(rule("M=8 N=8 K=8 A=f64 D=bf16" + epilogue).find("f32, not in f64") != std::string::npos);
  CHECK(rule("M=8 N=8 K=8 batch=2 A=bf16 groups=cols" + epilogue).find("columns") !=
        std::string::npos);
}
