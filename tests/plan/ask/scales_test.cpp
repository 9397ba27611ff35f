// What elements of operands count as: text, what they become, refusals.
#include "support/catch.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/planned_values.hpp>

using namespace jute;

namespace {

Problem problem_of_types(DType a, DType b) {
  Problem problem;
  problem.m = 16;
  problem.n = problem.k = 64;
  problem.a.type = a;
  problem.b.type = b;
  problem.d.type = problem.c.type = DType::f32;
  return problem;
}

Error refusal_of_text(const std::string& words) {
  return test::refusal_of([&] { return completed(parse_problem("M=16 N=129 K=64 " + words)); });
}

}  // namespace

TEST_CASE("scales, zero points and blocks are read back as they print", "[plan][problem][scaled]") {
  for (const char* words :
       {"A=bf16 B=s4:col scale_b=f32:col:block1x128 zero_b=8",
        "A=bf16 B=u4 scale_b=bf16:block1x32 zero_b=u4:block1x32",
        "A=e4m3 B=e4m3 scale_a=f32:block1x128 scale_b=f32:block128x128",
        "A=e4m3 B=e4m3:col scale_a=ue8m0:block1x32 scale_b=ue8m0:col:block1x32 staged=f16",
        "batch=2 A=f16 B=s8 scale_b=f16:broadcast:block1xall", "A=f32 B=f32 staged=tf32",
        "A=s8 B=s4", "A=bf16 B=e5m2 scale_b=f32:blockall zero_b=-1.5"}) {
    const Problem problem = completed(parse_problem("M=16 N=64 K=256 " + std::string(words)));
    INFO(to_string(problem));
    CHECK(completed(problem) == problem);
    CHECK(parse_problem(to_string(problem)) == problem);
  }
}

TEST_CASE("operands become what holds both, and stay as they are where that is multiplied",
          "[plan][problem][scaled]") {
  struct Case {
    DType a, b;
    std::optional<DType> staged;
  };
  for (const auto& [a, b, staged] : {Case{DType::bf16, DType::s4, DType::bf16},
                                     {DType::u4, DType::f16, DType::f16},
                                     {DType::f16, DType::bf16, DType::tf32},
                                     {DType::f32, DType::s8, DType::f32},
                                     {DType::e4m3, DType::s8, DType::bf16},
                                     {DType::s8, DType::s4, DType::s8},
                                     {DType::u8, DType::s4, DType::bf16},
                                     {DType::e2m1, DType::e2m1, DType::bf16},
                                     {DType::e4m3, DType::e5m2, {}},
                                     {DType::s8, DType::u8, {}},
                                     {DType::f64, DType::f64, {}}}) {
    INFO(name(a) << " " << name(b));
    CHECK(usual_staged_type(problem_of_types(a, b)) == staged);
  }
  Problem scaled = problem_of_types(DType::e4m3, DType::e4m3);
  scaled.scale_a.scale = BlockValues{};
  CHECK(usual_staged_type(scaled) == DType::bf16);
  Problem same = problem_of_types(DType::bf16, DType::bf16);
  same.staged = DType::bf16;
  CHECK_FALSE(completed(same).staged);
}

