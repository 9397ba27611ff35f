// What a run may not ask of a prepared GEMM.
#include "gemm/run_rules.hpp"
#include "gemm/run_values.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/epilogue/expression.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace jute;
using jute::gemm::RunRules;
using jute::test::refusal_of;

namespace {

Problem some_problem() {
  Problem problem;
  problem.m = 64;
  problem.n = 48;
  problem.k = 32;
  problem.batch = 2;
  problem.c.alignment_bytes = 4;
  return completed(problem);
}

using enum RunValue::Quantity;
Extent run_time(RunValue which, Index value) { return {which, value, false}; }
Extent literal(RunValue which, Index value) { return {which, value, true}; }

Plan some_plan(const Problem& problem, bool transposed) {
  GemmStep step;
  step.transposed = transposed;
  step.m = transposed ? run_time({n}, problem.n) : run_time({m}, problem.m);
  step.n = transposed ? literal({m}, problem.m) : literal({n}, problem.n);
  step.k = literal({k}, problem.k);
  step.batch = run_time({batch}, problem.batch);
  const auto operand = [&](TensorRole role, const Matrix& matrix, int vector) {
    OperandPlan plan;
    plan.ld = run_time(ld_of(role), matrix.ld_elems);
    plan.batch_stride = run_time(batch_stride_of(role), matrix.batch_stride_elems);
    plan.vector_elems = vector;
    return plan;
  };
  using enum TensorRole;
  step.a = transposed ? operand(b, problem.b, 4) : operand(a, problem.a, 4);
  step.b = transposed ? operand(a, problem.a, 1) : operand(b, problem.b, 1);
  step.epilogue.ldc = run_time(ld_of(c), problem.c.ld_elems);
  step.epilogue.ldd = run_time(ld_of(d), problem.d.ld_elems);
  step.epilogue.c_batch_stride = run_time(batch_stride_of(c), problem.c.batch_stride_elems);
  step.epilogue.d_batch_stride = run_time(batch_stride_of(d), problem.d.batch_stride_elems);
  Plan plan;
  plan.problem = problem;
  plan.steps.push_back(step);
  return plan;
}

GemmArgs good_args() {
  GemmArgs args;
  args.a = 0x1000;
  args.b = 0x2000;
  args.c = 0x3004;
  args.d = 0x4000;
  args.beta = 1;
  return args;
}

void check_run(const Plan& plan, const GemmArgs& args) {
  RunRules(plan, workspace_bytes(plan)).check(gemm::run_values(plan.problem, args));
}

Error refusal(const Plan& plan, const GemmArgs& args) {
  return refusal_of([&] { check_run(plan, args); });
}

}  // namespace

TEST_CASE("a pointer is as aligned as the problem promised", "[gemm][run][refusal]") {
  const Plan plan = some_plan(some_problem(), false);
  CHECK_NOTHROW(check_run(plan, good_args()));
  GemmArgs args = good_args();
  args.b = 0x2008;
  Error error = refusal(plan, args);
  CHECK(error.code == ErrorCode::misaligned);
  CHECK(error.operand == "b");
  CHECK(error.value == "0x2008");
  CHECK(error.nearest_legal == "0x2000");
  REQUIRE(error.violated_rules.size() == 1);
  CHECK(error.violated_rules[0].find("16 bytes") != std::string::npos);
  args = good_args();
  args.c = 0x3002;
  CHECK(refusal(plan, args).operand == "c");
}

TEST_CASE("operands that are read or written have an address", "[gemm][run][refusal]") {
  const Plan plan = some_plan(some_problem(), false);
  for (DevicePointer GemmArgs::*operand :
       {&GemmArgs::a, &GemmArgs::b, &GemmArgs::c, &GemmArgs::d}) {
    GemmArgs args = good_args();
    args.*operand = 0;
    CHECK(refusal(plan, args).code == ErrorCode::illegal_problem);
  }
  GemmArgs args = good_args();
  args.c = 0;
  args.beta = 0;
  CHECK_NOTHROW(check_run(plan, args));
  GemmArgs empty;
  empty.m = 0;
  CHECK_NOTHROW(check_run(plan, empty));
}

