// Prints epilogue expressions.
#include <jute/epilogue/expression.hpp>

#include <ostream>

namespace jute {
namespace {

std::string text_of(const EpilogueExpression& expression, int place) {
  const EpilogueNode& node = expression.nodes[static_cast<std::size_t>(place)];
  const auto operand = [&](int at) {
    const std::string text = text_of(expression, at);
    const bool binds_less = node.op == EpilogueOp::multiply &&
                            expression.nodes[static_cast<std::size_t>(at)].op == EpilogueOp::add;
    return binds_less ? "(" + text + ")" : text;
  };
  switch (node.op) {
    case EpilogueOp::acc:
      return "acc";
    case EpilogueOp::alpha:
      return "alpha";
    case EpilogueOp::beta:
      return "beta";
    case EpilogueOp::c:
      return "c";
    case EpilogueOp::multiply:
      return operand(node.operands[0]) + "*" + operand(node.operands[1]);
    default:
      return operand(node.operands[0]) + " + " + operand(node.operands[1]);
  }
}

}  // namespace

std::string to_string(const EpilogueExpression& expression) {
  return expression.outputs.empty() ? "" : text_of(expression, expression.outputs[0].node);
}

std::ostream& operator<<(std::ostream& out, const EpilogueExpression& expression) {
  return out << to_string(expression);
}

}  // namespace jute