TEST_CASE("broken rules of scales name operand, value and a legal one",
          "[plan][problem][scaled][refusal]") {
  struct Case {
    const char *words, *operand, *value, *nearest;
  };
  for (const auto& [words, operand, value, nearest] : {
           Case{"A=bf16 B=s4 scale_b=f64", "scale_b.type", "f64", "f32"},
           {"A=bf16 B=s4 zero_b=e5m2", "zero_b.type", "e5m2", "f32"},
           {"A=bf16 B=s4 staged=e4m3", "staged", "e4m3", "bf16"},
           {"A=bf16 B=s4 scale_b=f32:ld3:block1x32", "scale_b.ld", "3", "129"},
           {"A=f32 B=f32 staged=bf16 precision=tf32x3", "precision", "tf32x3", "f32"},
           {"A=u8 B=s4 staged=s8 accumulate=s32", "staged", "s8", "bf16"},
           {"A=bf16 B=f64", "B.type", "f64", "bf16"},
           {"A=f64 B=f64 scale_b=f32", "A.type", "f64", "bf16"},
           {"A=bf16 B=ue8m0", "B.type", "ue8m0", "bf16"},
       }) {
    INFO(words);
    const Error error = refusal_of_text(words);
    CHECK(error.operand == operand);
    CHECK(error.value == value);
    CHECK(error.nearest_legal == nearest);
  }
  CHECK(refusal_of_text("A=bf16 B=s4 scale_b=f32:block0x3").code == ErrorCode::syntax);
  CHECK(refusal_of_text("A=bf16:block1x3 B=s4").code == ErrorCode::syntax);
  CHECK(refusal_of_text("A=bf16 B=s4 zero_b=u8 epilogue=acc*b_sum[n]").operand == "epilogue");
  CHECK(refusal_of_text("A=bf16 B=s4 zero_b=-1e40").nearest_legal == "-3.4028235e+38");
  CHECK(refusal_of_text("A=bf16 B=bf16 D=s4 beta=0").operand == "D.type");
}

TEST_CASE("a plan converts in its first step, says how, and is what its check makes of it",
          "[plan][scaled]") {
  const Plan plan = make_plan(
      parse_problem("M=4096 N=4096 K=4096 A=bf16 B=s4:col scale_b=bf16:col:block1x128 zero_b=8"),
      device_preset("h200"));
  REQUIRE(plan.steps.size() == 2);
  const Move& move = std::get<MoveStep>(plan.steps[0]).moves.at(0);
  CHECK(move.type == DType::s4);
  CHECK(move.copy_type == DType::bf16);
  REQUIRE(move.conversion);
  CHECK(move.conversion->scale->block_inner == 128);
  CHECK(move.conversion->offset == 8);
  CHECK(check(plan).empty());
  CHECK(explain(plan).find("(q - 8) * scale") != std::string::npos);
  CHECK(numerics(plan).find("rounded to bf16") != std::string::npos);
  Plan other = plan;
  std::get<MoveStep>(other.steps[0]).moves[0].conversion->offset = 7;
  CHECK_FALSE(check(other).empty());
}

TEST_CASE("weights of few rows are read once, as they are stored", "[plan][scaled]") {
  for (const int m : {1, 2, 8, 16})
    for (const char* b : {"u4", "s8", "e4m3"}) {
      const Plan plan =
          make_plan(parse_problem("M=" + std::to_string(m) + " N=4096 K=4096 A=bf16 B=" + b +
                                  ":col scale_b=bf16:col:block1x128 zero_b=8"),
                    device_preset("h200"));
      INFO(m << " " << b);
      REQUIRE(plan.steps.size() == 1);
      const GemmStep& step = gemm_step(plan);
      const OperandPlan& operand = step.transposed ? step.a : step.b;
      REQUIRE(operand.stored);
      CHECK(operand.type == DType::bf16);
      CHECK(name(operand.stored->type) == b);
      CHECK(check(plan).empty());
      CHECK(explain(plan).find("in registers") != std::string::npos);
      CHECK(numerics(plan).find("rounded to bf16") != std::string::npos);
      // What must move is all that moves of B: its bits, and a scale each 128 of K.
      CHECK(workspace_bytes(plan) == 0);
      Plan other = plan;
      OperandPlan& changed = step.transposed ? std::get<GemmStep>(other.steps[0]).a
                                             : std::get<GemmStep>(other.steps[0]).b;
      changed.stored->conversion.offset = 7;
      CHECK_FALSE(check(other).empty());
    }
  // Blocks that a thread's vector would cross, K that ends inside one: by a copy.
  for (const char* odd : {"K=4096 A=bf16 B=s4:col scale_b=f32:block1x4", "K=4099 A=bf16 B=s8:col",
                          "K=4096 A=bf16 B=s4:row", "K=4096 A=f32 B=f32:col staged=bf16"}) {
    INFO(odd);
    CHECK(make_plan(parse_problem("M=4 N=4096 " + std::string(odd)), device_preset("h200"))
              .steps.size() == 2);
  }
}