TEST_CASE("a literal of the kernel stays what it is, other numbers move", "[gemm][run][refusal]") {
  const Plan plan = some_plan(some_problem(), false);
  GemmArgs args = good_args();
  args.m = 40;
  args.batch = 1;
  args.lda = 64;
  CHECK_NOTHROW(check_run(plan, args));
  args.n = 47;
  const Error error = refusal(plan, args);
  CHECK(error.code == ErrorCode::illegal_problem);
  CHECK(error.operand == "n");
  CHECK(error.value == "47");
  CHECK(error.nearest_legal == "48");
}

TEST_CASE("literals of a transposed step are named as the problem names them",
          "[gemm][run][refusal]") {
  const Plan plan = some_plan(some_problem(), true);
  GemmArgs args = good_args();
  args.m = 63;
  CHECK(refusal(plan, args).operand == "m");
  args = good_args();
  args.ldb = 50;  // the kernel's A, read four elements at a time
  const Error error = refusal(plan, args);
  CHECK(error.operand == "ldb");
  CHECK(error.nearest_legal == "52");
  args = good_args();
  args.lda = 33;  // read one at a time
  args.batch_stride_a = 33 * 64;
  CHECK_NOTHROW(check_run(plan, args));
}

TEST_CASE("strides of a run obey the rules of a problem", "[gemm][run][refusal]") {
  const Plan plan = some_plan(some_problem(), false);
  GemmArgs args = good_args();
  args.lda = 28;
  CHECK(refusal(plan, args).operand == "A.ld");
  args = good_args();
  args.batch_stride_d = 48;
  CHECK(refusal(plan, args).operand == "D.batch_stride");
  args = good_args();
  args.m = -1;
  CHECK(refusal(plan, args).operand == "M");
  args = good_args();
  args.batch_stride_a = 64 * 32 + 2;  // legal for a problem, not for vectors of four
  CHECK(refusal(plan, args).operand == "batch_stride_a");
  args.batch = 1;
  CHECK_NOTHROW(check_run(plan, args));
}

TEST_CASE("a scale factor that the problem fixes is not given another value",
          "[gemm][run][refusal]") {
  Problem problem = some_problem();
  problem.alpha = Factor::one;
  problem.beta = Factor::zero;
  const Plan plan = some_plan(problem, false);
  GemmArgs args = good_args();
  CHECK(refusal(plan, args).operand == "beta");
  args.beta = 0;
  args.c = 0;
  CHECK_NOTHROW(check_run(plan, args));
  args.alpha = 2;
  CHECK(refusal(plan, args).nearest_legal == "1");
}

TEST_CASE("a scale factor that the epilogue does not name is not given another value",
          "[gemm][run][refusal]") {
  Problem problem = some_problem();
  problem.epilogue = Epilogue{.expression = parse_epilogue("relu(acc) + beta*c")};
  const Plan plan = some_plan(completed(problem), false);
  GemmArgs args = good_args();
  args.beta = 0.5;
  CHECK_NOTHROW(check_run(plan, args));
  args.alpha = 2;
  CHECK(refusal(plan, args).violated_rules ==
        std::vector<std::string>{"alpha must be 1: the epilogue does not name alpha"});
}

