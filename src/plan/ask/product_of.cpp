// Leaves out of an epilogue what other steps compute: sums of operands, what is made of whole
// blocks.
#include "plan/ask/product_of.hpp"

#include <jute/epilogue/quantise.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/epilogue.hpp>

#include <utility>
#include <vector>

namespace jute::plan {

DType compute_type_of(const Problem& problem) {
  std::vector<DType> read;
  if (c_read(problem) != CRead::never) read.push_back(problem.c.type);
  if (!problem.epilogue)
    return compute_type(scaled_sum(problem.alpha, problem.beta), *problem.accumulate, read);
  for (const EpilogueOperand& input : problem.epilogue->inputs) read.push_back(input.type);
  return compute_type(problem.epilogue->expression, *problem.accumulate, read);
}

bool has_second_step(const Problem& problem) {
  return problem.epilogue && has_whole_blocks(problem.epilogue->expression);
}

Problem product_of(const Problem& problem) {
  if (!problem.epilogue) return problem;
  const Epilogue& whole = *problem.epilogue;
  Epilogue part{.expression = part_of_elements(whole.expression)};
  if (has_second_step(problem))
    part.expression = ahead_of_blocks(part.expression);
  else if (part.expression.outputs.size() == whole.expression.outputs.size())
    return problem;
  const auto take = [&](std::vector<EpilogueOperand>& operands, const auto& named, const auto& all,
                        const std::vector<EpilogueOperand>& given) {
    for (const auto& one : named)
      operands.push_back(one.name == kMostOfBlocks
                             ? EpilogueOperand()
                             : given.at(static_cast<size_t>(place_in(all, one))));
  };
  take(part.inputs, part.expression.inputs, whole.expression.inputs, whole.inputs);
  take(part.outputs, part.expression.outputs, whole.expression.outputs, whole.outputs);
  Problem product = problem;
  product.epilogue = part;
  product = completed(product);
  // One type serves the whole epilogue, also where what is left would have another.
  if (compute_type_of(product) != compute_type_of(problem)) product.epilogue = std::move(part);
  return product;
}

}  // namespace jute::plan
