// Problems that ask for a precision: what becomes of them, and what is refused.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/split.hpp>
#include <jute/plan/choose/width_choices.hpp>
#include <jute/plan/values/plan.hpp>

#include "support/catch.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <functional>

using namespace jute;
using namespace jute::test;

namespace {

Problem asked(Precision precision, Index extent = 4096) {
  Problem problem = problem_of(extent, extent, extent);
  problem.precision = precision;
  return problem;
}

double roundoff(const Plan& plan) { return sum_roundoff(gemm_step(plan), plan.problem.k); }

}  // namespace

TEST_CASE("f32 is multiplied as it is unless somebody asks", "[plan][precision]") {
  const Plan plan = make_plan(problem_of(4096, 4096, 4096), device_preset("h200"));
  CHECK(gemm_step(plan).products.empty());
  CHECK(gemm_step(plan).mma.atom().form == MmaForm::fma);
  CHECK(to_string(plan.problem).find("precision") == std::string::npos);
}

TEST_CASE("a precision is a step that splits and products of terms, the smallest first",
          "[plan][precision]") {
  const Plan tf32 = make_plan(asked(Precision::tf32x3), device_preset("h200"));
  CHECK(gemm_step(tf32).products == std::vector<TermProduct>{{1, 0}, {0, 1}, {0, 0}});
  CHECK(gemm_step(tf32).a.type == DType::tf32);
  CHECK(gemm_step(tf32).promote_every_k == 64);
  const auto& split = std::get<MoveStep>(tf32.steps.front());
  REQUIRE(split.moves.size() == 2);
  CHECK(split.moves[0].terms == 2);
  CHECK_FALSE(split.moves[0].transposed);
  CHECK(split.moves[1].transposed);  // wgmma reads tf32 along K alone
  const Plan bf16 = make_plan(asked(Precision::bf16x6), device_preset("h200"));
  CHECK(gemm_step(bf16).products ==
        std::vector<TermProduct>{{2, 0}, {1, 1}, {0, 2}, {1, 0}, {0, 1}, {0, 0}});
  CHECK(gemm_step(bf16).a.type == DType::bf16);
  CHECK(gemm_step(bf16).promote_every_k == 64);
  for (const Plan* plan : {&tf32, &bf16}) CHECK(check(*plan).empty());
}

TEST_CASE("a stage holds all terms of its tile, and each is loaded once", "[plan][precision]") {
  struct Row {
    Precision precision;
    const char* config;
    int terms;
    Index term_bytes_a, term_bytes_b;
    int stages;
  };
  const std::vector<Row> rows{
      {Precision::tf32x3, "tile=128x128x32", 2, 128 * 128, 128 * 128, 3},
      {Precision::tf32x3, "tile=128x192x16", 2, 128 * 64, 192 * 64, 5},
      {Precision::tf32x3, "tile=128x128x16 cluster=2x1", 2, 128 * 64, 128 * 64, 7},
      {Precision::bf16x6, "tile=128x192x32", 3, 128 * 64, 192 * 64, 3},
      {Precision::bf16x6, "tile=128x128x32 cluster=1x2", 3, 128 * 64, 128 * 64, 4},
  };
  for (const Row& row : rows) {
    INFO(name(row.precision) << " " << row.config);
    Problem problem = asked(row.precision);
    problem.b.order = Order::col;
    const Plan plan = make_plan(problem, device_preset("h200"), parse_config(row.config));
    const GemmStep& step = gemm_step(plan);
    CHECK(check(plan).empty());
    const auto check_operand = [&](const OperandPlan& operand, const SmemRegion& region,
                                   Index term_bytes) {
      REQUIRE(stage_of(operand).smem.rank() == 3);
      CHECK(size(stage_of(operand).smem.layout()[2]) == row.terms);
      CHECK(stage_of(operand).smem(IntTuple{0, 0, 1}) * width_bytes(operand.type) == term_bytes);
      CHECK(region.bytes == row.stages * row.terms * term_bytes);
    };
    check_operand(step.a, smem_region(step, "a"), row.term_bytes_a);
    check_operand(step.b, smem_region(step, "b"), row.term_bytes_b);
    CHECK(step.schedule.stages == row.stages);
    const Signal& full = step.signals.front();
    CHECK(full.name == "full");
    CHECK(full.bytes == row.terms * (row.term_bytes_a + row.term_bytes_b));
    CHECK(step.promote_every_k == 64);
  }
}

