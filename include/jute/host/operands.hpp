#pragma once
// Operands from a seed, the same bytes on every machine, and the numbers of their blocks.
#include <jute/base/export.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/problem_tensors.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace JUTE_API jute {

/// The look of random elements.
enum class RandomKind : std::uint8_t {
  normal,    ///< mean 0, deviation 1; of integers 4, so that they are worth multiplying
  integers,  ///< -2 … 2 (0 … 3 where unsigned), so that sums are exact
};
/// Elements of a type that take so many bytes; of 4 bits two in each.
[[nodiscard]] std::vector<std::byte> random_bytes(DType type, Index bytes, std::uint64_t seed,
                                                  RandomKind kind);

/// Host memory of tensors, each laid out as its problem says.
using TensorBytes = ByTensor<std::vector<std::byte>>;
/// Scales of a completed problem, which are positive, of `integers` powers of two, and zero points,
/// which are small whole numbers.
[[nodiscard]] TensorBytes random_scales(const Problem& problem, std::uint64_t seed,
                                        RandomKind kind);
/// Random elements of A, B, C and the epilogue's inputs, and random_scales; what `memory` holds
/// already stays.
void draw_operands(TensorBytes& memory, const Problem& problem, std::uint64_t seed,
                   RandomKind kind);

/// Lists of groups and tables of rows, as memory has them.
[[nodiscard]] std::vector<Index> integers_of(std::span<const std::byte> bytes, GroupIndex index);
[[nodiscard]] std::vector<std::byte> bytes_of(std::span<const Index> integers, GroupIndex index);

/// The list of groups that each have as many rows, columns or k as the problem expects of a usual
/// one, else equal parts; of rows' groups an entry a row. Empty without groups.
///   needs   no lists of matrices
[[nodiscard]] std::vector<Index> usual_groups(const Problem& problem);
/// A table whose neighbours are far apart, of A or of D; none twice of D. Empty without one.
[[nodiscard]] std::vector<Index> spread_rows(const Problem& problem, TensorRole operand);

/// The lists and tables of these, as memory has them.
[[nodiscard]] TensorBytes usual_lists(const Problem& problem);

/// How many of `extent` elements share a number where there are `count` numbers along them: the
/// `asked` ones, else what the numbers cover evenly; 0: all of them. Nothing where they do not fit.
[[nodiscard]] std::optional<Index> block_of_numbers(Index extent, Index count, Index asked);

}  // namespace jute
