// Builds expressions from C++ operators.
#include <jute/base/error.hpp>
#include <jute/epilogue/build.hpp>
#include <jute/epilogue/operations.hpp>

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "epilogue/words.hpp"

namespace jute::epilogue {
namespace {

using Op = EpilogueOp;

[[noreturn]] void refuse(ErrorCode code, std::string value, std::vector<std::string> rules) {
  throw Exception({.code = code,
                   .operand = "epilogue",
                   .value = std::move(value),
                   .violated_rules = std::move(rules)});
}

EpilogueExpression nothing() {
  EpilogueExpression tree;
  tree.nodes.clear();
  tree.outputs.clear();
  return tree;
}

/// Adds a node; a leaf that is there already is found.
int push(EpilogueExpression& tree, const EpilogueNode& node) {
  if (operation(node.op).arity == 0) {
    const auto same = std::ranges::find(tree.nodes, node);
    if (same != tree.nodes.end()) return static_cast<int>(same - tree.nodes.begin());
  }
  if (tree.nodes.size() == static_cast<std::size_t>(kMostEpilogueNodes))
    refuse(ErrorCode::out_of_range, "",
           {base::format("an epilogue must have at most {} nodes", kMostEpilogueNodes)});
  tree.nodes.push_back(node);
  return static_cast<int>(tree.nodes.size()) - 1;
}

/// Takes the nodes of one tree into another.
struct Merging {
  const EpilogueExpression& from;
  EpilogueExpression& into;
  std::vector<int> places = std::vector<int>(from.nodes.size(), -1);

  int input(const EpilogueInput& wanted) {
    const int place = find_input(into, wanted.name);
    if (place < 0) {
      into.inputs.push_back(wanted);
      return static_cast<int>(into.inputs.size()) - 1;
    }
    const EpilogueInput& there = into.inputs[static_cast<std::size_t>(place)];
    if (there != wanted)
      refuse(ErrorCode::syntax, input_text(wanted),
             {base::format("an input must have one index: it was {} before", input_text(there))});
    return place;
  }

  /// The node that `into` has under one of the names of this; -1: none.
  int node_of_same_name(int place) {
    for (const EpilogueLocal& local : from.locals) {
      if (local.node != place) continue;
      const auto there = std::ranges::find(into.locals, local.name, &EpilogueLocal::name);
      if (there == into.locals.end()) continue;
      if (value_text(from, place) != value_text(into, there->node))
        refuse(ErrorCode::syntax, local.name,
               {base::format("{} must be the name of one value: it is {} and {}", local.name,
                             value_text(into, there->node), value_text(from, place))});
      return there->node;
    }
    return -1;
  }

