// Operands from a seed.
#include <jute/gemm/reference.hpp>

#include <cmath>
#include <cstring>
#include <utility>

#include "files/random_numbers.hpp"
#include "product/gemm_data.hpp"

namespace jute::command {
namespace {

enum class Numbers : std::uint8_t { scales, zero_points };

std::vector<std::byte> drawn(const std::optional<BlockValues>& numbers, Index bytes,
                             RandomNumbers& draws, Numbers what, Fill fill) {
  if (!numbers) return {};
  std::vector<double> values;
  const Index count = bytes * 8 / width_bits(numbers->type);
  for (Index i = 0; i < count; ++i) {
    const double power = std::ldexp(1.0, -static_cast<int>(draws.bits() % 3));
    const auto whole = static_cast<double>(draws.bits() % 4);
    const double scale = fill == Fill::integers ? power : power * (1 + draws.uniform());
    values.push_back(what == Numbers::scales ? scale : whole);
  }
  return encode(numbers->type, values);
}

/// Those that a completed problem has. Scales are positive, with Fill::integers powers of two; zero
/// points are small whole numbers. The same seed gives the same bytes everywhere.
ScaleData random_scales(const Problem& problem, std::uint64_t seed, Fill fill) {
  const OperandBytes bytes = operand_bytes(problem);
  RandomNumbers draws(seed);
  ScaleData data;
  data.scale_a = drawn(problem.scale_a.scale, bytes.scale_a, draws, Numbers::scales, fill);
  data.scale_b = drawn(problem.scale_b.scale, bytes.scale_b, draws, Numbers::scales, fill);
  data.zero_a = drawn(problem.scale_a.zero, bytes.zero_a, draws, Numbers::zero_points, fill);
  data.zero_b = drawn(problem.scale_b.zero, bytes.zero_b, draws, Numbers::zero_points, fill);
  return data;
}

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
