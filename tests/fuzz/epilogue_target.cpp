// The laws that fuzzed epilogues are held to.
#include <jute/base/error.hpp>
#include <jute/epilogue/bound.hpp>
#include <jute/epilogue/cuda_text.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "fuzz/targets.hpp"

#include "fuzz/input_bytes.hpp"

namespace jute::test {
namespace {

/// Nodes as the bytes say; some are none.
EpilogueExpression tree_of(InputBytes bytes) {
  static constexpr const char* kNames[] = {"d", "y", "z", "x", "v", "d", "gelu", ""};
  static constexpr double kNumbers[] = {0, 1, 0.5, -0.0, -3, 1e30, 2147483648.0, 1e-300};
  EpilogueExpression tree;
  tree.nodes.clear();
  tree.outputs.clear();
  for (int inputs = bytes.next() % 3; inputs > 0; --inputs)
    tree.inputs.push_back({kNames[3 + bytes.next() % 2 + (inputs == 9 ? 3 : 0)],
                           static_cast<EpilogueExtent>(bytes.next() % 5), bytes.next() % 2 == 1});
  for (int nodes = bytes.next() % 16; nodes >= 0; --nodes) {
    const int count = static_cast<int>(tree.nodes.size());
    EpilogueNode node{.op = static_cast<EpilogueOp>(bytes.next() % 42)};
    // Back by so many; most often to what is there.
    for (int& operand : node.operands)
      operand = count == 0 ? 0 : count - 1 - bytes.next() % (count + 1);
    if (node.op == EpilogueOp::number) node.number = kNumbers[bytes.next() % 8];
    if (node.op == EpilogueOp::input) node.input = bytes.next() % 3;
    if (node.op == EpilogueOp::cast) node.type = static_cast<DType>(bytes.next() % 12);
    tree.nodes.push_back(node);
  }
  const int count = static_cast<int>(tree.nodes.size());
  for (int locals = bytes.next() % 3; locals > 0; --locals)
    tree.locals.push_back({kNames[bytes.next() % 8], bytes.next() % (count + 1)});
  tree.outputs.push_back({"d", EpilogueGather::elements, count - 1});
  for (int outputs = bytes.next() % 3; outputs > 0; --outputs)
    tree.outputs.push_back({kNames[bytes.next() % 8], static_cast<EpilogueGather>(bytes.next() % 6),
                            bytes.next() % (count + 1)});
  return tree;
}

void check_values(const EpilogueExpression& expression, DType accumulate) {
  const DType compute = compute_type(expression, accumulate);
  const EpilogueArithmetic arithmetic = arithmetic_of(expression);
  EpilogueElement element{.acc = 3, .alpha = 2, .beta = 1, .c = -5, .a_sum = 7, .b_sum = -2};
  EpilogueBounds bounds{.acc = {3, 3},
                        .alpha = {2, 2},
                        .beta = {1, 1},
                        .c = {-5, -5},
                        .a_sum = {7, 7},
                        .b_sum = {-2, -2}};
  EpilogueSpelling spelling;
  const std::vector<EpilogueKind> kinds = input_kinds(expression);
  for (const EpilogueKind kind : kinds) {
    element.inputs.push_back(kind == EpilogueKind::truth ? 1 : -4);
    bounds.inputs.push_back(EpilogueInterval::point(element.inputs.back()));
    spelling.inputs.emplace_back("input");
  }
  const std::vector<double> values = evaluate(arithmetic, compute, element);
  const std::vector<EpilogueInterval> within = bound(arithmetic, compute, bounds);
  const EpilogueCudaText cuda = cuda_text(arithmetic, compute, spelling, EpilogueAccuracy::half);
  require_law(values.size() == expression.outputs.size() && cuda.values.size() == values.size(),
              "an output has no value: " + to_string(expression));
  for (std::size_t i = 0; i < values.size(); ++i)
    require_law(within[i].contains(values[i]),
                "output " + std::to_string(i) + " leaves its bound: " + to_string(expression));
}

void check(const EpilogueExpression& expression) {
  const std::string text = to_string(expression);
  require_law(parse_epilogue(text) == expression, "reads back as another: " + text);
  for (const DType accumulate : {DType::f32, DType::f64, DType::s32})
    check_values(expression, accumulate);
}

}  // namespace

void fuzz_epilogue(std::span<const std::uint8_t> bytes) {
  if (!bytes.empty() && bytes[0] == 0) {
    const EpilogueExpression tree = tree_of(InputBytes(bytes.subspan(1)));
    const auto takes = [&](EpilogueOp sum) { return names(tree, sum); };
    constexpr std::array kSums{EpilogueOp::acc, EpilogueOp::a_sum, EpilogueOp::b_sum};
    // What takes nothing of A·B is part of an epilogue and none itself: no text is read as it.
    if (broken_rules(tree).empty() && std::ranges::any_of(kSums, takes)) check(tree);
    return;
  }
  const std::string text(bytes.begin(), bytes.end());
  EpilogueExpression expression;
  try {
    expression = parse_epilogue(text);
  } catch (const Exception&) {
    return;
  }
  require_law(broken_rules(expression).empty(), "is read, and breaks a rule: " + text);
  check(expression);
}

}  // namespace jute::test