  int node(int place) {
    int& done = places[static_cast<std::size_t>(place)];
    if (done >= 0) return done;
    EpilogueNode copy = from.nodes[static_cast<std::size_t>(place)];
    for (int i = 0; i < operation(copy.op).arity; ++i) {
      int& operand = copy.operands[static_cast<std::size_t>(i)];
      operand = node(operand);
    }
    if (copy.op == Op::input) copy.input = input(from.inputs[static_cast<std::size_t>(copy.input)]);
    const int same = node_of_same_name(place);
    done = same >= 0 ? same : push(into, copy);
    for (const EpilogueLocal& local : from.locals)
      if (local.node == place &&
          std::ranges::find(into.locals, local.name, &EpilogueLocal::name) == into.locals.end())
        into.locals.push_back({local.name, done});
    return done;
  }
};

int merge(EpilogueExpression& into, const Value& value) {
  return Merging{value.tree(), into}.node(value.node());
}

Value apply(Op op, std::initializer_list<Value> operands) {
  return Value::of({.op = op}, operands);
}

}  // namespace

Value::Value(double number) : tree_(nothing()) {
  const bool has_sign = std::signbit(number) && !std::isnan(number);
  node_ = push(tree_, {.op = Op::number, .number = has_sign ? -number : number});
  if (has_sign) node_ = push(tree_, {.op = Op::negate, .operands = {node_}});
}

Value Value::of(const EpilogueNode& operation, std::initializer_list<Value> operands) {
  EpilogueExpression tree = nothing();
  EpilogueNode node = operation;
  std::size_t i = 0;
  for (const Value& operand : operands) node.operands[i++] = merge(tree, operand);
  const int place = push(tree, node);
  return {std::move(tree), place};
}

Value Value::leaf(const EpilogueNode& node, const EpilogueInput& input) {
  EpilogueExpression tree = nothing();
  if (node.op == Op::input) tree.inputs.push_back(input);
  tree.nodes.push_back(node);
  return {std::move(tree), 0};
}

Value Value::named(std::string name) const {
  if (std::string fault = name_fault(name); !fault.empty())
    refuse(ErrorCode::syntax, name, {std::move(fault)});
  Value result = *this;
  result.tree_.locals.push_back({std::move(name), node_});
  return result;
}

Value acc() { return Value::leaf({.op = Op::acc}); }
Value alpha() { return Value::leaf({.op = Op::alpha}); }
Value beta() { return Value::leaf({.op = Op::beta}); }
Value c() { return Value::leaf({.op = Op::c}); }
Value a_sum() { return Value::leaf({.op = Op::a_sum}); }
Value b_sum() { return Value::leaf({.op = Op::b_sum}); }

Value input(std::string_view text) {
  const EpilogueExpression read = parse_epilogue(text);
  if (read.nodes.size() != 1 || read.nodes[0].op != Op::input || !read.locals.empty())
    refuse(ErrorCode::syntax, std::string(text),
           {"it must be an input: s, v[m], v[n], x[m,n], with batch first where it has one"});
  return Value::leaf(read.nodes[0], read.inputs[0]);
}

Value let(std::string name, const Value& value) { return value.named(std::move(name)); }

Value operator-(const Value& x) { return apply(Op::negate, {x}); }
Value operator!(const Value& x) { return apply(Op::logical_not, {x}); }
Value operator*(const Value& x, const Value& y) { return apply(Op::multiply, {x, y}); }
Value operator/(const Value& x, const Value& y) { return apply(Op::divide, {x, y}); }
Value operator+(const Value& x, const Value& y) { return apply(Op::add, {x, y}); }
Value operator-(const Value& x, const Value& y) { return apply(Op::subtract, {x, y}); }
Value operator<(const Value& x, const Value& y) { return apply(Op::less, {x, y}); }
Value operator<=(const Value& x, const Value& y) { return apply(Op::less_equal, {x, y}); }
Value operator>(const Value& x, const Value& y) { return apply(Op::greater, {x, y}); }
Value operator>=(const Value& x, const Value& y) { return apply(Op::greater_equal, {x, y}); }
Value operator==(const Value& x, const Value& y) { return apply(Op::equal, {x, y}); }
Value operator!=(const Value& x, const Value& y) { return apply(Op::not_equal, {x, y}); }
Value operator&&(const Value& x, const Value& y) { return apply(Op::logical_and, {x, y}); }
Value operator||(const Value& x, const Value& y) { return apply(Op::logical_or, {x, y}); }

Value min(const Value& x, const Value& y) { return apply(Op::min, {x, y}); }
Value max(const Value& x, const Value& y) { return apply(Op::max, {x, y}); }
Value abs(const Value& x) { return apply(Op::abs, {x}); }
Value exp(const Value& x) { return apply(Op::exp, {x}); }
Value log(const Value& x) { return apply(Op::log, {x}); }
Value tanh(const Value& x) { return apply(Op::tanh, {x}); }
Value sigmoid(const Value& x) { return apply(Op::sigmoid, {x}); }
Value erf(const Value& x) { return apply(Op::erf, {x}); }
Value relu(const Value& x) { return apply(Op::relu, {x}); }
Value gelu(const Value& x) { return apply(Op::gelu, {x}); }
Value gelu_tanh(const Value& x) { return apply(Op::gelu_tanh, {x}); }
Value silu(const Value& x) { return apply(Op::silu, {x}); }
Value leaky_relu(const Value& x, const Value& slope) { return apply(Op::leaky_relu, {x, slope}); }
Value clamp(const Value& x, const Value& low, const Value& high) {
  return apply(Op::clamp, {x, low, high});
}
Value sqrt(const Value& x) { return apply(Op::sqrt, {x}); }
Value rsqrt(const Value& x) { return apply(Op::rsqrt, {x}); }
Value select(const Value& condition, const Value& x, const Value& y) {
  return apply(Op::select, {condition, x, y});
}
Value cast(DType type, const Value& x) { return Value::of({.op = Op::cast, .type = type}, {x}); }
Value bit(const Value& condition) { return apply(Op::bit, {condition}); }

Output amax(std::string name, const Value& value) {
  return {std::move(name), value, EpilogueGather::amax};
}
Output sum(std::string name, const Value& value) {
  return {std::move(name), value, EpilogueGather::sum};
}
Output row_sum(std::string name, const Value& value) {
  return {std::move(name), value, EpilogueGather::row_sum};
}
Output col_sum(std::string name, const Value& value) {
  return {std::move(name), value, EpilogueGather::col_sum};
}

EpilogueExpression outputs(std::initializer_list<Output> all) {
  EpilogueExpression tree = nothing();
  for (const Output& output : all)
    tree.outputs.push_back({output.name, output.gather, merge(tree, output.value)});
  // Inputs are in use; only their order and that of the nodes is the text's.
  const EpilogueExpression result = tree.nodes.empty() ? tree : in_order(tree);
  if (std::vector<std::string> rules = broken_rules(result); !rules.empty())
    refuse(ErrorCode::syntax, result.outputs.empty() ? "" : to_string(result), std::move(rules));
  return result;
}

EpilogueExpression output(const Value& d) { return outputs({{"d", d}}); }

}  // namespace jute::epilogue
