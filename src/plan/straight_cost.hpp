#pragma once
// What kernels without shared-memory operands are expected to take, beside all others.
#include <jute/plan/prediction.hpp>

#include <optional>
#include <vector>

#include "plan/candidates.hpp"
#include "plan/ranked_tiles.hpp"

namespace jute::plan {

/// The tiles that suit the problem, fastest first by the model, with the atom's shape for units; of
/// shared ones the short list.
[[nodiscard]] std::vector<StraightTile> ranked_straight_tiles(
    const MmaAtom& atom, const KernelProblem& problem, const DeviceInfo& device, size_t most,
    Specialize specialize = Specialize::usual);

/// Clocks of a kernel whose threads bring operands to shared memory element by element, where K is
/// short.
[[nodiscard]] double gathered_clocks(const KernelProblem& problem, const DeviceInfo& device);

/// Few enough products that it is worth a look?
[[nodiscard]] bool may_be_straight(const KernelProblem& problem);

/// The best of the other kernels: those of a producer and consumers, or those whose threads copy.
enum class Others : std::uint8_t { specialised, staged };

/// Does the model expect less of it than of every kernel that brings tiles to shared memory, with
/// the copies of operands that those read?
[[nodiscard]] bool is_faster_straight(const MmaAtom& atom, const StraightTile& tile,
                                      const KernelProblem& problem, const DeviceInfo& device,
                                      BestTiles& specialised, Others others);

/// Of a tile.
[[nodiscard]] double straight_clocks(const MmaAtom& atom, const StraightTile& tile,
                                     const KernelProblem& problem, const DeviceInfo& device);
/// Of the best of the others, with the copies of operands that those read.
[[nodiscard]] double other_clocks(const KernelProblem& problem, const DeviceInfo& device,
                                  BestTiles& specialised, Others others);

/// When the next kernel may begin beside such a step, by what its threads load and store.
[[nodiscard]] Release straight_release(const GemmStep& step, const DeviceInfo& device);

/// Is what such a step reads first asked for while the kernel ahead is at work? It must have come
/// before a kernel can let the next begin: little costs more than it saves. Much keeps memory busy
/// anyway.
[[nodiscard]] bool straight_asks_ahead(const GemmStep& step);

/// Of a step; none where its main loop is another.
[[nodiscard]] std::optional<Prediction> straight_prediction(const GemmStep& step,
                                                            const DeviceInfo& device);

}  // namespace jute::plan
