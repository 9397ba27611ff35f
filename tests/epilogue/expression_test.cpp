// Epilogue expressions: printed, judged and folded.
#include <jute/epilogue/fold.hpp>

#include <utility>

#include "support/catch.hpp"

using namespace jute;
using Op = EpilogueOp;

namespace {

EpilogueNode node(EpilogueOp op, int left = 0, int right = 0) {
  return {.op = op, .operands = {left, right}};
}

/// d is the last node.
EpilogueExpression of(std::vector<EpilogueNode> nodes) {
  EpilogueExpression expression{.nodes = std::move(nodes)};
  expression.outputs[0].node = static_cast<int>(expression.nodes.size()) - 1;
  return expression;
}

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

TEST_CASE("a fold visits the nodes that lead to D, and reads C for a beta", "[epilogue]") {
  const EpilogueExpression expression =
      of({node(Op::alpha), node(Op::acc), node(Op::multiply, 0, 1), node(Op::beta), node(Op::c),
          node(Op::multiply, 3, 4), node(Op::add, 2, 5)});
  CHECK(to_string(expression) == "alpha*acc + beta*c");
  Numbers numbers{.sum = 5, .a = 3, .b = 2, .c_element = 7};
  CHECK(evaluate(expression, numbers) == 29);
  CHECK(numbers.reads == 1);
  Numbers without{.sum = 5, .a = 3, .c_element = 7};
  CHECK(evaluate(expression, without) == 15);
  CHECK(without.reads == 0);
  const EpilogueExpression other =
      of({node(Op::acc), node(Op::beta), node(Op::c), node(Op::multiply, 1, 2), node(Op::add, 0, 3),
          node(Op::alpha), node(Op::multiply, 4, 5)});
  CHECK(broken_rules(other).empty());
  CHECK(to_string(other) == "(acc + beta*c)*alpha");
  CHECK(evaluate(other, numbers) == 57);
}

TEST_CASE("an expression that no kernel is written for breaks a rule", "[epilogue][refusal]") {
  const auto rules = [](std::vector<EpilogueNode> nodes) {
    return broken_rules(of(std::move(nodes))).size();
  };
  CHECK(rules({}) == 1);
  CHECK(rules({node(Op::multiply, 0, 0)}) == 1);            // itself
  CHECK(rules({node(Op::acc), node(Op::add, 0, 2)}) == 1);  // what comes later
  CHECK(rules({node(Op::acc), node(Op::multiply, 0, -1)}) == 1);
  CHECK(rules({node(Op::c)}) == 1);  // C alone
  CHECK(rules({node(Op::beta), node(Op::c), node(Op::multiply, 0, 1)}) == 1);
  CHECK(rules({node(Op::acc), node(Op::alpha), node(Op::add, 0, 1)}) == 1);
  CHECK(rules({node(Op::acc), node(Op::c), node(Op::multiply, 0, 1)}) == 1);
}
