// From a step and the numbers of a run to a launch.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>

#include "support/catch.hpp"
#include "support/map_encoder.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::problem_of;
using test::refusal_of;

namespace {

/// A plan of one step that has nothing but parameters.
Plan plan_with(std::vector<KernelParameter> parameters) {
  GemmStep step;
  step.parameters = std::move(parameters);
  step.threads = 128;
  Plan plan;
  plan.steps.push_back(step);
  return plan;
}

RunValues run_of_sizes() {
  RunValues run{.m = 64, .n = 48, .k = 32, .batch = 2};
  run[TensorRole::a] = {0x1000, 32, 2048};
  run[TensorRole::b] = {0x2000, 48, 1536};
  run.alpha = 0.5;
  run.beta = -2.6;
  run.workspace = 0x10000;
  return run;
}

LaunchSpec bound(const Plan& plan, const RunValues& run = run_of_sizes()) {
  test::RecordingEncoder encoder;
  return bind(plan, 0, run, encoder);
}

bool same_bytes(const LaunchSpec& spec, const ArgumentBlock& wanted) {
  return std::ranges::equal(spec.arguments.bytes(), wanted.bytes());
}

}  // namespace

TEST_CASE("a parameter gets what its role says, in the type it has", "[plan][bind]") {
  const Plan plan = plan_with({{"a", ParameterKind::pointer, Base(Argument{TensorRole::b})},
                               {"m", ParameterKind::i32, Count("n")},
                               {"u", ParameterKind::u32, Count("k")},
                               {"lda", ParameterKind::i64, Count("ldb")},
                               {"tiles", ParameterKind::u64, Count("ceil_div(m,10)*batch")},
                               {"alpha", ParameterKind::f32, ScaleFactor::alpha},
                               {"wide", ParameterKind::f64, ScaleFactor::beta},
                               {"beta", ParameterKind::i32, ScaleFactor::beta}});
  const LaunchSpec spec = bound(plan);
  spec.arguments.check(signature(head_of(plan.steps.back())));
  ArgumentBlock wanted;
  wanted.pointer(0x2000).i32(48).u32(32).i64(48).u64(14).f32(0.5F).f64(-2.6).i32(-3);
  CHECK(same_bytes(spec, wanted));
  CHECK(spec.block == Dim3{128, 1, 1});
  CHECK(spec.grid == Dim3{1, 1, 1});
}

TEST_CASE("cluster, shared memory and order are the step's", "[plan][bind]") {
  Plan plan = plan_with({});
  auto& step = std::get<GemmStep>(plan.steps[0]);
  step.cluster = {2, 1, 1};
  step.grid = {Count("2*ceil_div(m,32)"), Count("batch"), 3};
  step.dynamic_smem_bytes = 4096;
  step.order = LaunchOrder::overlap_previous;
  const LaunchSpec spec = bound(plan);
  CHECK(spec.cluster == Dim3{2, 1, 1});
  CHECK(spec.grid == Dim3{4, 2, 3});
  CHECK(spec.dynamic_smem_bytes == 4096);
  CHECK(spec.order == LaunchOrder::overlap_previous);
}

TEST_CASE("regions of the workspace lie one behind the other", "[plan][bind]") {
  Plan plan = plan_with({{"second", ParameterKind::pointer, Base(InWorkspace{"second"})},
                         {"first", ParameterKind::pointer, Base(InWorkspace{"first"})}});
  plan.workspace = {{"first", Count("m*256")}, {"second", 512}};
  ArgumentBlock wanted;
  wanted.pointer(0x10000 + 64 * 256).pointer(0x10000);
  CHECK(same_bytes(bound(plan), wanted));
  CHECK(workspace_bytes(plan.workspace, run_of_sizes()) == 64 * 256 + 512);
  plan.workspace.pop_back();
  CHECK(refusal_of([&] { return bound(plan); }).value == "second");
}

TEST_CASE("a number too large for its 32-bit parameter is refused", "[plan][bind][refusal]") {
  RunValues run = run_of_sizes();
  run[TensorRole::a].ld = Index{1} << 31;
  const Error error = refusal_of([&] {
    return bound(plan_with({{"ldb", ParameterKind::i32, Count("lda")}}), run);
  });
  CHECK(error.code == ErrorCode::out_of_range);
  CHECK(error.operand == "lda");
  CHECK(error.nearest_legal == "2147483647");
}

TEST_CASE("a parameter of a type that cannot hold its role is refused", "[plan][bind][refusal]") {
  const auto refusal = [](ParameterKind kind, auto role) {
    return refusal_of([&] { return bound(plan_with({{"x", kind, role}})); });
  };
  CHECK(refusal(ParameterKind::i64, Base(Argument{})).code == ErrorCode::signature_mismatch);
  CHECK(refusal(ParameterKind::f32, Count("m")).operand == "x");
  CHECK(refusal(ParameterKind::i64, ScaleFactor::alpha).value == "i64");
}

TEST_CASE("the kernel of a padded operand reads the copy", "[plan][bind][pad]") {
  const Plan plan =
      make_plan(problem_of(1000, 1511, 1513, {DType::bf16, DType::bf16}), device_preset("a100"));
  const auto& parameters = gemm_step(plan).parameters;
  CHECK(parameters[0].role == decltype(parameters[0].role)(Base(InWorkspace{"copy_a"})));
  const auto lda = std::ranges::find(parameters, "lda", &KernelParameter::name);
  REQUIRE(lda != parameters.end());
  CHECK(to_string(*lda) == "i64 lda = round_up(max(k,1),64)");
  CHECK(to_string(parameters[0]) == "pointer a = workspace copy_a");
}

TEST_CASE("a transposed kernel's parameters are the problem's, changed over", "[plan][bind]") {
  Problem problem = problem_of(3000, 4096, 512);
  problem.c.order = problem.d.order = Order::col;
  const Plan plan = make_plan(problem, device_preset("a100"));
  std::vector<std::string> texts;
  for (const KernelParameter& parameter : gemm_step(plan).parameters)
    texts.push_back(to_string(parameter));
  CHECK(texts == std::vector<std::string>{
                     "pointer a = b", "pointer b = a", "pointer c = c", "pointer d = d",
                     "i32 n = m", "i64 ldb = lda", "i64 ldc = ldc", "i64 ldd = ldd",
                     "i64 batch_stride_a = batch_stride_b", "i64 batch_stride_b = batch_stride_a",
                     "i64 batch_stride_c = batch_stride_c", "i64 batch_stride_d = batch_stride_d",
                     "f32 alpha = alpha", "f32 beta = beta"});
}
