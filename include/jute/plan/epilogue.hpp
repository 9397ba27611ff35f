#pragma once
// What becomes of a sum of products on its way to D, as an expression.
#include <jute/base/export.hpp>
#include <jute/plan/problem.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// One node of an expression; its operands stand before it.
struct EpilogueNode {
  enum class Kind : std::uint8_t {
    acc,       ///< the sum of products
    alpha,     ///< the scale factor of that name
    beta,      ///< likewise
    c,         ///< the element of C; read only if beta is not 0
    multiply,  ///< left * right
    add,       ///< left + right; a product on the right is added in one rounding
  };
  Kind kind = Kind::acc;
  int left = 0, right = 0;  ///< of multiply and add: places of the operands
  bool operator==(const EpilogueNode&) const = default;
};

/// A value: kernels, the reference, the error bound and the words about a plan's arithmetic are
/// folds over the same nodes. The last node is D, before it is rounded to its type.
struct EpilogueExpression {
  std::vector<EpilogueNode> nodes{{}};
  bool operator==(const EpilogueExpression&) const = default;
};

/// alpha*acc + beta*c without what the scale factors leave out: no alpha where it is 1, no c where
/// beta is 0. A beta of 1 stays: its kernel holds the 1.
[[nodiscard]] EpilogueExpression scaled_sum(Scale alpha, Scale beta);
/// Does it occur?
[[nodiscard]] bool names(const EpilogueExpression& expression, EpilogueNode::Kind kind);
/// `alpha*acc + beta*c`: canonical, as it is written.
[[nodiscard]] std::string to_string(const EpilogueExpression& expression);
std::ostream& operator<<(std::ostream& out, const EpilogueExpression& expression);
/// Every broken rule, in words; empty for an expression that kernels are written for: operands
/// stand before their node, alpha scales, and c occurs as a beta*c that is added.
[[nodiscard]] std::vector<std::string> broken_rules(const EpilogueExpression& expression);

/// Folds an expression that keeps the rules. A Domain says what nodes mean: its type Value, and
///   acc(), alpha()     leaves
///   multiply(x, y)     a product of its own
///   add_beta_c(x)      x + beta * c in one rounding; x where beta is 0
template <class Domain>
typename Domain::Value evaluate(const EpilogueExpression& expression, Domain& domain,
                                std::size_t node) {
  using Kind = EpilogueNode::Kind;
  const EpilogueNode& at = expression.nodes[node];
  const auto left = static_cast<std::size_t>(at.left), right = static_cast<std::size_t>(at.right);
  switch (at.kind) {
    case Kind::alpha:
      return domain.alpha();
    case Kind::multiply:
      return domain.multiply(evaluate(expression, domain, left),
                             evaluate(expression, domain, right));
    case Kind::add:
      return domain.add_beta_c(evaluate(expression, domain, left));
    default:
      return domain.acc();
  }
}
template <class Domain>
typename Domain::Value evaluate(const EpilogueExpression& expression, Domain& domain) {
  return evaluate(expression, domain, expression.nodes.size() - 1);
}

}  // namespace jute
