#pragma once
// How rows come to tiles of a producer and consumers, and how D leaves those.
#include <cstddef>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Do rows of the operand begin at whole lines of memory?
[[nodiscard]] bool has_whole_lines(const KernelMatrix& matrix);
/// Do threads store what they hold, as it lies?
[[nodiscard]] bool is_direct(const Tile& tile, const KernelProblem& problem);
/// Do elements of 32 bits leave by subtiles that TMA stores? They do where storing D is most of the
/// work: elsewhere what threads store as they hold it lies under the next products.
[[nodiscard]] bool drains_words(const KernelProblem& problem);
/// Do rows of D begin where TMA cannot?
[[nodiscard]] bool begins_anywhere(const KernelMatrix& d);
/// Do rows of D begin inside sectors of memory, while storing them is most of the work? What TMA
/// stores of a row is short, and each part then ends in a sector that the next one begins in.
[[nodiscard]] bool has_cut_sectors(const KernelProblem& problem);
/// Do threads store rows of D that begin anywhere?
[[nodiscard]] bool is_by_any_rows(const Tile& tile, const KernelProblem& problem);
/// Do they store rows of D at all, for they begin anywhere or inside sectors?
[[nodiscard]] bool is_by_rows(const Tile& tile, const KernelProblem& problem);

/// How often a k-tile is multiplied.
[[nodiscard]] double products_of_tile(const KernelProblem& problem);
/// How many kinds of clusters are worth a look: a block alone, pairs that share what they load of
/// B, further ones.
[[nodiscard]] size_t clusters_worth_a_look(const KernelProblem& problem);

}  // namespace jute::plan
