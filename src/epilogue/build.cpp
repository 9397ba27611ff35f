// Builds expressions from C++ operators.
#include <jute/base/error.hpp>
#include <jute/epilogue/build.hpp>
#include <jute/epilogue/operations.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/format.hpp"
#include "epilogue/parser.hpp"
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

int merge(EpilogueExpression& into, const EpilogueValue& value) {
  return Merging{value.tree(), into}.node(value.node());
}

EpilogueValue apply(Op op, std::initializer_list<EpilogueValue> operands) {
  return EpilogueValue::of({.op = op}, operands);
}

}  // namespace

EpilogueValue::EpilogueValue(double number) : tree_(nothing()) {
  const bool has_sign = std::signbit(number) && !std::isnan(number);
  node_ = push(tree_, {.op = Op::number, .number = has_sign ? -number : number});
  if (has_sign) node_ = push(tree_, {.op = Op::negate, .operands = {node_}});
}

EpilogueValue EpilogueValue::of(const EpilogueNode& operation,
                                std::initializer_list<EpilogueValue> operands) {
  EpilogueExpression tree = nothing();
  EpilogueNode node = operation;
  std::size_t i = 0;
  for (const EpilogueValue& operand : operands) node.operands[i++] = merge(tree, operand);
  const int place = push(tree, node);
  return {std::move(tree), place};
}

EpilogueValue EpilogueValue::leaf(const EpilogueNode& node, const EpilogueInput& input) {
  EpilogueExpression tree = nothing();
  if (node.op == Op::input) tree.inputs.push_back(input);
  tree.nodes.push_back(node);
  return {std::move(tree), 0};
}

EpilogueValue EpilogueValue::named(std::string name) const {
  if (std::string fault = name_fault(name); !fault.empty())
    refuse(ErrorCode::syntax, name, {std::move(fault)});
  EpilogueValue result = *this;
  result.tree_.locals.push_back({std::move(name), node_});
  return result;
}

EpilogueValue acc() { return EpilogueValue::leaf({.op = Op::acc}); }
EpilogueValue alpha() { return EpilogueValue::leaf({.op = Op::alpha}); }
EpilogueValue beta() { return EpilogueValue::leaf({.op = Op::beta}); }
EpilogueValue c() { return EpilogueValue::leaf({.op = Op::c}); }
EpilogueValue a_sum() { return EpilogueValue::leaf({.op = Op::a_sum}); }
EpilogueValue b_sum() { return EpilogueValue::leaf({.op = Op::b_sum}); }
EpilogueValue gate() { return EpilogueValue::leaf({.op = Op::gate}); }

EpilogueValue input(std::string_view text) {
  const EpilogueExpression read = Parser(text).statements();
  if (read.nodes.size() != 1 || read.nodes[0].op != Op::input || !read.locals.empty())
    refuse(ErrorCode::syntax, std::string(text),
           {"it must be an input: s, v[m], v[n], x[m,n], with batch first where it has one"});
  return EpilogueValue::leaf(read.nodes[0], read.inputs[0]);
}

EpilogueValue let(std::string name, const EpilogueValue& value) {
  return value.named(std::move(name));
}

EpilogueValue operator-(const EpilogueValue& x) { return apply(Op::negate, {x}); }
EpilogueValue operator!(const EpilogueValue& x) { return apply(Op::logical_not, {x}); }
EpilogueValue operator*(const EpilogueValue& x, const EpilogueValue& y) {
  return apply(Op::multiply, {x, y});
}
EpilogueValue operator/(const EpilogueValue& x, const EpilogueValue& y) {
  return apply(Op::divide, {x, y});
}
EpilogueValue operator+(const EpilogueValue& x, const EpilogueValue& y) {
  return apply(Op::add, {x, y});
}
EpilogueValue operator-(const EpilogueValue& x, const EpilogueValue& y) {
  return apply(Op::subtract, {x, y});
}
EpilogueValue operator<(const EpilogueValue& x, const EpilogueValue& y) {
  return apply(Op::less, {x, y});
}
EpilogueValue operator<=(const EpilogueValue& x, const EpilogueValue& y) {
  return apply(Op::less_equal, {x, y});
}
EpilogueValue operator>(const EpilogueValue& x, const EpilogueValue& y) {
  return apply(Op::greater, {x, y});
}
EpilogueValue operator>=(const EpilogueValue& x, const EpilogueValue& y) {
  return apply(Op::greater_equal, {x, y});
}
EpilogueValue operator==(const EpilogueValue& x, const EpilogueValue& y) {
  return apply(Op::equal, {x, y});
}
EpilogueValue operator!=(const EpilogueValue& x, const EpilogueValue& y) {
  return apply(Op::not_equal, {x, y});
}
EpilogueValue operator&&(const EpilogueValue& x, const EpilogueValue& y) {
  return apply(Op::logical_and, {x, y});
}
EpilogueValue operator||(const EpilogueValue& x, const EpilogueValue& y) {
  return apply(Op::logical_or, {x, y});
}

