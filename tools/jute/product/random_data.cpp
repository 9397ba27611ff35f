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
  for (const auto& [matrix, scale] : {std::pair{&data.problem.a, &data.problem.scale_a},
                                      std::pair{&data.problem.b, &data.problem.scale_b}})
    for (std::optional<BlockValues>* const numbers : {&scale->scale, &scale->zero})
      if (options.text.empty() && *numbers) (*numbers)->order = matrix->order;
  read_inputs(data, files.inputs, options);
  data.problem = completed(data.problem);
  data.m_range = std::exchange(data.problem.m_range, {});
  refuse_own_operands(data.problem);
  if (data.problem.groups) data.groups = random_group_list(data.problem, seed);
  data.rows = random_row_lists(data.problem, seed);
  data.batched = options.text.empty() ? !options.said["batch"].empty() : data.problem.batch != 1;
  if (data.problem.groups) data.batched = !data.problem.d.broadcast;
  const OperandBytes bytes = operand_bytes(data.problem);
  constexpr std::uint64_t kStep = 0x632BE59BD9B4E019u;  // keeps the operands' streams apart
  data.a = random_bytes(data.problem.a.type, bytes.a, seed, kind);
  data.b = random_bytes(data.problem.b.type, bytes.b, seed + kStep, kind);
  data.scales = random_scales(data.problem, seed + 100 * kStep, kind);
  data.c = random_bytes(data.problem.c.type, bytes.c, seed + 2 * kStep, kind);
  for (std::size_t i = 0; i < data.inputs.size(); ++i)
    if (data.inputs[i].empty())
      data.inputs[i] = random_bytes(data.problem.epilogue->inputs[i].type, bytes.inputs[i],
                                    seed + (3 + i) * kStep, kind);
  return data;
}

}  // namespace jute::command
