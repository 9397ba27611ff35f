#pragma once
// Few rows, or few columns, of D from a large operand along M or N, rows of which begin anywhere.
#include <jute/plan/cost/prediction.hpp>

#include <optional>
#include <vector>

#include "plan/choose/staged_cost.hpp"
#include "plan/derive/straight_family.hpp"
#include "plan/values/candidates.hpp"

namespace jute::plan {

struct RankedLines {
  double clocks;
  MmaAtom atom;
  LineTile tile;
};

/// May such tiles suit the problem? Cheap, as it is asked of every problem.
[[nodiscard]] bool may_be_lines(const KernelProblem& problem, const Config& config);

/// Those of the first tensor-core instruction and of multiply-adds, fastest first by the model.
[[nodiscard]] std::vector<RankedLines> ranked_line_tiles(const KernelProblem& problem,
                                                         const DeviceInfo& device,
                                                         const std::vector<MmaAtom>& atoms,
                                                         size_t most);

/// Atoms, permutation and tile: neighbours among lines are chunks of a thread, and rows of a warp
/// lie as many apart along K as a chunk has elements, so that all begin alike.
[[nodiscard]] StraightForm form_of(const LineTile& tile, const MmaAtom& atom,
                                   const KernelProblem& problem);

/// Blocks that an SM shall have room for, as registers are bounded; 1 of other steps.
[[nodiscard]] int blocks_of_lines(const GemmStep& step, const DeviceInfo& device);

/// Of a step; none where no operand's chunks begin inside of lines.
[[nodiscard]] std::optional<Prediction> line_prediction(const GemmStep& step,
                                                        const DeviceInfo& device);

}  // namespace jute::plan
