#pragma once
// Epilogues in C++: operators and functions that build the tree which parse_epilogue reads.
//
//   using namespace jute::epilogue;
//   const Value y = let("y", silu(alpha() * acc() + input("bias[n]")));
//   const EpilogueExpression expression =
//       outputs({{"d", y}, {"g", y * input("scale[m]")}, amax("a", y)});
#include <jute/base/export.hpp>
#include <jute/epilogue/expression.hpp>

#include <initializer_list>
#include <string>
#include <string_view>

namespace JUTE_API jute {
namespace epilogue {

/// A value of an expression that is being built. It holds all that it is made of; operands share
/// what has a name.
class Value {
 public:
  Value(double number);  ///< a literal; one with a sign is negated
  Value(int number) : Value(static_cast<double>(number)) {}

  /// The node and all that lead to it.
  [[nodiscard]] const EpilogueExpression& tree() const { return tree_; }
  [[nodiscard]] int node() const { return node_; }

  /// An operation of values.
  ///   throws  out_of_range: more than 200 nodes; syntax: one name for two values
  [[nodiscard]] static Value of(const EpilogueNode& operation,
                                std::initializer_list<Value> operands);
  /// An input, or a leaf.
  [[nodiscard]] static Value leaf(const EpilogueNode& node, const EpilogueInput& input = {});
  [[nodiscard]] Value named(std::string name) const;

 private:
  Value(EpilogueExpression tree, int node) : tree_(std::move(tree)), node_(node) {}

  EpilogueExpression tree_;
  int node_ = 0;
};

// What there is to begin with.
[[nodiscard]] Value acc();
[[nodiscard]] Value alpha();
[[nodiscard]] Value beta();
[[nodiscard]] Value c();
[[nodiscard]] Value a_sum();
[[nodiscard]] Value b_sum();
/// An input as its text says it: `s`, `bias[n]`, `x[batch,m,n]`.
///   throws  syntax: it is none
[[nodiscard]] Value input(std::string_view text);

/// A local: what has a name is computed once.   throws  syntax: no name of one's own
[[nodiscard]] Value let(std::string name, const Value& value);

[[nodiscard]] Value operator-(const Value& x);
[[nodiscard]] Value operator!(const Value& x);
[[nodiscard]] Value operator*(const Value& x, const Value& y);
[[nodiscard]] Value operator/(const Value& x, const Value& y);
[[nodiscard]] Value operator+(const Value& x, const Value& y);
[[nodiscard]] Value operator-(const Value& x, const Value& y);
[[nodiscard]] Value operator<(const Value& x, const Value& y);
[[nodiscard]] Value operator<=(const Value& x, const Value& y);
[[nodiscard]] Value operator>(const Value& x, const Value& y);
[[nodiscard]] Value operator>=(const Value& x, const Value& y);
[[nodiscard]] Value operator==(const Value& x, const Value& y);
[[nodiscard]] Value operator!=(const Value& x, const Value& y);
[[nodiscard]] Value operator&&(const Value& x, const Value& y);
[[nodiscard]] Value operator||(const Value& x, const Value& y);

[[nodiscard]] Value min(const Value& x, const Value& y);
[[nodiscard]] Value max(const Value& x, const Value& y);
[[nodiscard]] Value abs(const Value& x);
[[nodiscard]] Value exp(const Value& x);
[[nodiscard]] Value log(const Value& x);
[[nodiscard]] Value tanh(const Value& x);
[[nodiscard]] Value sigmoid(const Value& x);
[[nodiscard]] Value erf(const Value& x);
[[nodiscard]] Value relu(const Value& x);
[[nodiscard]] Value gelu(const Value& x);
[[nodiscard]] Value gelu_tanh(const Value& x);
[[nodiscard]] Value silu(const Value& x);
[[nodiscard]] Value leaky_relu(const Value& x, const Value& slope);
[[nodiscard]] Value clamp(const Value& x, const Value& low, const Value& high);
[[nodiscard]] Value sqrt(const Value& x);
[[nodiscard]] Value rsqrt(const Value& x);
[[nodiscard]] Value select(const Value& condition, const Value& x, const Value& y);
[[nodiscard]] Value cast(DType type, const Value& x);
/// One bit an element; only an output's value.
[[nodiscard]] Value bit(const Value& condition);

/// An output with its name. Braces make one that holds every element: {"d", y}.
struct Output {
  std::string name;
  Value value;
  EpilogueGather gather = EpilogueGather::elements;
};
[[nodiscard]] Output amax(std::string name, const Value& value);
[[nodiscard]] Output sum(std::string name, const Value& value);
[[nodiscard]] Output row_sum(std::string name, const Value& value);
[[nodiscard]] Output col_sum(std::string name, const Value& value);

/// The expression with these outputs.
///   throws  syntax: every broken rule; what Value::of throws
[[nodiscard]] EpilogueExpression outputs(std::initializer_list<Output> all);
/// The expression whose only output is d.
[[nodiscard]] EpilogueExpression output(const Value& d);

}  // namespace epilogue
}  // namespace jute
