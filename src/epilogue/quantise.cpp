// Puts a scale, or random words, between an epilogue's value and D.
#include <jute/base/error.hpp>
#include <jute/epilogue/operations.hpp>
#include <jute/epilogue/quantise.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace jute {
namespace {

[[noreturn]] void refuse(const EpilogueExpression& expression, std::string rule) {
  throw Exception({.code = ErrorCode::illegal_problem,
                   .operand = "epilogue",
                   .value = to_string(expression),
                   .violated_rules = {std::move(rule)},
                   .nearest_legal = std::nullopt,
                   .position = std::nullopt,
                   .detail = {}});
}

/// An expression that grows behind what it has.
struct Growing {
  EpilogueExpression whole;

  int push(const EpilogueNode& node) {
    whole.nodes.push_back(node);
    return static_cast<int>(whole.nodes.size()) - 1;
  }
  EpilogueOutput& d() {
    return *std::ranges::find_if(whole.outputs, [](const auto& one) { return is_d(one); });
  }
  /// Nodes that are used more than once have a name.
  void name(const std::string& word, int node) {
    const bool has_name =
        std::ranges::find(whole.locals, node, &EpilogueLocal::node) != whole.locals.end();
    const bool is_leaf = operation(whole.nodes[static_cast<std::size_t>(node)].op).arity == 0;
    if (!has_name && !is_leaf) whole.locals.push_back({word, node});
  }
  EpilogueExpression judged() && {
    EpilogueExpression result = in_order(whole);
    if (const std::vector<std::string> rules = broken_rules(result); !rules.empty())
      refuse(result, rules.front());
    return result;
  }
};

/// Which nodes need the largest magnitudes of blocks.
std::vector<bool> need_blocks(const EpilogueExpression& expression) {
  std::vector<bool> needs;
  for (const EpilogueNode& node : expression.nodes) {
    bool need = node.op == EpilogueOp::block_amax;
    for (int i = 0; i < operation(node.op).arity; ++i)
      need = need || needs[static_cast<std::size_t>(node.operands[static_cast<std::size_t>(i)])];
    needs.push_back(need);
  }
  return needs;
}

/// The node that amax is taken of.
int value_of_blocks(const EpilogueExpression& expression) {
  return std::ranges::find(expression.nodes, EpilogueOp::block_amax, &EpilogueNode::op)
      ->operands[0];
}

}  // namespace

bool has_whole_blocks(const EpilogueExpression& expression) {
  return block_of(expression).n == kWholeExtent;
}

EpilogueExpression ahead_of_blocks(const EpilogueExpression& expression) {
  const std::vector<bool> needs = need_blocks(expression);
  const int value = value_of_blocks(expression);
  EpilogueExpression part = expression;
  std::erase_if(part.outputs, [&](const EpilogueOutput& output) {
    return !is_d(output) && needs[static_cast<std::size_t>(output.node)];
  });
  for (EpilogueOutput& output : part.outputs)
    if (is_d(output)) output.node = value;
  const bool by_rows = block_of(expression).m == 1;
  part.outputs.push_back(
      {kMostOfBlocks, by_rows ? EpilogueGather::row_amax : EpilogueGather::amax, value});
  return needed_part(std::move(part));
}

EpilogueExpression behind_blocks(const EpilogueExpression& expression) {
  const std::vector<bool> needs = need_blocks(expression);
  const auto value = static_cast<std::size_t>(value_of_blocks(expression));
  EpilogueExpression part = expression;
  std::erase_if(part.outputs, [&](const EpilogueOutput& output) {
    return !is_d(output) && !needs[static_cast<std::size_t>(output.node)];
  });
  for (EpilogueNode& node : part.nodes)
    if (node.op == EpilogueOp::acc) node = {.op = EpilogueOp::gate};
  part.nodes[value] = {.op = EpilogueOp::acc};
  std::erase_if(part.locals, [&](const EpilogueLocal& local) {
    return static_cast<std::size_t>(local.node) == value;
  });
  return needed_part(std::move(part));
}

EpilogueExpression quantised(const EpilogueExpression& expression, const EpilogueBlock& block,
                             DType type) {
  constexpr DType kTypes[] = {DType::e4m3, DType::e5m2, DType::s8};
  if (std::ranges::find(kTypes, type) == std::end(kTypes))
    refuse(expression,
           "a D with a scale a block must be e4m3, e5m2 or s8, not " + std::string(name(type)));
  const double largest =
      decode(type, encode(type, static_cast<double>(std::numeric_limits<float>::max())));
  Growing growing{expression};
  const int value = growing.d().node;
  growing.name("unscaled", value);
  const int most =
      growing.push({.op = EpilogueOp::block_amax, .operands = {value}, .block = block});
  const int number = growing.push({.op = EpilogueOp::number, .number = largest});
  const int scale = growing.push({.op = EpilogueOp::divide, .operands = {most, number}});
  growing.name("scale", scale);
  const int zero = growing.push({.op = EpilogueOp::number, .number = 0});
  const int is_zero = growing.push({.op = EpilogueOp::equal, .operands = {scale, zero}});
  const int scaled = growing.push({.op = EpilogueOp::divide, .operands = {value, scale}});
  growing.d().node = growing.push({.op = EpilogueOp::select, .operands = {is_zero, value, scaled}});
  growing.whole.outputs.push_back({"scale_d", EpilogueGather::elements, scale});
  return std::move(growing).judged();
}

EpilogueExpression rounded_by_seed(const EpilogueExpression& expression, DType type) {
  if (!may_be_stochastic(type))
    refuse(expression, "D must be bf16, f16, e4m3, e5m2 or s8 to be rounded by a seed, not " +
                           std::string(name(type)));
  Growing growing{expression};
  growing.whole.inputs.push_back({.name = "seed"});
  const int place = static_cast<int>(growing.whole.inputs.size()) - 1;
  const int seed = growing.push({.op = EpilogueOp::input, .input = place});
  growing.d().node = growing.push(
      {.op = EpilogueOp::stochastic, .operands = {growing.d().node, seed}, .type = type});
  return std::move(growing).judged();
}

}  // namespace jute
