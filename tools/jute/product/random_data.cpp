// Operands from a seed.
#include <jute/gemm/reference.hpp>

#include <utility>

#include "product/gemm_data.hpp"

namespace jute::command {
GemmData random_data(const ProblemOptions& options, const GemmFiles& files, std::uint64_t seed,
                     RandomKind kind) {
  GemmData data;
  data.problem = problem_of(options);
  // Random operands have no way round but in memory: rows of the transpose are columns.
  const StoredOperands stored = files.stored();
  for (const auto& [is, matrix] :
       {std::pair{stored.a, &data.problem.a}, std::pair{stored.b, &data.problem.b}})
    if (is == Stored::transposed)
      matrix->order = matrix->order == Order::row ? Order::col : Order::row;
  for (const TensorRole role : kAllTensors)
    if (Matrix* const numbers = is_of_blocks(role) ? matrix_of(data.problem, role) : nullptr;
        numbers != nullptr && options.text.empty())
      numbers->order = matrix_of(data.problem, operand_of_blocks(role))->order;
  read_inputs(data, files.inputs, options);
  data.problem = completed(data.problem);
  data.m_range = std::exchange(data.problem.m_range, {});
  refuse_own_operands(data.problem);
  if (data.problem.groups) data.groups = random_group_list(data.problem, seed);
  data.rows = random_row_lists(data.problem, seed);
  data.batched = options.text.empty() ? !options.said["batch"].empty() : data.problem.batch != 1;
  if (data.problem.groups) data.batched = !data.problem.d.broadcast;
  draw_operands(data.memory, data.problem, seed, kind);
  return data;
}

}  // namespace jute::command
