// Questions about epilogue expressions, and their order.
#include <jute/epilogue/expression.hpp>
#include <jute/epilogue/operations.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jute {

bool EpilogueNode::operator==(const EpilogueNode& other) const {
  const bool same_number = number == other.number
                               ? std::signbit(number) == std::signbit(other.number)
                               : std::isnan(number) && std::isnan(other.number);
  return same_number && op == other.op && operands == other.operands && input == other.input &&
         type == other.type && block == other.block;
}

EpilogueBlock block_of(const EpilogueExpression& expression) {
  const auto found = std::ranges::find(expression.nodes, EpilogueOp::block_amax, &EpilogueNode::op);
  return found == expression.nodes.end() ? EpilogueBlock{} : found->block;
}

bool names(const EpilogueExpression& expression, EpilogueOp op) {
  return std::ranges::find(expression.nodes, op, &EpilogueNode::op) != expression.nodes.end();
}

int find_input(const EpilogueExpression& expression, std::string_view name) {
  const auto found = std::ranges::find(expression.inputs, name, &EpilogueInput::name);
  return found == expression.inputs.end() ? -1
                                          : static_cast<int>(found - expression.inputs.begin());
}

namespace {

/// Copies what locals and outputs need, each node once.
struct Ordering {
  const EpilogueExpression& from;
  EpilogueExpression to;
  std::vector<int> places, inputs;  ///< of what has been copied; -1: not yet

  explicit Ordering(const EpilogueExpression& expression)
      : from(expression),
        places(expression.nodes.size(), -1),
        inputs(expression.inputs.size(), -1) {
    to.nodes.clear();
    to.outputs.clear();
  }

  int input(int place) {
    int& copy = inputs[static_cast<std::size_t>(place)];
    if (copy < 0) {
      copy = static_cast<int>(to.inputs.size());
      to.inputs.push_back(from.inputs[static_cast<std::size_t>(place)]);
    }
    return copy;
  }

  int push(const EpilogueNode& node) {
    if (operation(node.op).arity == 0) {
      const auto same = std::ranges::find(to.nodes, node);
      if (same != to.nodes.end()) return static_cast<int>(same - to.nodes.begin());
    }
    to.nodes.push_back(node);
    return static_cast<int>(to.nodes.size()) - 1;
  }

  int node(int place) {
    if (const int done = places[static_cast<std::size_t>(place)]; done >= 0) return done;
    const EpilogueNode& old = from.nodes[static_cast<std::size_t>(place)];
    EpilogueNode copy{.op = old.op};
    for (int i = 0; i < operation(old.op).arity; ++i) {
      const auto at = static_cast<std::size_t>(i);
      copy.operands[at] = node(old.operands[at]);
    }
    if (old.op == EpilogueOp::number)
      copy.number = std::isnan(old.number) ? std::numeric_limits<double>::quiet_NaN() : old.number;
    if (old.op == EpilogueOp::input) copy.input = input(old.input);
    if (old.op == EpilogueOp::cast || old.op == EpilogueOp::stochastic) copy.type = old.type;
    copy.block = old.block;
    return places[static_cast<std::size_t>(place)] = push(copy);
  }
};

}  // namespace

EpilogueExpression in_order(const EpilogueExpression& expression) {
  Ordering ordering(expression);
  ordering.to.math = expression.math;
  for (const EpilogueLocal& local : expression.locals)
    ordering.to.locals.push_back({local.name, ordering.node(local.node)});
  for (const EpilogueOutput& output : expression.outputs)
    ordering.to.outputs.push_back({output.name, output.gather, ordering.node(output.node)});
  return std::move(ordering.to);
}

}  // namespace jute
