// Builds the usual epilogue.
#include <jute/plan/epilogue.hpp>

namespace jute {

EpilogueExpression scaled_sum(Scale alpha, Scale beta) {
  EpilogueExpression result;
  std::vector<EpilogueNode>& nodes = result.nodes;
  const auto push = [&](const EpilogueNode& node) {
    nodes.push_back(node);
    return static_cast<int>(nodes.size()) - 1;
  };
  const auto apply = [&](EpilogueOp op, int left, int right) {
    return push({.op = op, .operands = {left, right}});
  };
  int& sum = result.outputs[0].node;
  if (alpha != Scale::one) sum = apply(EpilogueOp::multiply, push({EpilogueOp::alpha}), sum);
  if (beta == Scale::zero) return in_order(result);
  const int factor = push({EpilogueOp::beta}), c = push({EpilogueOp::c});
  sum = apply(EpilogueOp::add, sum, apply(EpilogueOp::multiply, factor, c));
  return in_order(result);
}

}  // namespace jute
