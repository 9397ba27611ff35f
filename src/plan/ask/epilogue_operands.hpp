#pragma once
// Inputs and outputs of an epilogue as matrices.
#include <jute/plan/ask/problem.hpp>

#include <string>
#include <string_view>

namespace jute::plan {

/// How many values there are. An output of no epilogue yet is what its gathering says.
[[nodiscard]] EpilogueExtent extent_of(const Problem& problem, const EpilogueInput& input);
[[nodiscard]] EpilogueExtent extent_of(const Problem& problem, const EpilogueOutput& output);

/// The order in which an operand lies: a vector is contiguous, whichever way it runs.
[[nodiscard]] Order contiguous(EpilogueExtent extent, Order order);

/// A matrix of a problem under the name that messages give it.
struct MatrixShape {
  std::string name;
  Index rows, cols;
};
[[nodiscard]] MatrixShape shape_of(const Problem& problem, const EpilogueInput& input);
[[nodiscard]] MatrixShape shape_of(const Problem& problem, const EpilogueOutput& output);

/// ` A=bf16:row:ld64:batch4096:align16`
[[nodiscard]] std::string text_of(std::string_view what, const Matrix& matrix);
/// ` epilogue="relu(acc + bias[n])" bias=bf16:row:ld512:broadcast:align16`
[[nodiscard]] std::string text_of(const Epilogue& epilogue);

}  // namespace jute::plan
