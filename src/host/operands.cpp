// Draws elements one after the other; blocks by how many numbers there are.
#include <jute/base/checked.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/host/operands.hpp>
#include <jute/host/random_numbers.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

namespace jute {
namespace {

std::vector<std::byte> drawn(DType type, Index bytes, RandomNumbers& draws, TensorContent what,
                             RandomKind kind) {
  std::vector<double> values;
  const Index count = bytes * 8 / width_bits(type);
  for (Index i = 0; i < count; ++i) {
    const double power = std::ldexp(1.0, -static_cast<int>(draws.bits() % 3));
    const auto whole = static_cast<double>(draws.bits() % 4);
    const double scale = kind == RandomKind::integers ? power : power * (1 + draws.uniform());
    values.push_back(what == TensorContent::scales ? scale : whole);
  }
  return encode(type, values);
}

}  // namespace

TensorBytes random_scales(const Problem& problem, std::uint64_t seed, RandomKind kind) {
  const OperandBytes bytes = operand_bytes(problem);
  RandomNumbers draws(seed);
  TensorBytes memory;
  for (const TensorRole role : kAllTensors)
    if (const Matrix* const matrix = matrix_of(problem, role);
        matrix != nullptr && is_of_blocks(role))
      memory[role] = drawn(matrix->type, bytes[role], draws, content_of(role), kind);
  return memory;
}

void draw_operands(TensorBytes& memory, const Problem& problem, std::uint64_t seed,
                   RandomKind kind) {
  constexpr std::uint64_t kStep = 0x632BE59BD9B4E019u;  // keeps the operands' streams apart
  constexpr std::uint64_t kStepsToScales = 100;
  const OperandBytes bytes = operand_bytes(problem);
  TensorBytes scales = random_scales(problem, seed + kStepsToScales * kStep, kind);
  std::uint64_t next = seed;
  for (const TensorRole role : kAllTensors) {
    if (is_written(role)) continue;
    const std::uint64_t own = next;
    if (!is_of_blocks(role)) next += kStep;
    const Matrix* const matrix = matrix_of(problem, role);
    if (matrix == nullptr || !memory[role].empty()) continue;
    memory[role] = !is_of_blocks(role) ? random_bytes(matrix->type, bytes[role], own, kind)
                                       : std::move(scales[role]);
  }
}

std::vector<std::byte> random_bytes(DType type, Index bytes, std::uint64_t seed, RandomKind kind) {
  RandomNumbers numbers(seed);
  std::vector<std::byte> result(static_cast<size_t>(bytes));
  const auto width = static_cast<size_t>(width_bytes(type));
  // Normal numbers would be 0 or ±1 as integers; three deviations more make them worth multiplying.
  const double scale = is_integer(type) ? 4.0 : 1.0;
  for (size_t at = 0; at + width <= result.size(); at += width) {
    double value = 0;
    if (kind == RandomKind::normal) {
      value = scale * numbers.normal();
    } else {
      const std::uint64_t word = numbers.bits() >> 33;
      value =
          type == DType::u8 ? static_cast<double>(word % 4) : static_cast<double>(word % 5) - 2.0;
    }
    std::uint64_t bits = encode(type, value);
    // The other half of the byte, its neighbour's number negated.
    if (width_bits(type) == 4)
      bits |= encode(type, kind == RandomKind::normal ? -value : 1 - value) << 4;
    std::memcpy(result.data() + at, &bits, width);
  }
  return result;
}

std::vector<Index> integers_of(std::span<const std::byte> bytes, GroupIndex index) {
  const auto width = static_cast<size_t>(bytes_of(index));
  std::vector<Index> integers;
  for (size_t at = 0; at + width <= bytes.size(); at += width) {
    std::int64_t value = 0;
    std::memcpy(&value, bytes.data() + at, width);  // little endian: the low half comes first
    integers.push_back(index == GroupIndex::i64 ? value : static_cast<std::int32_t>(value));
  }
  return integers;
}

std::vector<std::byte> bytes_of(std::span<const Index> integers, GroupIndex index) {
  const auto width = static_cast<size_t>(bytes_of(index));
  std::vector<std::byte> bytes(integers.size() * width);
  for (size_t i = 0; i < integers.size(); ++i)
    std::memcpy(bytes.data() + i * width, &integers[i], width);
  return bytes;
}

std::vector<Index> usual_groups(const Problem& problem) {
  if (!problem.groups) return {};
  const GroupKind kind = problem.groups->kind;
  const Index expected = problem.groups->expected;
  if (kind == GroupKind::masked_rows)
    return std::vector<Index>(static_cast<std::size_t>(problem.batch),
                              expected > 0 ? std::min(expected, problem.m) : problem.m);
  const Index bound = kind == GroupKind::cols ? problem.n
                      : kind == GroupKind::k  ? problem.k
                                              : problem.m;
  std::vector<Index> ends;
  const bool are_equal =
      expected == 0 || problem.batch == 0 || expected == ceil_div(bound, problem.batch);
  for (Index group = 1; group <= problem.batch; ++group)
    ends.push_back(!are_equal ? std::min(bound, expected * group) : bound * group / problem.batch);
  if (problem.groups->entry == GroupEntry::group) return ends;
  std::vector<Index> groups;
  for (Index group = 0; group < problem.batch; ++group)
    groups.resize(static_cast<std::size_t>(ends[static_cast<std::size_t>(group)]), group);
  groups.resize(static_cast<std::size_t>(bound), -1);
  return groups;
}

std::vector<Index> spread_rows(const Problem& problem, TensorRole operand) {
  constexpr Index kStep = 7919;
  const bool is_a = operand == TensorRole::a;
  const Matrix& matrix = is_a ? problem.a : problem.d;
  if (!matrix.rows) return {};
  const Index memory = rows_in_memory(matrix, problem.m);
  const Index rows = std::max<Index>(is_a ? memory : std::min(memory, problem.m), 1);
  const Index step = std::gcd(kStep, rows) == 1 ? kStep : 1;
  std::vector<Index> table;
  for (Index row = 0; row < problem.m; ++row) table.push_back(row * step % rows);
  return table;
}

TensorBytes usual_lists(const Problem& problem) {
  TensorBytes lists;
  if (problem.groups)
    lists[TensorRole::ends] = bytes_of(usual_groups(problem), problem.groups->index);
  if (problem.a.rows)
    lists[TensorRole::rows_a] =
        bytes_of(spread_rows(problem, TensorRole::a), problem.a.rows->index);
  if (problem.d.rows)
    lists[TensorRole::rows_d] =
        bytes_of(spread_rows(problem, TensorRole::d), problem.d.rows->index);
  return lists;
}

std::optional<Index> block_of_numbers(Index extent, Index count, Index asked) {
  if (asked != 0) return count == ceil_div(extent, asked) ? std::optional(asked) : std::nullopt;
  if (count == 1) return 0;
  return count > 0 && extent % count == 0 ? std::optional(extent / count) : std::nullopt;
}

}  // namespace jute
