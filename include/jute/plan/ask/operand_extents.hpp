#pragma once
// How large the matrices of an epilogue's inputs and outputs are.
#include <jute/base/export.hpp>
#include <jute/plan/ask/problem.hpp>

namespace JUTE_API jute {

/// (M,1) of a value for each row, (1,N) of one for each column, (1,1) of a scalar.
struct OperandExtents {
  Index rows = 1, cols = 1;
  bool operator==(const OperandExtents&) const = default;
};
/// Do groups have their parts of one matrix, or vector, of that extent?
[[nodiscard]] bool is_cut(const Problem& problem, EpilogueExtent extent);
[[nodiscard]] OperandExtents extents_of(const Problem& problem, const EpilogueInput& input);
[[nodiscard]] OperandExtents extents_of(const Problem& problem, const EpilogueOutput& output);

}  // namespace jute
