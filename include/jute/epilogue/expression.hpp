#pragma once
// What becomes of a sum of products on its way out, as a value: a tree with named inputs and
// outputs.   y := silu(acc); d = y; g = y*scale[m]; a = amax(y)
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <array>
#include <iosfwd>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// The operation of a node. operations.hpp holds a row for each: how it is written, how
/// many operands it takes, what it means on the host, its error and its CUDA text.
enum class EpilogueOp : std::uint8_t {
  // Leaves.
  acc,     ///< the sum of products
  alpha,   ///< the scale factor of that name
  beta,    ///< likewise
  c,       ///< the element of C
  number,  ///< a literal
  input,   ///< an element of an input
  a_sum,   ///< row m of A, summed over K
  b_sum,   ///< column n of B, summed over K
  gate,    ///< the sum of products with the other half of B
  // Written as operators.
  negate,
  logical_not,
  multiply,
  divide,
  add,  ///< a product that is added is added in one rounding
  subtract,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  // Written as calls.
  min,
  max,
  abs,
  exp,
  log,
  tanh,
  sigmoid,
  erf,
  relu,
  gelu,
  gelu_tanh,
  silu,
  hardswish,
  leaky_relu,
  clamp,
  sqrt,
  rsqrt,
  square,  ///< rounds by itself: what is added to it is no part of it
  pow,
  select,
  bit,         ///< one bit an element; only the whole of an output
  cast,        ///< rounded to a type and widened again; written as the type's name
  stochastic,  ///< the same to one of the neighbours, by an element's random word: bf16(x, seed)
  block_amax,  ///< the largest magnitude of the block of D that holds the element: amax[1,128](x)
};

/// Which elements of an input there are: one, one a row of D, one a column, one an element; of an
/// output one a block as well.
enum class EpilogueExtent : std::uint8_t { scalar, rows, columns, elements, blocks };

/// A block's extent that is all of D's, written m or n.
inline constexpr int kWholeExtent = std::numeric_limits<int>::max();

/// Elements of D that have a number in common, the last block of a row or column fewer.
struct EpilogueBlock {
  int m = 0, n = 0;
  bool operator==(const EpilogueBlock&) const = default;
};

struct EpilogueInput {
  std::string name;
  EpilogueExtent extent = EpilogueExtent::scalar;
  bool batched = false;  ///< `v[batch,n]`; what lacks it is shared, but a matrix has a batch stride
  bool operator==(const EpilogueInput&) const = default;
};

/// One node; its operands stand before it.
struct EpilogueNode {
  EpilogueOp op = EpilogueOp::acc;
  std::array<int, 3> operands{};  ///< places of as many nodes as the operation takes; then 0
  double number = 0;              ///< of a number
  int input = 0;                  ///< of an input: its place among them
  DType type = DType::f32;        ///< of a cast, to nearest or stochastic
  EpilogueBlock block{};          ///< of block_amax
  /// Numbers that are none are equal.
  bool operator==(const EpilogueNode& other) const;
};

/// A name for a node. It is not rounded.
struct EpilogueLocal {
  std::string name;
  int node = 0;
  bool operator==(const EpilogueLocal&) const = default;
};

/// The reach of an output: every element, or one value of many.
enum class EpilogueGather : std::uint8_t {
  elements,
  amax,
  sum,
  row_sum,
  col_sum,
  row_amax,
  col_amax
};
/// Has it a value for each row, or for each column?
[[nodiscard]] constexpr bool is_of_rows(EpilogueGather gather) {
  return gather == EpilogueGather::row_sum || gather == EpilogueGather::row_amax;
}
[[nodiscard]] constexpr bool is_of_columns(EpilogueGather gather) {
  return gather == EpilogueGather::col_sum || gather == EpilogueGather::col_amax;
}
/// Is it the largest of magnitudes?
[[nodiscard]] constexpr bool is_largest(EpilogueGather gather) {
  return gather == EpilogueGather::amax || gather == EpilogueGather::row_amax ||
         gather == EpilogueGather::col_amax;
}

struct EpilogueOutput {
  std::string name = "d";
  EpilogueGather gather = EpilogueGather::elements;
  int node = 0;
  bool operator==(const EpilogueOutput&) const = default;
};

/// How functions of outputs that are stored in 16 bits or fewer are computed: written `math = fast`
/// ahead of the outputs, and left out where they are exact.
enum class EpilogueMath : std::uint8_t {
  exact,  ///< as of f32: an error of the function is hidden by the rounding to the output's type
  fast,   ///< by one approximate instruction where there is one (operations.hpp, half)
};

/// A value: kernels, the reference, the error bound and the words about a plan's arithmetic are
/// folds over the same nodes. Nodes and inputs stand in the order in which the canonical text names
/// them; a leaf is one node however often it is named, any other node that is used twice has a
/// name.
struct EpilogueExpression {
  std::vector<EpilogueNode> nodes{{}};
  std::vector<EpilogueInput> inputs{};
  std::vector<EpilogueLocal> locals{};
  std::vector<EpilogueOutput> outputs{{}};
  EpilogueMath math = EpilogueMath::exact;
  bool operator==(const EpilogueExpression&) const = default;
};

/// The blocks of D whose largest magnitudes it names; 0 by 0 where it names none.
[[nodiscard]] EpilogueBlock block_of(const EpilogueExpression& expression);
/// Does it occur?
[[nodiscard]] bool names(const EpilogueExpression& expression, EpilogueOp op);
/// The place of the input of that name; -1 without one.
[[nodiscard]] int find_input(const EpilogueExpression& expression, std::string_view name);

/// Canonical: parse_epilogue reads the same value from it.   `alpha*acc + beta*c`
[[nodiscard]] std::string to_string(const EpilogueExpression& expression);
std::ostream& operator<<(std::ostream& out, const EpilogueExpression& expression);
/// One node in full, where an expression would say its name.
[[nodiscard]] std::string value_text(const EpilogueExpression& expression, int node);

/// Reads a text: statements separated by `;`, of the forms `name := value` (a local),
/// `name = value` and `name = amax(value)` (outputs), or a bare value, which is d; and `math =
/// fast`.
///   throws  syntax, unknown_name, wrong_arity, wrong_type, out_of_range, too_deep: the place
///           of the fault, the rule
///           and the nearest name
[[nodiscard]] EpilogueExpression parse_epilogue(std::string_view text);

inline constexpr int kMostEpilogueNodes = 200;
inline constexpr int kMostEpilogueInputs = 16;
inline constexpr int kMostEpilogueLocals = 64;
inline constexpr int kMostEpilogueOutputs = 8;
/// Letters of a name.
inline constexpr int kLongestEpilogueName = 64;

/// Every broken rule, in words; empty for an expression that the language has a text for.
[[nodiscard]] std::vector<std::string> broken_rules(const EpilogueExpression& expression);
/// The same expression with nodes and inputs in their order, and no others.
///   needs  operands stand before their node, and every place exists
[[nodiscard]] EpilogueExpression in_order(const EpilogueExpression& expression);

}  // namespace jute
