// Epilogue expressions: built, printed, judged and folded.
#include <jute/plan/epilogue.hpp>

#include "plan/epilogue_rules.hpp"
#include "support/catch.hpp"

using namespace jute;
using Kind = EpilogueNode::Kind;

namespace {

/// Plain arithmetic; counts how often C is read.
struct Numbers {
  using Value = double;
  double sum = 0, a = 1, b = 0, c_element = 0;
  int reads = 0;
  double acc() { return sum; }
  double alpha() { return a; }
  double multiply(double x, double y) { return x * y; }
  double add_beta_c(double x) {
    if (b == 0) return x;
    ++reads;
    return x + b * c_element;
  }
};

}  // namespace

TEST_CASE("the usual formula names what its scale factors leave", "[plan][epilogue]") {
  CHECK(to_string(scaled_sum(Scale::run_time, Scale::run_time)) == "alpha*acc + beta*c");
  CHECK(to_string(scaled_sum(Scale::one, Scale::run_time)) == "acc + beta*c");
  CHECK(to_string(scaled_sum(Scale::one, Scale::one)) == "acc + beta*c");
  CHECK(to_string(scaled_sum(Scale::run_time, Scale::zero)) == "alpha*acc");
  CHECK(to_string(scaled_sum(Scale::one, Scale::zero)) == "acc");
  CHECK(names(scaled_sum(Scale::one, Scale::one), Kind::c));
  CHECK_FALSE(names(scaled_sum(Scale::one, Scale::one), Kind::alpha));
  CHECK_FALSE(names(scaled_sum(Scale::run_time, Scale::zero), Kind::c));
  for (const Scale alpha : {Scale::one, Scale::run_time})
    for (const Scale beta : {Scale::zero, Scale::one, Scale::run_time})
      CHECK(broken_rules(scaled_sum(alpha, beta)).empty());
}

TEST_CASE("a fold visits the nodes that lead to D, and reads C for a beta", "[plan][epilogue]") {
  const EpilogueExpression expression = scaled_sum(Scale::run_time, Scale::run_time);
  Numbers numbers{.sum = 5, .a = 3, .b = 2, .c_element = 7};
  CHECK(evaluate(expression, numbers) == 29);
  CHECK(numbers.reads == 1);
  Numbers without{.sum = 5, .a = 3, .c_element = 7};
  CHECK(evaluate(expression, without) == 15);
  CHECK(without.reads == 0);
  // (acc + beta*c) * alpha
  const EpilogueExpression other{{{Kind::acc},
                                  {Kind::beta},
                                  {Kind::c},
                                  {Kind::multiply, 1, 2},
                                  {Kind::add, 0, 3},
                                  {Kind::alpha},
                                  {Kind::multiply, 4, 5}}};
  CHECK(broken_rules(other).empty());
  CHECK(to_string(other) == "(acc + beta*c)*alpha");
  CHECK(evaluate(other, numbers) == 57);
}

TEST_CASE("an expression that no kernel is written for breaks a rule",
          "[plan][epilogue][refusal]") {
  const auto rules = [](std::vector<EpilogueNode> nodes) {
    return broken_rules(EpilogueExpression{std::move(nodes)});
  };
  CHECK(rules({}).size() == 1);
  CHECK(rules({{Kind::multiply, 0, 0}}).size() == 1);          // itself
  CHECK(rules({{Kind::acc}, {Kind::add, 0, 2}}).size() == 1);  // what comes later
  CHECK(rules({{Kind::acc}, {Kind::multiply, 0, -1}}).size() == 1);
  CHECK(rules({{Kind::c}}).size() == 1);  // C alone
  CHECK(rules({{Kind::beta}, {Kind::c}, {Kind::multiply, 0, 1}}).size() == 1);
  CHECK(rules({{Kind::acc}, {Kind::alpha}, {Kind::add, 0, 1}}).size() == 1);
  CHECK(rules({{Kind::acc}, {Kind::c}, {Kind::multiply, 0, 1}}).size() == 1);
}

TEST_CASE("a plan's expression names the scale factors that the plan has",
          "[plan][epilogue][refusal]") {
  for (const Scale alpha : {Scale::one, Scale::run_time})
    for (const Scale beta : {Scale::zero, Scale::one, Scale::run_time}) {
      EpiloguePlan plan;
      plan.alpha = alpha;
      plan.beta = beta;
      plan.expression = scaled_sum(alpha, beta);
      CHECK(plan::epilogue_rules(plan).empty());
      plan.expression = scaled_sum(alpha == Scale::one ? Scale::run_time : Scale::one, beta);
      REQUIRE(plan::epilogue_rules(plan).size() == 1);
      CHECK(plan::epilogue_rules(plan)[0].operand == "epilogue");
      plan.expression = scaled_sum(alpha, beta == Scale::zero ? Scale::one : Scale::zero);
      REQUIRE(plan::epilogue_rules(plan).size() == 1);
      CHECK(plan::epilogue_rules(plan)[0].nearest_legal == to_string(scaled_sum(alpha, beta)));
    }
}
