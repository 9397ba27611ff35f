#pragma once
// What the nodes of an expression are, and what type they are computed in.
#include <jute/base/export.hpp>
#include <jute/epilogue/operations.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// One for every node. An input is what takes it says: a truth value for select, bit, not, and, or.
///   needs  operands stand before their node
[[nodiscard]] std::vector<EpilogueKind> node_kinds(const EpilogueExpression& expression);
/// One for every input: a truth value is stored as bits.
[[nodiscard]] std::vector<EpilogueKind> input_kinds(const EpilogueExpression& expression);

/// Is the input, by its place, a seed? It is of s32 then.
[[nodiscard]] bool is_seed(const EpilogueExpression& expression, std::size_t input);
/// Is the input a matrix of bits? Is the output?
[[nodiscard]] bool is_of_bits(const EpilogueExpression& expression, const EpilogueInput& input);
[[nodiscard]] bool is_of_bits(const EpilogueExpression& expression, const EpilogueOutput& output);

/// Is it the name of the output that every expression has?
[[nodiscard]] constexpr bool is_d(std::string_view name) { return name == "d"; }
[[nodiscard]] inline bool is_d(const EpilogueOutput& output) { return is_d(output.name); }

/// When the elements of C are read.
enum class CRead : std::uint8_t {
  never,                ///< nothing names c
  unless_beta_is_zero,  ///< it is named in beta*c or c*beta alone, which are 0 where beta is
  always,
};
[[nodiscard]] CRead c_read(const EpilogueExpression& expression);

/// How many values an output holds in each batch: one for each element, also where its value is the
/// same along a row; but what is made of operand sums and numbers alone holds one for each sum, as
/// `dbias = a_sum[m]` does for each row.
[[nodiscard]] EpilogueExtent output_extent(const EpilogueExpression& expression,
                                           const EpilogueOutput& output);
/// Is it one value for each sum of an operand, made of that sum, scalars and numbers alone? Nothing
/// of it is an element of D: whoever forms the sums stores it.
[[nodiscard]] bool is_of_sums(const EpilogueExpression& expression, const EpilogueOutput& output);
/// The outputs that are, or those that are not, with what they need.
[[nodiscard]] EpilogueExpression part_of_sums(const EpilogueExpression& expression);
[[nodiscard]] EpilogueExpression part_of_elements(const EpilogueExpression& expression);

/// The expression in its order, without locals that no output needs.
[[nodiscard]] EpilogueExpression needed_part(EpilogueExpression part);

/// The one type that a whole expression is computed in: f64 for an accumulator of f64; s32 for one
/// of s32 while nothing but whole numbers, + - * neg abs min max clamp select and truth values
/// occur and `read`, the types of C and the inputs, are integers; f32 else. What is stored
/// otherwise is converted first, to nearest.
[[nodiscard]] DType compute_type(const EpilogueExpression& expression, DType accumulate,
                                 std::span<const DType> read = {});

}  // namespace jute
