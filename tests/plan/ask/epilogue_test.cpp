// The usual epilogue, and what a plan says of its own.
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/ask/operand_extents.hpp>
#include <jute/plan/ask/problem.hpp>

#include "plan/rules/epilogue_rules.hpp"
#include "support/catch.hpp"

using namespace jute;

TEST_CASE("the usual formula names what its scale factors leave", "[plan][epilogue]") {
  CHECK(to_string(scaled_sum(Factor::run_time, Factor::run_time)) == "alpha*acc + beta*c");
  CHECK(to_string(scaled_sum(Factor::one, Factor::run_time)) == "acc + beta*c");
  CHECK(to_string(scaled_sum(Factor::one, Factor::one)) == "acc + beta*c");
  CHECK(to_string(scaled_sum(Factor::run_time, Factor::zero)) == "alpha*acc");
  CHECK(to_string(scaled_sum(Factor::one, Factor::zero)) == "acc");
  CHECK(names(scaled_sum(Factor::one, Factor::one), EpilogueOp::c));
  CHECK_FALSE(names(scaled_sum(Factor::one, Factor::one), EpilogueOp::alpha));
  CHECK_FALSE(names(scaled_sum(Factor::run_time, Factor::zero), EpilogueOp::c));
  for (const Factor alpha : {Factor::one, Factor::run_time})
    for (const Factor beta : {Factor::zero, Factor::one, Factor::run_time})
      CHECK(broken_rules(scaled_sum(alpha, beta)).empty());
}

TEST_CASE("a plan's expression names the scale factors that the plan has",
          "[plan][epilogue][refusal]") {
  for (const Factor alpha : {Factor::one, Factor::run_time})
    for (const Factor beta : {Factor::zero, Factor::one, Factor::run_time}) {
      EpiloguePlan plan;
      plan.alpha = alpha;
      plan.beta = beta;
      plan.expression = scaled_sum(alpha, beta);
      CHECK(plan::epilogue_rules(plan).empty());
      plan.expression = scaled_sum(alpha == Factor::one ? Factor::run_time : Factor::one, beta);
      REQUIRE(plan::epilogue_rules(plan).size() == 1);
      CHECK(plan::epilogue_rules(plan)[0].operand == "epilogue");
      plan.expression = scaled_sum(alpha, beta == Factor::zero ? Factor::one : Factor::zero);
      REQUIRE(plan::epilogue_rules(plan).size() == 1);
      CHECK(plan::epilogue_rules(plan)[0].nearest_legal == to_string(scaled_sum(alpha, beta)));
    }
}

TEST_CASE("functions are approximate where the text says so and 16 bits hold every output",
          "[plan][epilogue]") {
  const auto accuracy = [](const char* text, DType type) {
    Problem problem;
    problem.m = problem.n = problem.k = 16;
    problem.a.type = problem.b.type = DType::bf16;
    problem.d.type = type;
    problem.epilogue = Epilogue{.expression = parse_epilogue(text)};
    return epilogue_accuracy(completed(problem));
  };
  CHECK(accuracy("gelu(acc)", DType::bf16) == EpilogueAccuracy::full);
  CHECK(accuracy("math = fast; gelu(acc)", DType::bf16) == EpilogueAccuracy::half);
  CHECK(accuracy("math = fast; gelu(acc)", DType::f32) == EpilogueAccuracy::full);
  // A sum has 32 bits.
  CHECK(accuracy("math = fast; y := gelu(acc); d = y; s = sum(y)", DType::bf16) ==
        EpilogueAccuracy::full);
}

TEST_CASE("an operand that is a matrix keeps order and leading dimension in one row of it",
          "[plan][epilogue]") {
  Problem problem;
  problem.m = 1;
  problem.n = 5;
  problem.k = 2;
  problem.epilogue = Epilogue{.expression = parse_epilogue("acc + x[m,n] + v[n]")};
  problem.epilogue->inputs = {{Matrix{.order = Order::col, .ld_elems = 4}},
                              {Matrix{.order = Order::col}}};
  const Epilogue done = *completed(problem).epilogue;
  CHECK(done.inputs[0].order == Order::col);
  CHECK(done.inputs[0].ld_elems == 4);
  // A vector lies along itself.
  CHECK(done.inputs[1].order == Order::row);
  // What says nothing of itself is packed, as before.
  problem.epilogue->inputs[0] = {Matrix{.order = Order::col}};
  CHECK(completed(problem).epilogue->inputs[0].order == Order::row);
}

TEST_CASE("an epilogue's operands are matrices of the rows and columns that they vary over",
          "[plan][epilogue]") {
  Problem problem;
  problem.m = 3;
  problem.n = 5;
  const EpilogueExpression expression = parse_epilogue(
      "d = acc*s + u[m] + v[n] + x[m,n]; r = row_sum[m](acc); c0 = col_sum[n](acc); a = amax(acc); "
      "g = v[n]");
  std::vector<OperandExtents> inputs, outputs;
  for (const EpilogueInput& one : expression.inputs) inputs.push_back(extents_of(problem, one));
  for (const EpilogueOutput& one : expression.outputs) outputs.push_back(extents_of(problem, one));
  CHECK(inputs == std::vector<OperandExtents>{{1, 1}, {3, 1}, {1, 5}, {3, 5}});
  CHECK(outputs == std::vector<OperandExtents>{{3, 5}, {3, 1}, {1, 5}, {1, 1}, {3, 5}});
}
