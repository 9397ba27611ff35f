#pragma once
// Epilogues in C++: operators and functions that build the tree which parse_epilogue reads.
//
//   using namespace jute::epilogue;
//   const EpilogueValue y = let("y", silu(alpha() * acc() + input("bias[n]")));
//   const EpilogueExpression expression =
//       outputs({{"d", y}, {"g", y * input("scale[m]")}, amax("a", y)});
#include <jute/base/export.hpp>
#include <jute/epilogue/expression.hpp>

#include <initializer_list>
#include <string>
#include <string_view>

namespace JUTE_API jute {
namespace JUTE_API epilogue {

/// A value of an expression that is being built. It holds all that it is made of; operands share
/// what has a name.
class EpilogueValue {
 public:
  EpilogueValue(double number);  ///< a literal; one with a sign is negated
  EpilogueValue(int number) : EpilogueValue(static_cast<double>(number)) {}

  /// The node and all that lead to it.
  [[nodiscard]] const EpilogueExpression& tree() const { return tree_; }
  [[nodiscard]] int node() const { return node_; }

  /// An operation of values.
  ///   throws  out_of_range: more than 200 nodes; syntax: one name for two values
  [[nodiscard]] static EpilogueValue of(const EpilogueNode& operation,
                                        std::initializer_list<EpilogueValue> operands);
  /// An input, or a leaf.
  [[nodiscard]] static EpilogueValue leaf(const EpilogueNode& node,
                                          const EpilogueInput& input = {});
  [[nodiscard]] EpilogueValue named(std::string name) const;

 private:
  EpilogueValue(EpilogueExpression tree, int node) : tree_(std::move(tree)), node_(node) {}

  EpilogueExpression tree_;
  int node_ = 0;
};

// The values to begin with.
[[nodiscard]] EpilogueValue acc();
[[nodiscard]] EpilogueValue alpha();
[[nodiscard]] EpilogueValue beta();
[[nodiscard]] EpilogueValue c();
[[nodiscard]] EpilogueValue a_sum();
[[nodiscard]] EpilogueValue b_sum();
[[nodiscard]] EpilogueValue gate();
/// An input as its text says it: `s`, `bias[n]`, `x[batch,m,n]`.
///   throws  syntax: it is none
[[nodiscard]] EpilogueValue input(std::string_view text);

/// A local: what has a name is computed once.   throws  syntax: no name of one's own
[[nodiscard]] EpilogueValue let(std::string name, const EpilogueValue& value);

[[nodiscard]] EpilogueValue operator-(const EpilogueValue& x);
[[nodiscard]] EpilogueValue operator!(const EpilogueValue& x);
[[nodiscard]] EpilogueValue operator*(const EpilogueValue& x, const EpilogueValue& y);
[[nodiscard]] EpilogueValue operator/(const EpilogueValue& x, const EpilogueValue& y);
[[nodiscard]] EpilogueValue operator+(const EpilogueValue& x, const EpilogueValue& y);
[[nodiscard]] EpilogueValue operator-(const EpilogueValue& x, const EpilogueValue& y);
[[nodiscard]] EpilogueValue operator<(const EpilogueValue& x, const EpilogueValue& y);
[[nodiscard]] EpilogueValue operator<=(const EpilogueValue& x, const EpilogueValue& y);
[[nodiscard]] EpilogueValue operator>(const EpilogueValue& x, const EpilogueValue& y);
[[nodiscard]] EpilogueValue operator>=(const EpilogueValue& x, const EpilogueValue& y);
[[nodiscard]] EpilogueValue operator==(const EpilogueValue& x, const EpilogueValue& y);
[[nodiscard]] EpilogueValue operator!=(const EpilogueValue& x, const EpilogueValue& y);
[[nodiscard]] EpilogueValue operator&&(const EpilogueValue& x, const EpilogueValue& y);
[[nodiscard]] EpilogueValue operator||(const EpilogueValue& x, const EpilogueValue& y);

[[nodiscard]] EpilogueValue min(const EpilogueValue& x, const EpilogueValue& y);
[[nodiscard]] EpilogueValue max(const EpilogueValue& x, const EpilogueValue& y);
[[nodiscard]] EpilogueValue abs(const EpilogueValue& x);
[[nodiscard]] EpilogueValue exp(const EpilogueValue& x);
[[nodiscard]] EpilogueValue log(const EpilogueValue& x);
[[nodiscard]] EpilogueValue tanh(const EpilogueValue& x);
[[nodiscard]] EpilogueValue sigmoid(const EpilogueValue& x);
[[nodiscard]] EpilogueValue erf(const EpilogueValue& x);
[[nodiscard]] EpilogueValue relu(const EpilogueValue& x);
[[nodiscard]] EpilogueValue gelu(const EpilogueValue& x);
[[nodiscard]] EpilogueValue gelu_tanh(const EpilogueValue& x);
[[nodiscard]] EpilogueValue silu(const EpilogueValue& x);
[[nodiscard]] EpilogueValue hardswish(const EpilogueValue& x);
[[nodiscard]] EpilogueValue leaky_relu(const EpilogueValue& x, const EpilogueValue& slope);
[[nodiscard]] EpilogueValue clamp(const EpilogueValue& x, const EpilogueValue& low,
                                  const EpilogueValue& high);
[[nodiscard]] EpilogueValue sqrt(const EpilogueValue& x);
[[nodiscard]] EpilogueValue rsqrt(const EpilogueValue& x);
[[nodiscard]] EpilogueValue square(const EpilogueValue& x);
[[nodiscard]] EpilogueValue pow(const EpilogueValue& x, const EpilogueValue& exponent);
[[nodiscard]] EpilogueValue select(const EpilogueValue& condition, const EpilogueValue& x,
                                   const EpilogueValue& y);
[[nodiscard]] EpilogueValue cast(DType type, const EpilogueValue& x);
/// Stochastic rounding by an input that is a seed: `bf16(x, seed)`.
[[nodiscard]] EpilogueValue stochastic(DType type, const EpilogueValue& x,
                                       const EpilogueValue& seed);
/// The largest magnitude of the block of D that holds the element: `amax[1,128](x)`.
[[nodiscard]] EpilogueValue block_amax(const EpilogueBlock& block, const EpilogueValue& x);
/// One bit an element; only an output's value.
[[nodiscard]] EpilogueValue bit(const EpilogueValue& condition);

/// An output with its name. Braces make one that holds every element: {"d", y}.
struct NamedValue {
  std::string name;
  EpilogueValue value;
  EpilogueGather gather = EpilogueGather::elements;
};
[[nodiscard]] NamedValue amax(std::string name, const EpilogueValue& value);
[[nodiscard]] NamedValue sum(std::string name, const EpilogueValue& value);
[[nodiscard]] NamedValue row_sum(std::string name, const EpilogueValue& value);
[[nodiscard]] NamedValue col_sum(std::string name, const EpilogueValue& value);
[[nodiscard]] NamedValue row_amax(std::string name, const EpilogueValue& value);
[[nodiscard]] NamedValue col_amax(std::string name, const EpilogueValue& value);

/// The expression with these outputs.
///   throws  syntax: every broken rule; what EpilogueValue::of throws
[[nodiscard]] EpilogueExpression outputs(std::initializer_list<NamedValue> all);
/// The expression whose only output is d.
[[nodiscard]] EpilogueExpression output(const EpilogueValue& d);

}  // namespace epilogue
}  // namespace jute
