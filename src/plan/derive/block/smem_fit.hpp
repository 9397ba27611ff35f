#pragma once
// How many stages, subtiles and vectors a block's shared memory holds.
#include <jute/plan/values/plan.hpp>

#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Shared memory that a block may fill. One that starts while copies of its operands are still made
/// leaves room for those who make them, on the same SM; one of two on an SM has half of it.
[[nodiscard]] int smem_for(const GemmStep& step, const KernelProblem& problem,
                           const DeviceInfo& device);

/// Bytes of subtiles that lie beside as many stages as hide what memory takes to answer.
[[nodiscard]] Index room_of_subtiles(const GemmStep& step, int most_smem);

/// Sets stages, copies of subtiles and regions to what fits. Behind its only tile a block has room
/// for all subtiles, where its stages were. What is to land while the tile is multiplied needs
/// subtiles beside them, where enough stages leave room for those.
void fit_subtiles(GemmStep& step, int most_smem, bool stages_are_given);

/// Turns of a tile whose C may land behind its last k-tile, in B's part of the stage of one more:
/// all that no subtile holds while the tile is multiplied, where they fit.
[[nodiscard]] int turns_by_ring(const GemmStep& step);
/// Gives the stages what is left of shared memory, where launches say how wide tiles are.
void widen_ring(GemmStep& step, int most_smem);

}  // namespace jute::plan
