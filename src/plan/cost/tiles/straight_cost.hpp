#pragma once
// What kernels take without shared-memory operands.
#include <jute/plan/cost/kernel_cost.hpp>
#include <jute/plan/cost/prediction.hpp>

#include <optional>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Of a tile.
[[nodiscard]] Prediction predicted(const MmaAtom& atom, const StraightTile& tile,
                                   const KernelProblem& problem, const DeviceInfo& device);
/// When the next kernel may begin beside such a step, by what its threads load and store.
[[nodiscard]] Release straight_release(const GemmStep& step, const DeviceInfo& device);

/// Is what such a step reads first asked for while the kernel ahead is at work? It must have come
/// before a kernel can let the next begin: little costs more than it saves. Much keeps memory busy
/// anyway.
[[nodiscard]] bool straight_asks_ahead(const GemmStep& step);

/// Of a step; none where its main loop is another.
[[nodiscard]] std::optional<Prediction> straight_prediction(const GemmStep& step,
                                                            const DeviceInfo& device);

/// What a step takes for any number of rows of D, so many of which a block has, where it reads B
/// once for them; none of other steps.
[[nodiscard]] std::optional<KernelCost> streamed_cost(const GemmStep& step,
                                                      const DeviceInfo& device);

}  // namespace jute::plan
