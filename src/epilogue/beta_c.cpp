// Which uses of C are beta*c.
#include "epilogue/beta_c.hpp"

#include <jute/epilogue/operations.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>

namespace jute {
namespace epilogue {

bool is_beta_c(const EpilogueExpression& expression, int place) {
  const auto at = [&](int node) -> const EpilogueNode& {
    return expression.nodes[static_cast<std::size_t>(node)];
  };
  if (at(place).op != EpilogueOp::multiply) return false;
  const EpilogueOp x = at(at(place).operands[0]).op, y = at(at(place).operands[1]).op;
  return (x == EpilogueOp::beta && y == EpilogueOp::c) ||
         (x == EpilogueOp::c && y == EpilogueOp::beta);
}

}  // namespace epilogue

CRead c_read(const EpilogueExpression& expression) {
  if (!names(expression, EpilogueOp::c)) return CRead::never;
  const auto is_c = [&](int place) {
    return expression.nodes[static_cast<std::size_t>(place)].op == EpilogueOp::c;
  };
  const int count = static_cast<int>(expression.nodes.size());
  for (int place = 0; place < count; ++place) {
    const EpilogueNode& node = expression.nodes[static_cast<std::size_t>(place)];
    const auto last = node.operands.begin() + operation(node.op).arity;
    if (std::any_of(node.operands.begin(), last, is_c) && !epilogue::is_beta_c(expression, place))
      return CRead::always;
  }
  const bool is_output = std::ranges::any_of(
      expression.outputs, [&](const EpilogueOutput& output) { return is_c(output.node); });
  return is_output ? CRead::always : CRead::unless_beta_is_zero;
}

}  // namespace jute
