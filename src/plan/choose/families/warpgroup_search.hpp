#pragma once
// Tiles of producers and consumers in the order of what they are expected to take.
#include <functional>
#include <optional>
#include <vector>

#include "plan/choose/families/ranked_list.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// A tile that is not ranked, with what ranking would choose for it: which tiles run together,
/// stages, when the next kernel may begin. None where no ranked tile could have its shape.
[[nodiscard]] std::optional<Tile> scheduled(const Tile& tile, const KernelProblem& problem,
                                            const DeviceInfo& device);

/// Are these tiles of one kernel, whatever else is planned for them?
[[nodiscard]] inline bool is_same_kernel(const Tile& x, const Tile& y) {
  return x.m == y.m && x.n == y.n && x.split_k == y.split_k && x.reduction == y.reduction &&
         x.swapped == y.swapped && x.ping_pong == y.ping_pong && x.cluster == y.cluster &&
         x.width_at_run_time == y.width_at_run_time &&
         x.split_k_at_run_time == y.split_k_at_run_time;
}

/// Does the chip have an instruction for the tile?
using HasInstruction = std::function<bool(const Tile&)>;

/// Looks at tiles of so many groups of 64 rows, wherever the instruction has their width: for the
/// problem as it is, transposed, or both ways, as the caller leaves it open. Of the short list that
/// problems share, or of all.
void look_at_warpgroup_tiles(const KernelProblem& problem, const DeviceInfo& device,
                             const Config& config, bool are_shared,
                             const HasInstruction& has_instruction, Fastest<RankedTile>& best);

}  // namespace jute::plan
