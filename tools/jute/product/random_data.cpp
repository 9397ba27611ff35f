// Operands from a seed.
#include <jute/gemm/reference.hpp>

#include <cstring>
#include <utility>

#include "files/random_numbers.hpp"
#include "product/gemm_data.hpp"
#include "product/random_scales.hpp"

namespace jute::command {
namespace {

std::vector<std::byte> random_bytes(DType type, Index bytes, std::uint64_t seed, Fill fill) {
  RandomNumbers numbers(seed);
  std::vector<std::byte> result(static_cast<size_t>(bytes));
  const auto width = static_cast<size_t>(width_bytes(type));
  // Normal numbers would be 0 or ±1 as integers; three deviations more make them worth multiplying.
  const double scale = is_integer(type) ? 4.0 : 1.0;
  for (size_t at = 0; at + width <= result.size(); at += width) {
    double value = 0;
    if (fill == Fill::normal) {
      value = scale * numbers.normal();
    } else {
      const std::uint64_t word = numbers.bits() >> 33;
      value =
          type == DType::u8 ? static_cast<double>(word % 4) : static_cast<double>(word % 5) - 2.0;
    }
    std::uint64_t bits = encode(type, value);
    // The other half of the byte, its neighbour's number negated.
    if (width_bits(type) == 4) bits |= encode(type, fill == Fill::normal ? -value : 1 - value) << 4;
    std::memcpy(result.data() + at, &bits, width);
  }
  return result;
}

}  // namespace

GemmData random_data(const ProblemOptions& options, const GemmFiles& files, std::uint64_t seed,
                     Fill fill) {
  GemmData data;
  data.problem = problem_of(options);
  // Random operands have no way round but in memory: rows of the transpose are columns.
  const StoredOperands stored = files.stored();
  for (const auto& [is, matrix] :
       {std::pair{stored.a, &data.problem.a}, std::pair{stored.b, &data.problem.b}})
    if (is == Stored::transposed)
      matrix->order = matrix->order == Order::row ? Order::col : Order::row;
  if (options.text.empty()) put_scales(data.problem, options.scales);
  read_inputs(data, files.inputs, options.epilogue);
  data.problem = completed(data.problem);
  data.m_range = std::exchange(data.problem.m_range, {});
  refuse_own_operands(data.problem);
  if (data.problem.groups) data.groups = random_group_list(data.problem, seed);
  data.rows = random_row_lists(data.problem, seed);
  data.batched = options.text.empty() ? options.batch.has_value() : data.problem.batch != 1;
  if (data.problem.groups) data.batched = !data.problem.d.broadcast;
  const OperandBytes bytes = operand_bytes(data.problem);
  constexpr std::uint64_t kStep = 0x632BE59BD9B4E019u;  // keeps the operands' streams apart
  data.a = random_bytes(data.problem.a.type, bytes.a, seed, fill);
  data.b = random_bytes(data.problem.b.type, bytes.b, seed + kStep, fill);
  data.scales = random_scales(data.problem, seed + 100 * kStep, fill);
  data.c = random_bytes(data.problem.c.type, bytes.c, seed + 2 * kStep, fill);
  for (std::size_t i = 0; i < data.inputs.size(); ++i)
    if (data.inputs[i].empty())
      data.inputs[i] = random_bytes(data.problem.epilogue->inputs[i].type, bytes.inputs[i],
                                    seed + (3 + i) * kStep, fill);
  return data;
}

}  // namespace jute::command
