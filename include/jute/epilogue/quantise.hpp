#pragma once
// Epilogues whose D is quantised: with a scale a block, or rounded by random words.
#include <jute/base/export.hpp>
#include <jute/epilogue/expression.hpp>

#include <string>

namespace JUTE_API jute {

/// The same with D divided by a scale a block, the block's largest magnitude over the largest value
/// of D's type, and an output of the scales; a block of scale 0 stays as it is.
///   shapes   D (M,N); scales (M / block.m, N / block.n), rounded up
///            of whole rows, {1, kWholeExtent}, (M,1); of all, {kWholeExtent, kWholeExtent}, (1,1)
///   example  quantised(parse_epilogue("acc"), {1, 128}, DType::e4m3) is
///            `scale := amax[1,128](acc)/448; d = select(scale == 0, acc, acc/scale); scale_d =
///            scale`
///   throws   illegal_problem: a type other than e4m3, e5m2 and s8, a name that is taken, blocks
///            that no epilogue has
[[nodiscard]] EpilogueExpression quantised(const EpilogueExpression& expression,
                                           const EpilogueBlock& block, DType type);
/// The same with D rounded to its type by random words of an input `seed`.
///   throws   illegal_problem: a type that is rounded to nearest alone, a name that is taken
[[nodiscard]] EpilogueExpression rounded_by_seed(const EpilogueExpression& expression, DType type);

/// Are the blocks whole rows or all of D, which no tile has? A second step makes D then.
[[nodiscard]] bool has_whole_blocks(const EpilogueExpression& expression);
/// The part known when the product ends, of such an expression: d is the value that amax is taken
/// of, kMostOfBlocks its largest magnitudes, and outputs that need none of them stay.
[[nodiscard]] EpilogueExpression ahead_of_blocks(const EpilogueExpression& expression);
/// The rest, made of those: acc is that value, and the product's own sum, where it is named too,
/// a gate.
[[nodiscard]] EpilogueExpression behind_blocks(const EpilogueExpression& expression);
/// The name of the largest magnitudes among the outputs of `ahead_of_blocks`.
inline constexpr const char* kMostOfBlocks = "most_of_blocks";

}  // namespace jute
