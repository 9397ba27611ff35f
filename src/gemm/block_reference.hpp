#pragma once
// The largest magnitudes of blocks of D, as the reference has them.
#include <jute/epilogue/bound.hpp>

#include <array>
#include <map>

#include "gemm/operands.hpp"

namespace jute::gemm {

/// The most of a block: the value for exact sums, and where a kernel's lies.
struct BlockMost {
  double value = 0;
  EpilogueInterval lies{};
};

/// The blocks that have been found already, and what their magnitudes are taken of.
struct ReferenceInputs::Blocks {
  EpilogueBlock block;
  EpilogueArithmetic of;
  std::map<std::array<Index, 3>, BlockMost> found{};  ///< by matrix, row and column of blocks
};
/// None where the expression names no amax of blocks.
[[nodiscard]] std::shared_ptr<ReferenceInputs::Blocks> blocks_of(
    const EpilogueExpression& expression);

/// Where each output of an expression lies, and its value, as `judgements` has it.
[[nodiscard]] std::vector<OutputJudgement> judged_by(const ReferenceInputs& inputs,
                                                     const EpilogueArithmetic& arithmetic,
                                                     const ResultElement& element, const Sum& sum,
                                                     const BlockMost& most);

}  // namespace jute::gemm
