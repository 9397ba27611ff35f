// Builds, prints and judges epilogue expressions.
#include <jute/plan/epilogue.hpp>

#include <algorithm>
#include <ostream>

#include "base/format.hpp"

namespace jute {
namespace {

using Kind = EpilogueNode::Kind;

/// Is the node the product beta*c?
bool is_beta_c(const EpilogueExpression& expression, int place) {
  const auto kind = [&](int at) { return expression.nodes[static_cast<std::size_t>(at)].kind; };
  if (kind(place) != Kind::multiply) return false;
  const EpilogueNode& product = expression.nodes[static_cast<std::size_t>(place)];
  return kind(product.left) == Kind::beta && kind(product.right) == Kind::c;
}

std::string text_of(const EpilogueExpression& expression, std::size_t place) {
  const EpilogueNode& node = expression.nodes[place];
  const auto operand = [&](int at) {
    const auto index = static_cast<std::size_t>(at);
    const std::string text = text_of(expression, index);
    const bool binds_less =
        node.kind == Kind::multiply && expression.nodes[index].kind == Kind::add;
    return binds_less ? "(" + text + ")" : text;
  };
  switch (node.kind) {
    case Kind::acc:
      return "acc";
    case Kind::alpha:
      return "alpha";
    case Kind::beta:
      return "beta";
    case Kind::c:
      return "c";
    case Kind::multiply:
      return operand(node.left) + "*" + operand(node.right);
    case Kind::add:
      break;
  }
  return operand(node.left) + " + " + operand(node.right);
}

}  // namespace

EpilogueExpression scaled_sum(Scale alpha, Scale beta) {
  EpilogueExpression result{{{Kind::acc}}};
  std::vector<EpilogueNode>& nodes = result.nodes;
  const auto push = [&](const EpilogueNode& node) {
    nodes.push_back(node);
    return static_cast<int>(nodes.size()) - 1;
  };
  int sum = 0;
  if (alpha != Scale::one) sum = push({Kind::multiply, push({Kind::alpha}), sum});
  if (beta == Scale::zero) return result;
  const int factor = push({Kind::beta}), c = push({Kind::c});
  push({Kind::add, sum, push({Kind::multiply, factor, c})});
  return result;
}

bool names(const EpilogueExpression& expression, EpilogueNode::Kind kind) {
  return std::any_of(expression.nodes.begin(), expression.nodes.end(),
                     [&](const EpilogueNode& node) { return node.kind == kind; });
}

std::string to_string(const EpilogueExpression& expression) {
  return expression.nodes.empty() ? "" : text_of(expression, expression.nodes.size() - 1);
}

std::ostream& operator<<(std::ostream& out, const EpilogueExpression& expression) {
  return out << to_string(expression);
}

std::vector<std::string> broken_rules(const EpilogueExpression& expression) {
  std::vector<std::string> rules;
  const auto& nodes = expression.nodes;
  if (nodes.empty()) rules.emplace_back("an epilogue must have a node, its result");
  const int count = static_cast<int>(nodes.size());
  for (int place = 0; place < count; ++place) {
    const EpilogueNode& node = nodes[static_cast<std::size_t>(place)];
    if (node.kind != Kind::multiply && node.kind != Kind::add) continue;
    const auto stands_before = [&](int at) { return at >= 0 && at < place; };
    if (!stands_before(node.left) || !stands_before(node.right))
      return {base::format("the operands of node {} must stand before it", place)};
  }
  for (int place = 0; place < count; ++place) {
    const EpilogueNode& node = nodes[static_cast<std::size_t>(place)];
    const auto holds_c = [&](int at) {
      const Kind kind = nodes[static_cast<std::size_t>(at)].kind;
      return kind == Kind::c || kind == Kind::beta || is_beta_c(expression, at);
    };
    if (node.kind == Kind::add && (!is_beta_c(expression, node.right) || holds_c(node.left)))
      rules.push_back(base::format("node {} must add beta*c, on the right", place));
    if (node.kind == Kind::multiply && !is_beta_c(expression, place) &&
        (holds_c(node.left) || holds_c(node.right)))
      rules.push_back(base::format("node {} must multiply c by beta alone", place));
  }
  if (count > 0) {
    const Kind last = nodes.back().kind;
    if (last == Kind::beta || last == Kind::c || is_beta_c(expression, count - 1))
      rules.emplace_back("beta*c must be added to something");
  }
  return rules;
}

}  // namespace jute
