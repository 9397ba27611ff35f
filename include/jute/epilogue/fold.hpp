#pragma once
// Gives an expression a meaning: numbers, intervals, sentences or CUDA text.
#include <jute/epilogue/expression.hpp>

namespace JUTE_API jute {

/// Folds an expression that keeps the rules. A Domain says what nodes mean: its type Value, and
///   acc(), alpha()     leaves
///   multiply(x, y)     a product of its own
///   add_beta_c(x)      x + beta * c in one rounding; x where beta is 0
template <class Domain>
typename Domain::Value evaluate(const EpilogueExpression& expression, Domain& domain, int place) {
  const EpilogueNode& node = expression.nodes[static_cast<std::size_t>(place)];
  const auto [left, right, unused] = node.operands;
  switch (node.op) {
    case EpilogueOp::alpha:
      return domain.alpha();
    case EpilogueOp::multiply:
      return domain.multiply(evaluate(expression, domain, left),
                             evaluate(expression, domain, right));
    case EpilogueOp::add:
      return domain.add_beta_c(evaluate(expression, domain, left));
    default:
      return domain.acc();
  }
}
/// The value of d.
template <class Domain>
typename Domain::Value evaluate(const EpilogueExpression& expression, Domain& domain) {
  return evaluate(expression, domain, expression.outputs[0].node);
}

}  // namespace jute
