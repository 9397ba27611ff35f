#pragma once
// Rows past the edge of A and B: whether stages of such tiles hold zeros in their place.
#include <optional>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// In multiples of how many rows stages leave out those of A and B; 0: not at all.
struct EdgeUnits {
  Index a = 0, b = 0;
};
/// Units of the step that the tile will be planned as.
[[nodiscard]] EdgeUnits edge_units(const Tile& tile, const KernelProblem& problem);
/// The unit of boxes of so many rows along K.
[[nodiscard]] int unit_of_rows(int rows);

/// The content of stages that is asked for where products do not decide.
[[nodiscard]] std::optional<EdgeRows> edge_wish(const Config& config);
/// Do products wait for what TMA writes past one of the edges, or is most of a tile there?
[[nodiscard]] bool are_zeros_left_out(Index m, Index n, const ClusterShape& cluster,
                                      const KernelProblem& problem);

}  // namespace jute::plan