EpilogueValue min(const EpilogueValue& x, const EpilogueValue& y) { return apply(Op::min, {x, y}); }
EpilogueValue max(const EpilogueValue& x, const EpilogueValue& y) { return apply(Op::max, {x, y}); }
EpilogueValue abs(const EpilogueValue& x) { return apply(Op::abs, {x}); }
EpilogueValue exp(const EpilogueValue& x) { return apply(Op::exp, {x}); }
EpilogueValue log(const EpilogueValue& x) { return apply(Op::log, {x}); }
EpilogueValue tanh(const EpilogueValue& x) { return apply(Op::tanh, {x}); }
EpilogueValue sigmoid(const EpilogueValue& x) { return apply(Op::sigmoid, {x}); }
EpilogueValue erf(const EpilogueValue& x) { return apply(Op::erf, {x}); }
EpilogueValue relu(const EpilogueValue& x) { return apply(Op::relu, {x}); }
EpilogueValue gelu(const EpilogueValue& x) { return apply(Op::gelu, {x}); }
EpilogueValue gelu_tanh(const EpilogueValue& x) { return apply(Op::gelu_tanh, {x}); }
EpilogueValue silu(const EpilogueValue& x) { return apply(Op::silu, {x}); }
EpilogueValue hardswish(const EpilogueValue& x) { return apply(Op::hardswish, {x}); }
EpilogueValue leaky_relu(const EpilogueValue& x, const EpilogueValue& slope) {
  return apply(Op::leaky_relu, {x, slope});
}
EpilogueValue clamp(const EpilogueValue& x, const EpilogueValue& low, const EpilogueValue& high) {
  return apply(Op::clamp, {x, low, high});
}
EpilogueValue sqrt(const EpilogueValue& x) { return apply(Op::sqrt, {x}); }
EpilogueValue rsqrt(const EpilogueValue& x) { return apply(Op::rsqrt, {x}); }
EpilogueValue square(const EpilogueValue& x) { return apply(Op::square, {x}); }
EpilogueValue pow(const EpilogueValue& x, const EpilogueValue& exponent) {
  return apply(Op::pow, {x, exponent});
}
EpilogueValue select(const EpilogueValue& condition, const EpilogueValue& x,
                     const EpilogueValue& y) {
  return apply(Op::select, {condition, x, y});
}
EpilogueValue cast(DType type, const EpilogueValue& x) {
  return EpilogueValue::of({.op = Op::cast, .type = type}, {x});
}
EpilogueValue stochastic(DType type, const EpilogueValue& x, const EpilogueValue& seed) {
  return EpilogueValue::of({.op = Op::stochastic, .type = type}, {x, seed});
}
EpilogueValue block_amax(const EpilogueBlock& block, const EpilogueValue& x) {
  return EpilogueValue::of({.op = Op::block_amax, .block = block}, {x});
}
EpilogueValue bit(const EpilogueValue& condition) { return apply(Op::bit, {condition}); }

NamedValue amax(std::string name, const EpilogueValue& value) {
  return {std::move(name), value, EpilogueGather::amax};
}
NamedValue sum(std::string name, const EpilogueValue& value) {
  return {std::move(name), value, EpilogueGather::sum};
}
NamedValue row_sum(std::string name, const EpilogueValue& value) {
  return {std::move(name), value, EpilogueGather::row_sum};
}
NamedValue col_sum(std::string name, const EpilogueValue& value) {
  return {std::move(name), value, EpilogueGather::col_sum};
}
NamedValue row_amax(std::string name, const EpilogueValue& value) {
  return {std::move(name), value, EpilogueGather::row_amax};
}
NamedValue col_amax(std::string name, const EpilogueValue& value) {
  return {std::move(name), value, EpilogueGather::col_amax};
}

EpilogueExpression outputs(std::initializer_list<NamedValue> all) {
  EpilogueExpression tree = nothing();
  for (const NamedValue& output : all)
    tree.outputs.push_back({output.name, output.gather, merge(tree, output.value)});
  // Inputs are in use; only their order and that of the nodes is the text's.
  const EpilogueExpression result = tree.nodes.empty() ? tree : in_order(tree);
  std::vector<std::string> rules = broken_rules(result);
  if (std::string fault = sum_fault(result); rules.empty() && !fault.empty())
    rules.push_back(std::move(fault));
  if (!rules.empty())
    refuse(ErrorCode::syntax, result.outputs.empty() ? "" : to_string(result), std::move(rules));
  return result;
}

EpilogueExpression output(const EpilogueValue& d) { return outputs({{"d", d}}); }

}  // namespace jute::epilogue
