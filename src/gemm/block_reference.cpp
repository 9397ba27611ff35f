// Goes through the elements of a block, each of which is a sum of products.
#include "gemm/block_reference.hpp"

#include <algorithm>
#include <cmath>

namespace jute::gemm {
namespace {

void raise(BlockMost& most, const OutputJudgement& one) {
  const double size = std::abs(one.value);
  if (!(std::isnan(most.value) || size <= most.value)) most.value = size;
  most.lies.nan |= one.lies.nan;
  if (one.lies.is_empty()) {  // no number, and nothing else is known of all
    most.lies = EpilogueInterval::nothing();
    most.lies.nan = true;
  }
  if (most.lies.is_empty()) return;
  const double low = std::abs(one.lies.low), high = std::abs(one.lies.high);
  const double least = one.lies.low <= 0 && one.lies.high >= 0 ? 0 : std::min(low, high);
  most.lies.low = std::max(most.lies.low, least);
  most.lies.high = std::max({most.lies.high, low, high});
}

/// The most of the block that holds the element.
BlockMost most_of_block(const ReferenceInputs& inputs, const ResultElement& element) {
  ReferenceInputs::Blocks& blocks = *inputs.blocks;
  const Index m = blocks.block.m, n = blocks.block.n;
  const std::array<Index, 3> key{element.batch, element.row / m, element.col / n};
  if (const auto found = blocks.found.find(key); found != blocks.found.end()) return found->second;
  BlockMost most;
  for (Index row = key[1] * m; row < std::min((key[1] + 1) * m, inputs.problem.m); ++row)
    for (Index col = key[2] * n; col < std::min((key[2] + 1) * n, inputs.problem.n); ++col) {
      const ResultElement one{element.batch, row, col};
      raise(most, judged_by(inputs, blocks.of, one, sum_of(inputs, one), {}).front());
    }
  return blocks.found[key] = most;
}

}  // namespace

std::shared_ptr<ReferenceInputs::Blocks> blocks_of(const EpilogueExpression& expression) {
  const EpilogueBlock block = block_of(expression);
  if (block == EpilogueBlock{}) return nullptr;
  return std::make_shared<ReferenceInputs::Blocks>(
      ReferenceInputs::Blocks{block, arithmetic_of(of_blocks(expression))});
}

std::vector<OutputJudgement> judgements(const ReferenceInputs& inputs, const ResultElement& element,
                                        const Sum& sum) {
  const BlockMost most = inputs.blocks ? most_of_block(inputs, element) : BlockMost();
  return judged_by(inputs, inputs.arithmetic, element, sum, most);
}

}  // namespace jute::gemm
