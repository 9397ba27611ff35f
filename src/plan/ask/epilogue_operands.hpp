#pragma once
// Inputs and outputs of an epilogue, and numbers of operands' blocks, as matrices.
#include <jute/plan/ask/problem.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// How many values there are. An output of no epilogue yet is what its gathering says.
[[nodiscard]] EpilogueExtent extent_of(const Problem& problem, const EpilogueInput& input);
[[nodiscard]] EpilogueExtent extent_of(const Problem& problem, const EpilogueOutput& output);

/// The order in which an operand lies: a vector is contiguous, whichever way it runs.
[[nodiscard]] Order contiguous(EpilogueExtent extent, Order order);

/// Every broken rule of what an epilogue rounds by a seed.   needs  complete operands
[[nodiscard]] Errors seed_rules(const Problem& problem);

/// Every broken rule of its amax of blocks.
[[nodiscard]] Errors block_rules(const Problem& problem);

/// A matrix of a problem under the name that messages give it.
struct MatrixShape {
  std::string name;
  Index rows, cols;
};
[[nodiscard]] MatrixShape shape_of(const Problem& problem, const EpilogueInput& input);
[[nodiscard]] MatrixShape shape_of(const Problem& problem, const EpilogueOutput& output);

/// Completes what operands become, where nobody says it: every broken rule of their scales but for
/// strides.
[[nodiscard]] Errors complete_scales(Problem& problem, Index most_m);
/// ` scale_b=f32:row:ld64:batch64:align4:block1x128 zero_b=8 staged=bf16`
[[nodiscard]] std::string scale_text(const Problem& problem);

/// ` A=bf16:row:ld64:batch4096:align16`
[[nodiscard]] std::string text_of(std::string_view what, const Matrix& matrix);
/// ` epilogue="relu(acc + bias[n])" bias=bf16:row:ld512:broadcast:align16`
[[nodiscard]] std::string text_of(const Epilogue& epilogue);

}  // namespace jute::plan
