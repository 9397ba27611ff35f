// The bytes that no run can do without.
#include <jute/base/checked.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/ask/operand_extents.hpp>
#include <jute/plan/words/summary.hpp>

#include <algorithm>
#include "plan/ask/groups.hpp"

namespace jute {
namespace {

double moved_bytes(const Matrix& matrix, OperandExtents extents, Index batch) {
  return static_cast<double>(matrix.broadcast ? 1 : batch) * static_cast<double>(extents.rows) *
         static_cast<double>(extents.cols) * width_bits(matrix.type) / 8;
}

/// Bytes of the numbers of an operand's blocks, along what is contiguous and across.
double scale_bytes(const OperandScale& scale, Index mn, Index k, Index batch) {
  const auto count = [](Index extent, Index block) {
    return block == 0 ? std::min<Index>(extent, 1) : ceil_div(extent, block);
  };
  double bytes = 0;
  for (const auto* numbers : {&scale.scale, &scale.zero})
    if (*numbers)
      bytes += moved_bytes(**numbers,
                           {count(mn, (*numbers)->block.mn), count(k, (*numbers)->block.k)}, batch);
  return bytes;
}

/// Bytes that an epilogue reads and writes beside C and D.
double epilogue_bytes(const Problem& problem) {
  if (!problem.epilogue) return 0;
  const auto& [expression, inputs, outputs] = *problem.epilogue;
  double bytes = 0;
  for (size_t i = 0; i < expression.inputs.size(); ++i)
    if (!inputs[i].by_value)
      bytes += moved_bytes(inputs[i], extents_of(problem, expression.inputs[i]), problem.batch);
  for (size_t i = 0; i < expression.outputs.size(); ++i)
    if (!is_d(expression.outputs[i]))
      bytes += moved_bytes(outputs[i], extents_of(problem, expression.outputs[i]), problem.batch);
  return bytes;
}

}  // namespace

double least_bytes(const Problem& given, double beta) {
  // All that groups have together lies in one matrix; of others what is usual.
  const bool is_masked = given.groups && given.groups->kind == GroupKind::masked_rows;
  const Problem problem = is_masked ? plan::usual_group(given) : given;
  const Index m = problem.m, n = problem.n, k = problem.k, batch = problem.batch;
  if (m == 0 || n == 0 || batch == 0) return 0;
  return moved_bytes(problem.a, {m, k}, batch) + moved_bytes(problem.b, {k, n}, batch) +
         scale_bytes(problem.scale_a, m, k, batch) + scale_bytes(problem.scale_b, n, k, batch) +
         (reads_c(problem, beta) ? moved_bytes(problem.c, {m, n}, batch) : 0) +
         moved_bytes(problem.d, {m, n}, batch) + epilogue_bytes(problem);
}

}  // namespace jute
