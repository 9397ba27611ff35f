// Judges epilogue expressions.
#include <jute/epilogue/expression.hpp>

#include "base/format.hpp"

namespace jute {
namespace {

using Kind = EpilogueOp;

/// Is the node the product beta*c?
bool is_beta_c(const EpilogueExpression& expression, int place) {
  const auto kind = [&](int at) { return expression.nodes[static_cast<std::size_t>(at)].op; };
  if (kind(place) != Kind::multiply) return false;
  const EpilogueNode& product = expression.nodes[static_cast<std::size_t>(place)];
  return kind(product.operands[0]) == Kind::beta && kind(product.operands[1]) == Kind::c;
}

}  // namespace

std::vector<std::string> broken_rules(const EpilogueExpression& expression) {
  std::vector<std::string> rules;
  const auto& nodes = expression.nodes;
  if (nodes.empty()) rules.emplace_back("an epilogue must have a node, its result");
  const int count = static_cast<int>(nodes.size());
  for (int place = 0; place < count; ++place) {
    const EpilogueNode& node = nodes[static_cast<std::size_t>(place)];
    if (node.op != Kind::multiply && node.op != Kind::add) continue;
    const auto stands_before = [&](int at) { return at >= 0 && at < place; };
    if (!stands_before(node.operands[0]) || !stands_before(node.operands[1]))
      return {base::format("the operands of node {} must stand before it", place)};
  }
  for (int place = 0; place < count; ++place) {
    const EpilogueNode& node = nodes[static_cast<std::size_t>(place)];
    const auto holds_c = [&](int at) {
      const Kind kind = nodes[static_cast<std::size_t>(at)].op;
      return kind == Kind::c || kind == Kind::beta || is_beta_c(expression, at);
    };
    if (node.op == Kind::add &&
        (!is_beta_c(expression, node.operands[1]) || holds_c(node.operands[0])))
      rules.push_back(base::format("node {} must add beta*c, on the right", place));
    if (node.op == Kind::multiply && !is_beta_c(expression, place) &&
        (holds_c(node.operands[0]) || holds_c(node.operands[1])))
      rules.push_back(base::format("node {} must multiply c by beta alone", place));
  }
  if (count > 0) {
    const Kind last = nodes.back().op;
    if (last == Kind::beta || last == Kind::c || is_beta_c(expression, count - 1))
      rules.emplace_back("beta*c must be added to something");
  }
  return rules;
}

}  // namespace jute
