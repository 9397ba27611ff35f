// Puts the steps of an expression together, and takes them on the host.
#include <jute/epilogue/evaluate.hpp>

#include <algorithm>

#include "epilogue/beta_c.hpp"
#include "epilogue/leaf.hpp"

namespace jute {
namespace {

using Kind = EpilogueStep::Kind;

struct Steps {
  EpilogueArithmetic result;
  std::vector<bool> taken;

  explicit Steps(EpilogueExpression expression)
      : result{std::move(expression), {}}, taken(result.expression.nodes.size()) {}

  [[nodiscard]] const EpilogueNode& at(int place) const {
    return result.expression.nodes[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] bool is_product(int place) const { return at(place).op == EpilogueOp::multiply; }
  [[nodiscard]] bool is_beta_c(int place) const {
    return epilogue::is_beta_c(result.expression, place);
  }

  /// Which operand of a sum is the product that goes into it: beta*c first, then the right one; -1:
  /// neither.
  [[nodiscard]] int product_of(const EpilogueNode& sum) const {
    for (const int side : {1, 0})
      if (is_beta_c(sum.operands[static_cast<std::size_t>(side)])) return side;
    for (const int side : {1, 0})
      if (is_product(sum.operands[static_cast<std::size_t>(side)])) return side;
    return -1;
  }

  [[nodiscard]] EpilogueStep sum(int place) const {
    const EpilogueNode& node = at(place);
    const int side = product_of(node);
    if (side < 0) return {Kind::apply, place, node.operands, {}};
    const EpilogueNode& product = at(node.operands[static_cast<std::size_t>(side)]);
    const int addend = node.operands[static_cast<std::size_t>(1 - side)];
    const bool differs = node.op == EpilogueOp::subtract;
    const bool is_c = is_beta_c(node.operands[static_cast<std::size_t>(side)]);
    return {is_c ? Kind::with_beta_c : Kind::fused,
            place,
            {product.operands[0], product.operands[1], addend},
            {.minus_product = differs && side == 1, .minus_addend = differs && side == 0}};
  }

  [[nodiscard]] EpilogueStep step(int place) const {
    const EpilogueNode& node = at(place);
    if (operation(node.op).arity == 0) return {Kind::leaf, place, {}, {}};
    if (node.op == EpilogueOp::add || node.op == EpilogueOp::subtract) return sum(place);
    if (is_beta_c(place)) return {Kind::beta_c, place, {}, {}};
    return {Kind::apply, place, node.operands, {}};
  }

  void take(int place) {
    if (taken[static_cast<std::size_t>(place)]) return;
    taken[static_cast<std::size_t>(place)] = true;
    const EpilogueStep next = step(place);
    if (next.kind == Kind::apply)
      for (int i = 0; i < operation(at(place).op).arity; ++i)
        take(next.operands[static_cast<std::size_t>(i)]);
    if (next.kind == Kind::fused)
      for (const int operand : next.operands) take(operand);
    if (next.kind == Kind::with_beta_c) take(next.operands[2]);
    result.steps.push_back(next);
  }
};

struct OnHost {
  using Value = double;
  DType compute;
  const EpilogueElement& element;

  [[nodiscard]] double leaf(const EpilogueNode& node) const {
    if (node.op == EpilogueOp::number) return rounded_number(node.number, compute);
    return epilogue::leaf_of(element, node);
  }
  [[nodiscard]] double apply(const EpilogueNode& node, double x, double y, double z) const {
    if (node.op == EpilogueOp::block_amax) return element.block_amax;
    return epilogue_value(node, compute, x, y, z);
  }
  [[nodiscard]] double fused(EpilogueSigns signs, double x, double y, double z) const {
    return fused_value(signs, compute, x, y, z);
  }
  [[nodiscard]] double beta_c() const {
    if (element.beta == 0) return 0;
    return epilogue_value({.op = EpilogueOp::multiply}, compute, element.beta, element.c);
  }
  [[nodiscard]] double with_beta_c(EpilogueSigns signs, double z) const {
    if (element.beta != 0) return fused(signs, element.beta, element.c, z);
    return signs.minus_addend ? epilogue_value({.op = EpilogueOp::negate}, compute, z) : z;
  }
  [[nodiscard]] double kept(int /*node*/, double value) const { return value; }
};

}  // namespace

EpilogueArithmetic arithmetic_of(EpilogueExpression expression) {
  Steps steps(std::move(expression));
  const std::vector<EpilogueOutput> outputs = steps.result.expression.outputs;
  for (const EpilogueOutput& output : outputs) steps.take(output.node);
  return std::move(steps.result);
}

EpilogueExpression of_blocks(const EpilogueExpression& expression) {
  EpilogueExpression part = expression;
  const auto node = std::ranges::find(part.nodes, EpilogueOp::block_amax, &EpilogueNode::op);
  part.outputs = {{"d", EpilogueGather::elements, node->operands[0]}};
  return part;
}

std::vector<double> evaluate(const EpilogueArithmetic& arithmetic, DType compute,
                             const EpilogueElement& element) {
  OnHost domain{compute, element};
  return evaluate(arithmetic, domain);
}

}  // namespace jute
