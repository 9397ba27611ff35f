// Judges epilogue expressions.
#include <jute/epilogue/operations.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "epilogue/kinds.hpp"
#include "epilogue/words.hpp"

namespace jute {
namespace {

using Rules = std::vector<std::string>;

/// Without these an expression cannot be walked through.
Rules broken_structure(const EpilogueExpression& expression) {
  const int count = static_cast<int>(expression.nodes.size());
  const auto exists = [&](int place) { return place >= 0 && place < count; };
  if (count == 0) return {"an epilogue must have a node, its result"};
  if (count > kMostEpilogueNodes)
    return {
        base::format("an epilogue must have at most {} nodes, not {}", kMostEpilogueNodes, count)};
  for (int place = 0; place < count; ++place) {
    const EpilogueNode& node = expression.nodes[static_cast<std::size_t>(place)];
    if (static_cast<std::size_t>(node.op) >= epilogue_operations().size())
      return {base::format("node {} must be an operation", place)};
    for (int i = 0; i < operation(node.op).arity; ++i)
      if (const int at = node.operands[static_cast<std::size_t>(i)]; at < 0 || at >= place)
        return {base::format("the operands of node {} must stand before it", place)};
    if (node.op == EpilogueOp::input &&
        (node.input < 0 || node.input >= static_cast<int>(expression.inputs.size())))
      return {
          base::format("node {} must be one of the {} inputs", place, expression.inputs.size())};
    if (node.op == EpilogueOp::cast && static_cast<int>(node.type) >= kDTypeCount)
      return {base::format("node {} must be of a type that there is", place)};
    if (node.op == EpilogueOp::stochastic && !may_be_stochastic(node.type))
      return {base::format("node {} must be of a type that is rounded to stochastically", place)};
    if (node.op == EpilogueOp::number && std::signbit(node.number) && !std::isnan(node.number))
      return {
          base::format("node {} must hold a number without a sign: it is negated instead", place)};
  }
  for (const EpilogueInput& input : expression.inputs)
    if (input.extent > EpilogueExtent::elements)
      return {base::format("the elements of {} must be of a kind that there is", input.name)};
  for (const EpilogueLocal& local : expression.locals)
    if (!exists(local.node)) return {base::format("the node of {} must exist", local.name)};
  for (const EpilogueOutput& output : expression.outputs)
    if (!exists(output.node) || output.gather > EpilogueGather::col_amax)
      return {base::format("the node of {} must exist", output.name)};
  return {};
}

void judge_counts(const EpilogueExpression& expression, Rules& rules) {
  const auto most = [&](std::size_t count, int limit, const char* what) {
    if (count > static_cast<std::size_t>(limit))
      rules.push_back(
          base::format("an epilogue must have at most {} {}, not {}", limit, what, count));
  };
  most(expression.inputs.size(), kMostEpilogueInputs, "inputs");
  most(expression.locals.size(), kMostEpilogueLocals, "locals");
  most(expression.outputs.size(), kMostEpilogueOutputs, "outputs");
  if (std::ranges::none_of(expression.outputs, [](const auto& one) { return is_d(one); }))
    rules.emplace_back("one output must be d");
}

void judge_names(const EpilogueExpression& expression, Rules& rules) {
  std::vector<std::string> taken;
  const auto judge = [&](const std::string& name) {
    if (std::ranges::find(taken, name) != taken.end())
      rules.push_back(base::format("{} must be the name of one thing", name));
    taken.push_back(name);
    if (is_d(name)) return;
    if (std::string fault = epilogue::name_fault(name); !fault.empty())
      rules.push_back(std::move(fault));
  };
  for (const EpilogueInput& input : expression.inputs) judge(input.name);
  for (const EpilogueLocal& local : expression.locals) judge(local.name);
  for (const EpilogueOutput& output : expression.outputs) judge(output.name);
  const auto is_named_d = [](const auto& named) { return is_d(named.name); };
  if (std::ranges::any_of(expression.inputs, is_named_d) ||
      std::ranges::any_of(expression.locals, is_named_d))
    rules.emplace_back("d must be an output");
}

void judge_kinds(const EpilogueExpression& expression, Rules& rules) {
  EpilogueExpression so_far = expression;
  so_far.nodes.clear();
  epilogue::KindTracker tracker;
  const auto note = [&](std::string fault) {
    if (!fault.empty()) rules.push_back(std::move(fault));
  };
  for (const EpilogueNode& node : expression.nodes) {
    so_far.nodes.push_back(node);
    note(tracker.take(so_far));
  }
  for (const EpilogueLocal& local : expression.locals) note(tracker.as_local(local.node));
  for (const EpilogueOutput& output : expression.outputs) note(tracker.as_output(so_far, output));
}

/// A text names nodes one by one: what it says twice must have a name, and that before it is used.
void judge_order(const EpilogueExpression& expression, Rules& rules) {
  const auto is_leaf = [&](int place) {
    return operation(expression.nodes[static_cast<std::size_t>(place)].op).arity == 0;
  };
  std::vector<int> uses(expression.nodes.size());
  for (const EpilogueNode& node : expression.nodes)
    for (int i = 0; i < operation(node.op).arity; ++i)
      ++uses[static_cast<std::size_t>(node.operands[static_cast<std::size_t>(i)])];
  for (const EpilogueOutput& output : expression.outputs)
    ++uses[static_cast<std::size_t>(output.node)];
  int last = -1;
  std::vector<int> named;
  for (const EpilogueLocal& local : expression.locals) {
    if (is_leaf(local.node) || std::ranges::find(named, local.node) != named.end()) continue;
    if (local.node < last)
      rules.push_back(base::format("the local {} must stand before what uses it", local.name));
    last = local.node;
    named.push_back(local.node);
  }
  for (std::size_t place = 0; place < uses.size(); ++place)
    if (const int at = static_cast<int>(place);
        uses[place] > 1 && !is_leaf(at) && std::ranges::find(named, at) == named.end())
      rules.push_back(base::format("node {} is used twice and must have a name", place));
  if (in_order(expression) != expression)
    rules.emplace_back(
        "nodes and inputs must stand in the order of the text, as in_order puts them");
}

}  // namespace

std::vector<std::string> broken_rules(const EpilogueExpression& expression) {
  Rules rules = broken_structure(expression);
  if (!rules.empty()) return rules;
  judge_counts(expression, rules);
  judge_names(expression, rules);
  judge_kinds(expression, rules);
  judge_order(expression, rules);
  return rules;
}

}  // namespace jute