TEST_CASE("a stage that lacks a term is refused", "[plan][precision][refusal]") {
  const Plan legal = make_plan(asked(Precision::bf16x6), device_preset("h200"));
  const auto changed = [&](const std::function<void(OperandPlan&)>& change) {
    Plan plan = legal;
    change(std::get<GemmStep>(plan.steps.back()).b);
    return check(plan);
  };
  const ComposedLayout all = stage_of(gemm_step(legal).b).smem;
  const ComposedLayout one(all.swizzle(), 0, make_layout({all.layout()[0], all.layout()[1]}));
  const auto lacking = changed([&](OperandPlan& b) { its_stage(b).smem = one; });
  REQUIRE_FALSE(lacking.empty());
  CHECK(std::ranges::any_of(lacking, [&](const Error& error) {
    return error.operand == "smem_b" && error.nearest_legal == to_string(all) &&
           error.violated_rules.front().starts_with("a stage must hold all terms");
  }));
  // Terms further apart than they are long.
  const Layout far(3, 2 * all.layout()[2].flat_stride().front());
  const auto apart = changed([&](OperandPlan& b) {
    its_stage(b).smem = {all.swizzle(), 0, make_layout({all.layout()[0], all.layout()[1], far})};
  });
  CHECK_FALSE(apart.empty());
  CHECK_FALSE(changed([](OperandPlan& b) { its_stage(b).stage_stride_elems *= 2; }).empty());
}

TEST_CASE("tiles whose terms no two stages hold are refused, smaller ones offered",
          "[plan][precision][refusal]") {
  const Config large = parse_config("tile=128x192x64");
  const Error error =
      refusal_of([&] { return make_plan(asked(Precision::tf32x3), device_preset("h200"), large); });
  CHECK(error.operand == "tile");
  CHECK(error.violated_rules.front().find("2 stages of 163840 bytes") != std::string::npos);
  REQUIRE(error.nearest_legal);
  const Config offered = parse_config("tile=" + *error.nearest_legal);
  CHECK_NOTHROW(make_plan(asked(Precision::tf32x3), device_preset("h200"), offered));
}

TEST_CASE("a last term meets first terms alone", "[plan][precision]") {
  // So it may hold an infinity: no product of it and a zero, or another sign, is added.
  for (const Split& split : splits()) {
    const Plan plan = make_plan(asked(split.precision), device_preset("h200"));
    for (const TermProduct& product : gemm_step(plan).products)
      CHECK(product.a + product.b < split.terms);
  }
}

TEST_CASE("bounds of long sums of terms are below that of f32", "[plan][precision]") {
  const double f32 = roundoff(make_plan(problem_of(4096, 4096, 4096), device_preset("h200")));
  for (const Precision precision : {Precision::tf32x3, Precision::bf16x6})
    CHECK(roundoff(make_plan(asked(precision), device_preset("h200"))) < f32 / 4);
}

TEST_CASE("the model knows that terms are more work", "[plan][precision]") {
  const auto clocks = [](const Problem& problem) {
    const auto cost = kernel_cost(make_plan(problem, device_preset("h200")));
    return cost.value().at(problem.m, 1).clocks;
  };
  const double one =
      clocks(problem_of(4096, 4096, 4096, {DType::tf32, DType::f32}, {Order::row, Order::col}));
  Problem problem = asked(Precision::tf32x3);
  problem.b.order = Order::col;
  CHECK(clocks(problem) > 2.9 * one);
  CHECK(clocks(problem) < 4.5 * one);
}

TEST_CASE("a precision is refused where no tensor core multiplies its terms",
          "[plan][precision][refusal]") {
  for (const char* chip : {"a100", "l40s", "t4"}) {
    const Error error =
        refusal_of([&] { return make_plan(asked(Precision::tf32x3), device_preset(chip)); });
    CHECK(error.operand == "precision");
    CHECK(error.value == "tf32x3");
    CHECK(error.nearest_legal == "f32");
    CHECK(error.violated_rules.front().find("needs") != std::string::npos);
  }
}

TEST_CASE("a precision is refused for operands that are no f32", "[plan][precision][refusal]") {
  Problem problem = problem_of(64, 64, 64, {DType::bf16, DType::bf16});
  problem.precision = Precision::bf16x6;
  const Error error = refusal_of([&] { return completed(problem); });
  CHECK(error.operand == "precision");
  CHECK(error.nearest_legal == "f32");
}

TEST_CASE("precisions are read by their names", "[plan][precision]") {
  for (const Precision precision :
       {Precision::f32, Precision::tf32, Precision::tf32x3, Precision::bf16x6})
    CHECK(parse_precision(name(precision)) == precision);
  CHECK(refusal_of([] { return parse_precision("tf33"); }).code == ErrorCode::unknown_name);
}
