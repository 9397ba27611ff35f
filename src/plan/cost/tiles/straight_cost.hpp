#pragma once
// What kernels take without shared-memory operands.
#include <jute/plan/cost/prediction.hpp>

#include "plan/cost/tiles/row_scale.hpp"
#include "plan/shapes/straight_tiles.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Of a tile.
[[nodiscard]] Prediction predicted(const MmaAtom& atom, const StraightTile& tile,
                                   const KernelProblem& problem, const DeviceInfo& device,
                                   const RowScale& scale);
/// Likewise, of which nothing else is asked.
[[nodiscard]] Prediction predicted(const MmaAtom& atom, const StraightTile& tile,
                                   const KernelProblem& problem, const DeviceInfo& device);
[[nodiscard]] Prediction predicted(const StraightWork& work, Index m, Index n, Index k, Index batch,
                                   const DeviceInfo& device, const RowScale& scale);
/// Blocks of an SM whose threads have stored elements of two k-tiles in registers; no more than the
/// grid has for each.
[[nodiscard]] int stored_blocks(const StraightWork& work, Index m, Index n, Index batch,
                                const DeviceInfo& device);
/// When the next kernel may begin beside such blocks, by what their threads load and store.
[[nodiscard]] Release straight_release(const StraightWork& work, Index m, Index n, Index k,
                                       Index batch, const DeviceInfo& device);

}  // namespace jute::plan
