// Tens of thousands of tiny products: a block has several of them side by side, and a batch that a
// grid's third axis has no room for lies along its first.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/gemm_case.hpp"
#include "support/refusal.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem.hpp>

#include <string>

using namespace jute;
using namespace jute::test;

namespace {

struct TinyRow {
  const char* preset;
  int beside;  ///< matrices that a block has
  const char* problem;
};
constexpr TinyRow kTiny[] = {
    // preset  beside problem
    {"h200", 4, "M=9 N=5 K=3 batch=4301 A=bf16:row B=bf16:row D=bf16:row"},
    {"h200", 4, "M=33 N=17 K=9 batch=4226 A=bf16:row B=bf16:row D=bf16:row beta=0"},
    {"h200", 4, "M=17 N=9 K=15 batch=4227 A=f16:col:ld18 B=f16:col D=f16:col:ld20"},
    {"h200", 4, "M=5 N=8 K=40 batch=4300 A=s8:row B=s8:col D=s32:row"},
    {"h200", 4, "M=11 N=6 K=5 batch=4300 A=f64:row B=f64:row D=f64:row"},
    {"h200", 4, "M=13 N=12 K=5 batch=4299 A=f32:row B=f32:row D=f32:row"},
    {"h200", 4, "M=7 N=9 K=20 batch=4300 A=e4m3:row B=e4m3:col D=bf16:row"},
    {"t4", 4, "M=16 N=7 K=9 batch=1283 A=f16:row B=f16:row D=f16:row"},
    {"orin", 4, "M=6 N=7 K=5 batch=521 A=f16:row B=f16:col D=f32:row"},
    {"l40s", 4, "M=20 N=7 K=1 batch=4545 A=bf16:row B=bf16:row D=f32:row"},
    {"h200", 4, "M=2 N=3 K=2 batch=66001 A=bf16:row B=bf16:row D=bf16:row"},
};

CaseOutcome outcome_of(const TinyRow& row, Schedule schedule, Fill fill) {
  EmulatorOptions options;
  options.device = device_preset(row.preset);
  options.check = Check::full;
  options.schedule = schedule;
  options.seed = 5;
  Context context(open_emulator(options), with_kept_kernels());
  GemmCase one;
  one.problem = parse_problem(row.problem);
  one.fill = is_integer(one.problem.a.type) ? Fill::integers : fill;
  return run_case(context, one, make_data(one));
}

}  // namespace

TEST_CASE("a block has several tiny products side by side", "[gemm][straight][tiny]") {
  std::size_t index = 0;
  for (const TinyRow& row : kTiny) {
    if (!is_run(index++)) continue;
    INFO(row.preset << " " << row.problem);
    const Plan plan = make_plan(parse_problem(row.problem), device_preset(row.preset));
    REQUIRE(plan.steps.size() == 1);
    CHECK(gemm_step(plan).schedule.matrices_per_block == row.beside);
    CHECK(check(plan).empty());
    for (const auto& [schedule, fill] :
         {std::pair(Schedule::fixed, Fill::integers), std::pair(Schedule::late, Fill::special)})
      CHECK(outcome_of(row, schedule, fill).failures == std::vector<std::string>{});
  }
}

TEST_CASE("matrices side by side need warps of their own, and a straight main loop",
          "[gemm][straight][tiny][refusal]") {
  struct Row {
    const char *problem, *config, *nearest, *rule;
  };
  constexpr Row kRows[] = {
      {"M=64 N=64 K=64 batch=4 A=bf16 B=bf16", "main_loop=multistage matrices_per_block=2", "0",
       "the main loop must be straight"},
      {"M=1 N=64 K=64 batch=4 A=f64 B=f64:col", "main_loop=straight matrices_per_block=2", "1",
       "must each have whole warps"},
      {"M=8 N=8 K=8 batch=4 A=bf16 B=bf16", "main_loop=straight matrices_per_block=33", "32",
       "1 to 32 matrices"},
      {"M=8 N=8 K=8 batch=4 A=bf16 B=bf16", "main_loop=straight matrices_per_block=-1", "0",
       "1 to 32 matrices"},
      {"M=8 N=8 K=8 batch=4 A=bf16 B=bf16",
       "main_loop=straight matrices_per_block=2 first_stages=prefetched", "after_barrier",
       "in a grid whose third axis is the batch"},
  };
  for (const Row& row : kRows) {
    INFO(row.problem << " " << row.config);
    const Error error = refusal_of([&] {
      return make_plan(parse_problem(row.problem), device_preset("h200"), parse_config(row.config));
    });
    CHECK(error.code == ErrorCode::illegal_config);
    CHECK(error.nearest_legal == row.nearest);
    REQUIRE(!error.violated_rules.empty());
    CHECK(error.violated_rules[0].find(row.rule) != std::string::npos);
  }
}

TEST_CASE("a plan made for few rows serves more of them", "[gemm][straight][tiny]") {
  // M is the launch's: a product that two tiles cover has them along the grid's third axis.
  Context context(open_emulator(), with_kept_kernels());
  GemmCase one;
  one.problem = parse_problem("M=40 N=9 K=12 batch=37 A=bf16 B=bf16 D=f32");
  one.config = parse_config("main_loop=straight tile=16x16x16 matrices_per_block=3");
  CHECK(run_case(context, one, make_data(one)).failures == std::vector<std::string>{});
}
