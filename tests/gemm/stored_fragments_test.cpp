// Weights that TMA brings as they are stored, and that threads convert into fragments of wgmma, by
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

using namespace jute;
using namespace jute::test;

namespace {

Context on_hopper() {
  return Context(open_emulator({.device = device_preset("h200")}), with_kept_kernels());
}

/// Of numbers of every kind.
void expect_right_fragments(Context& context, const char* problem, const std::string& config) {
  GemmCase one;
  one.problem = parse_problem(problem);
  one.config = parse_config("main_loop=warp_specialised " + config);
  INFO(problem << " " << config);
  const Plan plan = make_plan(completed(one.problem), context.backend().device_info(), one.config);
  CHECK(gemm_step(plan).mma.atom().form == MmaForm::wgmma_rs);
  CHECK(plan.steps.size() == 1);  // nothing is converted ahead
  for (const Fill fill : {Fill::integers, Fill::normal, Fill::special}) {
    one.fill = fill;
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    INFO(describe(one, outcome));
    CHECK(outcome.failures.empty());
  }
}

}  // namespace

TEST_CASE("fragments are made of whatever weights stages have", "[gemm][scaled][fragments]") {
  Context context = on_hopper();
  for (const char* const problem : {
           "M=24 N=136 K=128 A=bf16 B=s4:col scale_b=bf16:col:block1x128",
           "M=24 N=136 K=192 A=bf16 B=u4:col scale_b=bf16:col:block1x64 zero_b=8",
           "M=24 N=136 K=128 A=f16 B=u4:col scale_b=f16:col:block1x32 zero_b=u4:col:block1x64",
           "M=24 N=136 K=128 A=bf16 B=u4:col scale_b=f32:col:block16x128 zero_b=u8:col:block1x32",
           "M=24 N=136 K=128 A=bf16 B=s8:col scale_b=bf16:col:block1x32",
           "M=24 N=136 K=128 A=f16 B=s8:col",
           "M=24 N=136 K=64 A=bf16 B=u8:col scale_b=f32:col:block1xall zero_b=128",
           "M=24 N=136 K=128 A=bf16 B=e4m3:col scale_b=f32:col:block128x128",
           "M=24 N=136 K=64 A=f16 B=e5m2:col",
           "M=24 N=136 K=128 A=bf16 B=e2m1:col scale_b=ue8m0:col:block1x32",
       })
    expect_right_fragments(context, problem, "");
}

TEST_CASE("fragments are made at the edges of weights and rows, of A and of B",
          "[gemm][scaled][fragments]") {
  Context context = on_hopper();
  for (const char* const problem : {
           "M=1 N=64 K=64 A=bf16 B=s4:col scale_b=bf16:col:block1x64",
           "M=67 N=200 K=320 A=bf16 B=u4:col scale_b=bf16:col:block1x64 zero_b=8",
           "M=70 N=72 K=128 batch=3 A=bf16 B=s8:col:broadcast "
           "scale_b=bf16:col:block1x128:broadcast",
           "M=33 N=128 K=128 batch=2 A=bf16 B=s4:col scale_b=bf16:col:block1x128",
           "M=40 N=131 K=128 A=s4 B=bf16:col scale_a=bf16:block1x64 D=f32",
           "M=200 N=24 K=128 A=u8 B=f16:row scale_a=f16:block1x128 zero_a=128",
           "M=48 N=136 K=128 A=bf16:col B=s4:col scale_b=bf16:col:block1x128 D=bf16:col",
           "M=35 N=72 K=128 A=bf16 B=s8:col C=bf16 beta=run-time",
       })
    expect_right_fragments(context, problem, "");
}

TEST_CASE("fragments are made by blocks that share out K, clusters and teams that take turns",
          "[gemm][scaled][fragments]") {
  Context context = on_hopper();
  const char* const problem =
      "M=70 N=264 K=512 A=bf16 B=u4:col scale_b=bf16:col:block1x128 zero_b=8";
  for (const char* const config :
       {"split_k=3", "split_k=2 cluster=2x1", "cluster=1x2", "cluster=2x2", "tile=64x64x64",
        "tile=128x72x64 ping_pong=2", "tile=256x32x128", "tile=192x40x64 stages=2",
        "split_k=2 reduction=distributed", "blocks=2", "k_starts=4", "k_starts=2 split_k=2"})
    expect_right_fragments(context, problem, config);
}

TEST_CASE("random products of weights in fragments come out right",
          "[gemm][scaled][fragments][random]") {
  Context context = on_hopper();
  int in_fragments = 0;
  const int count = draws(45);
  for (int index = 0; index < count; ++index) {
    const GemmCase one = fragments_case(index);
    const Plan plan =
        make_plan(completed(one.problem), context.backend().device_info(), one.config);
    in_fragments += gemm_step(plan).mma.atom().form == MmaForm::wgmma_rs ? 1 : 0;
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    INFO(index << ": " << describe(one, outcome));
    CHECK(outcome.failures.empty());
  }
  CHECK(in_fragments > count / 2);
}
