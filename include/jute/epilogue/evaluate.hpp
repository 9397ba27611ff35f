#pragma once
// Gives an expression a meaning: numbers, intervals, sentences or CUDA text.
#include <jute/base/export.hpp>
#include <jute/epilogue/operations.hpp>

#include <array>
#include <utility>
#include <vector>

namespace JUTE_API jute {

/// One operation of a kernel; it rounds once. A product that is added is part of the sum, and a sum
/// with beta*c has a kind of its own, because C is not read where beta is 0.
struct EpilogueStep {
  enum class Kind : std::uint8_t {
    leaf,         ///< acc, alpha, beta, c, a number, an input, a sum of an operand
    apply,        ///< the node's operation
    fused,        ///< ±x*y ± z
    beta_c,       ///< beta*c by itself; 0 where beta is 0
    with_beta_c,  ///< ±beta*c ± z; ±z where beta is 0
  };
  Kind kind = Kind::leaf;
  int node = 0;
  std::array<int, 3> operands{};  ///< nodes: of apply the operation's, else x, y, z
  EpilogueSigns signs{};
  bool operator==(const EpilogueStep&) const = default;
};

/// An expression as its kernel computes it: only what outputs need, operands first, each node once.
struct EpilogueArithmetic {
  EpilogueExpression expression;
  std::vector<EpilogueStep> steps;
  bool operator==(const EpilogueArithmetic&) const = default;
};
/// needs  an expression that breaks no rule
[[nodiscard]] EpilogueArithmetic arithmetic_of(EpilogueExpression expression);

/// The value of every output, before it is gathered or rounded. A Domain says what values are:
///   Value                                       a regular type
///   Value leaf(const EpilogueNode&)
///   Value apply(const EpilogueNode&, x, y, z)   operands that the operation lacks are Value{}
///   Value fused(EpilogueSigns, x, y, z)         ±x*y ± z, rounded once
///   Value beta_c()                              beta*c; 0 where beta is 0
///   Value with_beta_c(EpilogueSigns, z)         ±beta*c ± z, rounded once; ±z where beta is 0
///   Value kept(int node, Value)                 the node's value, once it is known
template <class Domain>
std::vector<typename Domain::Value> evaluate(const EpilogueArithmetic& arithmetic, Domain& domain) {
  using Result = typename Domain::Value;
  std::vector<Result> values(arithmetic.expression.nodes.size());
  const auto at = [&](int node) -> Result& { return values[static_cast<std::size_t>(node)]; };
  for (const EpilogueStep& step : arithmetic.steps) {
    const EpilogueNode& node = arithmetic.expression.nodes[static_cast<std::size_t>(step.node)];
    const int x = step.operands[0], y = step.operands[1], z = step.operands[2];
    const int arity = operation(node.op).arity;
    const auto value = [&]() -> Result {
      switch (step.kind) {
        case EpilogueStep::Kind::leaf:
          return domain.leaf(node);
        case EpilogueStep::Kind::apply:
          return domain.apply(node, at(x), arity > 1 ? at(y) : Result{},
                              arity > 2 ? at(z) : Result{});
        case EpilogueStep::Kind::fused:
          return domain.fused(step.signs, at(x), at(y), at(z));
        case EpilogueStep::Kind::beta_c:
          return domain.beta_c();
        case EpilogueStep::Kind::with_beta_c:
          break;
      }
      return domain.with_beta_c(step.signs, at(z));
    };
    at(step.node) = domain.kept(step.node, value());
  }
  std::vector<Result> outputs;
  for (const EpilogueOutput& output : arithmetic.expression.outputs)
    outputs.push_back(at(output.node));
  return outputs;
}

/// An element where an expression is evaluated on the host; all of the type that is computed in.
struct EpilogueElement {
  double acc = 0, alpha = 1, beta = 0, c = 0, a_sum = 0, b_sum = 0, gate = 0, block_amax = 0;
  std::vector<double> inputs{};  ///< truth values are 0 and 1; of a seed the random word
};

/// The expression whose d is what amax of blocks is taken of; inputs stay in their places.
///   needs  it names one
[[nodiscard]] EpilogueExpression of_blocks(const EpilogueExpression& expression);

/// The value of every output for one element, bit for bit a kernel's but for inexact functions.
[[nodiscard]] std::vector<double> evaluate(const EpilogueArithmetic& arithmetic, DType compute,
                                           const EpilogueElement& element);

}  // namespace jute
