// Epilogue expressions: printed, judged and folded.
#include <jute/epilogue/fold.hpp>
#include <jute/epilogue/types.hpp>

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

TEST_CASE("C is not read where all that is taken of it is 0", "[epilogue]") {
  const auto read = [](const char* text) { return c_read(parse_epilogue(text)); };
  CHECK(read("acc + beta") == CRead::never);
  for (const char* text :
       {"acc + beta*c", "acc + c*beta", "y := c*beta; d = y + acc; g = y*y - beta*c",
        "acc*(beta*(beta*c))", "y := c; acc + beta*y"}) {
    INFO(text);
    CHECK(read(text) == CRead::unless_beta_is_zero);
  }
  for (const char* text : {"acc + c", "acc + c*alpha*beta", "-beta*c + acc", "acc + beta*c + c",
                           "d = acc + beta*c; g = c", "max(acc, c) + beta",
                           "select(c <= 1, acc, 2) + beta", "acc + beta*-c", "acc + c*c",
                           "d = acc + beta; a = amax(c)", "d = acc; k = bit(c > beta)"}) {
    INFO(text);
    CHECK(read(text) == CRead::always);
  }
}

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
}

TEST_CASE("an expression that no text names breaks a rule", "[epilogue][refusal]") {
  const auto rules = [](std::vector<EpilogueNode> nodes) {
    return broken_rules(of(std::move(nodes))).size();
  };
  CHECK(rules({}) == 1);
  CHECK(rules({node(Op::multiply, 0, 0)}) == 1);            // itself
  CHECK(rules({node(Op::acc), node(Op::add, 0, 2)}) == 1);  // what comes later
  CHECK(rules({node(Op::acc), node(Op::multiply, 0, -1)}) == 1);
  CHECK(rules({node(Op::acc), node(Op::input)}) == 1);                            // no such input
  CHECK(rules({{.op = Op::number, .number = -1}}) == 1);                          // a sign
  CHECK(rules({node(Op::acc), node(Op::alpha), node(Op::multiply, 1, 0)}) == 1);  // their order
  CHECK(rules({node(Op::acc), node(Op::acc), node(Op::add, 0, 1)}) == 1);         // a leaf twice
  CHECK(rules({node(Op::acc), node(Op::exp, 0), node(Op::add, 1, 1)}) == 1);      // twice, no name
  CHECK(rules({node(Op::acc), node(Op::less, 0, 0), node(Op::exp, 1)}) == 1);     // a truth value
  CHECK(rules({node(Op::acc), node(Op::logical_not, 0), node(Op::bit, 1)}) == 2);
  CHECK(rules({node(Op::acc), {.op = Op::exp, .number = 3}}) == 1);  // what is not said
  CHECK(rules({node(Op::acc), node(Op::exp, 0), node(Op::add, 0, 1)}) == 0);
}

TEST_CASE("names, counts and the order of locals are rules", "[epilogue][refusal]") {
  const auto first_rule = [](auto&& change) {
    EpilogueExpression expression = parse_epilogue("y := exp(acc); z := log(y); d = z*s; g = y");
    REQUIRE(broken_rules(expression).empty());
    change(expression);
    const std::vector<std::string> rules = broken_rules(expression);
    return rules.empty() ? "" : rules[0];
  };
  using E = EpilogueExpression;
  CHECK(first_rule([](E& e) { e.inputs[0].name = "y"; }) == "y must be the name of one thing");
  CHECK(first_rule([](E& e) { e.outputs[1].name = "d"; }) == "d must be the name of one thing");
  CHECK(first_rule([](E& e) { e.locals[0].name = "gelu"; }) ==
        "gelu has a meaning of its own: a name must be another word");
  CHECK(first_rule([](E& e) { e.locals[0].name = "2y"; }) ==
        "a name must be a letter, then letters, digits and '_', unlike '2y'");
  CHECK(first_rule([](E& e) { e.locals[0].name = std::string(65, 'y'); }) ==
        "a name must have at most 64 letters");
  CHECK(first_rule([](E& e) { e.outputs.erase(e.outputs.begin()); }) == "one output must be d");
  CHECK(first_rule([](E& e) { e.outputs[0].gather = EpilogueGather::amax; }) ==
        "d must hold every element: another output takes amax");
  CHECK(first_rule([](E& e) { e.locals[0].name = "d"; }) == "d must be the name of one thing");
  CHECK(first_rule([](E& e) { e.outputs[1].node = 99; }) == "the node of g must exist");
  CHECK(first_rule([](E& e) { std::swap(e.locals[0], e.locals[1]); }) ==
        "the local y must stand before what uses it");
  CHECK(first_rule([](E& e) { e.locals.resize(1); }) == "");  // z is written where it is used
  CHECK(first_rule([](E& e) { e.locals.erase(e.locals.begin()); }) ==
        "node 1 is used twice and must have a name");
  CHECK(first_rule([](E& e) { e.inputs.push_back({"more"}); }) ==
        "nodes and inputs must stand in the order of the text, as in_order puts them");
  CHECK(first_rule([](E& e) {
          e.outputs.resize(9, {"x", EpilogueGather::elements, 0});
        }) == "an epilogue must have at most 8 outputs, not 9");
}
