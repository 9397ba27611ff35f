// Puts a scale, or random words, between an epilogue's value and D.
#include <jute/base/error.hpp>
#include <jute/epilogue/operations.hpp>
#include <jute/epilogue/quantise.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <limits>
#include <utility>

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
  /// What is used more than once has a name.
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

}  // namespace

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