TEST_CASE("a run gives C where the epilogue reads it, whatever beta is", "[gemm][run][refusal]") {
  const auto refused = [](const char* text, double beta, DevicePointer c) -> std::string {
    Problem problem = some_problem();
    problem.epilogue = Epilogue{.expression = parse_epilogue(text)};
    GemmArgs args = good_args();
    args.beta = beta;
    args.c = c;
    try {
      check_run(some_plan(completed(problem), false), args);
    } catch (const Exception& exception) {
      return exception.error().operand;
    }
    return "";
  };
  const DevicePointer c = good_args().c;
  CHECK(refused("relu(acc) + beta*c", 0, 0).empty());
  CHECK(refused("relu(acc) + c*beta", 0, 0).empty());
  CHECK(refused("relu(acc) + c*beta", 0.5, 0) == "c");
  for (const char* text :
       {"acc + c + beta", "acc + beta*c + c", "max(acc, c)*beta", "-beta*c + acc"}) {
    INFO(text);
    CHECK(refused(text, 0, 0) == "c");
    CHECK(refused(text, 0, c).empty());
    CHECK(refused(text, 0.5, c).empty());
  }
  // What is not named may be left as it is, or be the 1 that it is.
  CHECK(refused("acc + c", 0, 0) == "c");
  CHECK(refused("acc + c", 0, c).empty());
  CHECK(refused("acc + c", 1, c).empty());
  CHECK(refused("acc + c", 0.5, c) == "beta");
  CHECK(refused("acc + beta", 0.5, 0).empty());
}

TEST_CASE("a scale factor that becomes another number in the kernel is refused",
          "[gemm][run][refusal]") {
  const auto refused = [](DType accumulate, double alpha) {
    Plan plan = some_plan(some_problem(), false);
    plan.problem.accumulate = accumulate;
    std::get<GemmStep>(plan.steps.back()).epilogue.compute =
        accumulate == DType::f16 ? DType::f32 : accumulate;
    GemmArgs args = good_args();
    args.alpha = alpha;
    try {
      check_run(plan, args);
    } catch (const Exception& exception) {
      CHECK(exception.error().operand == "alpha");
      return exception.error().nearest_legal.value_or("");
    }
    return std::string("accepted");
  };
  // Fractions in integers, and what a float rounds to nothing or to infinity.
  // Nothing is left of what is scaled by 0, which is no way out.
  CHECK(refused(DType::s32, 0.5) == "1");
  CHECK(refused(DType::s32, -0.25) == "-1");
  CHECK(refused(DType::s32, -2.75) == "-3");
  CHECK(refused(DType::s32, 3e9) == "2147483647");
  CHECK(refused(DType::s32, std::nan("")) == "1");
  CHECK(refused(DType::f32, 1e300) == "3.4028234663852886e+38");
  CHECK(refused(DType::f16, -1e300) == "-3.4028234663852886e+38");
  CHECK(refused(DType::f32, 1e-60) == "1.401298464324817e-45");
  // Last digits of a float, infinity and NaN are what they are.
  for (const double legal : {0.1, 0.0, HUGE_VAL, std::nan("")})
    CHECK(refused(DType::f32, legal) == "accepted");
  for (const double legal : {1e300, 1e-60, 0.1}) CHECK(refused(DType::f64, legal) == "accepted");
  CHECK(refused(DType::s32, -2147483648.0) == "accepted");
}

TEST_CASE("workspace is given and aligned where a plan asks for it", "[gemm][run][refusal]") {
  Plan plan = some_plan(some_problem(), false);
  plan.workspace.push_back({"copies", 1024});
  GemmArgs args = good_args();
  CHECK(refusal(plan, args).operand == "workspace");
  args.workspace = 0x8010;
  CHECK(refusal(plan, args).code == ErrorCode::misaligned);
  args.workspace = 0x8100;
  CHECK_NOTHROW(check_run(plan, args));
}

TEST_CASE("a run of larger copies than were prepared for is refused", "[gemm][run][refusal]") {
  Plan plan = some_plan(some_problem(), false);
  plan.workspace.push_back({"copies", Count("(100-m)*256")});  // larger where M is smaller
  GemmArgs args = good_args();
  args.workspace = 0x8100;
  CHECK_NOTHROW(check_run(plan, args));
  args.m = 40;
  const Error error = refusal(plan, args);
  CHECK(error.code == ErrorCode::out_of_range);
  CHECK(error.operand == "workspace");
  CHECK(error.nearest_legal == "9216");
}
