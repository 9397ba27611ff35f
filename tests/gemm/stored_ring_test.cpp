// Weights that threads of straight main loops bring to stages of their own as they are stored, by
// their exact values.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/gemm_case.hpp"
#include "support/scaled_problem.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/stored_stages.hpp>

using namespace jute;
using namespace jute::test;

namespace {

Context on(const char* preset) {
  return Context(open_emulator({.device = device_preset(preset)}), with_kept_kernels());
}

/// Of numbers of every kind.
void expect_right_rings(Context& context, const char* problem, const std::string& config) {
  GemmCase one;
  one.problem = parse_problem(problem);
  one.config = parse_config("main_loop=straight " + config);
  INFO(problem << " " << config);
  const Plan plan = make_plan(completed(one.problem), context.backend().device_info(), one.config);
  const GemmStep& step = gemm_step(plan);
  CHECK((has_stored_ring(step.schedule, step.a) || has_stored_ring(step.schedule, step.b)));
  CHECK(plan.steps.size() == 1);  // nothing is converted ahead
  for (const Fill fill : {Fill::integers, Fill::normal, Fill::special}) {
    one.fill = fill;
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    INFO(describe(one, outcome));
    CHECK(outcome.failures.empty());
  }
}

}  // namespace

TEST_CASE("threads find in their stages what they asked for", "[gemm][scaled][ring]") {
  Context context = on("h200");
  for (const char* const problem : {
           "M=1 N=72 K=1024 A=bf16 B=s4:col scale_b=bf16:col:block1x128",
           "M=3 N=40 K=1056 A=bf16 B=u4:col scale_b=bf16:col:block1x32 zero_b=8",
           "M=8 N=136 K=528 A=f16 B=u4:col scale_b=f16:col:block1x16 zero_b=u4:col:block1x48",
           "M=16 N=131 K=1024 A=bf16 B=u4:col scale_b=f32:col:block16x128 zero_b=u8:col:block1x32",
           "M=16 N=72 K=640 A=bf16 B=s8:col scale_b=bf16:col:block1x32",
           "M=5 N=24 K=1000 A=f16 B=s8:col",
           "M=2 N=64 K=512 A=bf16 B=e4m3:col scale_b=f32:col:block128x128",
           "M=7 N=48 K=1024 A=bf16 B=e2m1:col scale_b=ue8m0:col:block1x32",
           "M=40 N=3 K=1024 A=s4 B=bf16:col scale_a=bf16:block1x64 D=f32",
           "M=4 N=72 K=512 batch=3 A=bf16 B=s8:col:broadcast scale_b=bf16:col:block1x128:broadcast",
           "M=9 N=72 K=520 A=bf16 B=s8:col C=bf16 beta=run-time",
       })
    for (const char* const config : {"stages=2", "stages=5"})
      expect_right_rings(context, problem, config);
}

TEST_CASE("few rows of long weights have them by stages, on every chip that copies so",
          "[gemm][scaled][ring]") {
  constexpr const char* kOne =
      "M=1 N=2048 K=4096 A=bf16 B=u4:col scale_b=bf16:col:block1x128 zero_b=8";
  constexpr const char* kSixteen = "M=16 N=1024 K=2048 A=bf16 B=s8:col scale_b=bf16:col:block1x128";
  for (const auto& [preset, problem] :
       {std::pair{"h200", kOne}, {"a100", kSixteen}, {"l40s", kOne}}) {
    Context context = on(preset);
    expect_right_rings(context, problem, "");
  }
}
