#pragma once
// What kernels without shared-memory operands are expected to take, beside all others.
#include <jute/plan/cost/prediction.hpp>

#include <optional>
#include <vector>

#include "plan/choose/staged_cost.hpp"
#include "plan/shapes/ranked_tiles.hpp"
#include "plan/values/candidates.hpp"

namespace jute::plan {

/// The tiles that suit the problem, fastest first by the model, with the atom's shape for units; of
/// shared ones the short list.
[[nodiscard]] std::vector<StraightTile> ranked_straight_tiles(
    const MmaAtom& atom, const KernelProblem& problem, const DeviceInfo& device, size_t most,
    Specialize specialize = Specialize::usual);

/// Few enough products that it is worth a look?
[[nodiscard]] bool may_be_straight(const KernelProblem& problem);

/// Does the model expect less of it than of every kernel that brings tiles to shared memory, with
/// the copies of operands that those read?
[[nodiscard]] bool is_faster_straight(const MmaAtom& atom, const StraightTile& tile,
                                      const KernelProblem& problem, const DeviceInfo& device,
                                      BestStaged& staged, Others others);

/// Of a tile.
[[nodiscard]] double straight_clocks(const MmaAtom& atom, const StraightTile& tile,
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
