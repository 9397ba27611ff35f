// Questions about epilogue expressions.
#include <jute/epilogue/expression.hpp>

#include <algorithm>

namespace jute {

bool names(const EpilogueExpression& expression, EpilogueOp op) {
  return std::ranges::find(expression.nodes, op, &EpilogueNode::op) != expression.nodes.end();
}

int find_input(const EpilogueExpression& expression, std::string_view name) {
  const auto found = std::ranges::find(expression.inputs, name, &EpilogueInput::name);
  return found == expression.inputs.end() ? -1
                                          : static_cast<int>(found - expression.inputs.begin());
}

}  // namespace jute
