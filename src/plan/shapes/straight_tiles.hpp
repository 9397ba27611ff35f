#pragma once
// Instructions of warps that load their own fragments: few tiles, and groups that share out K.
#include <jute/plan/values/work.hpp>

#include <vector>

#include "plan/shapes/straight_form.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

[[nodiscard]] StraightWork straight_work(const MmaAtom& atom, const Tile& tile,
                                         const KernelProblem& problem);

/// Shared memory of a block whose threads bring stored elements, of the larger operand, to stages,
/// and add their sums.
[[nodiscard]] Index ring_bytes(const StraightWork& work, bool is_b);

/// Few enough products that it is worth a look?
[[nodiscard]] bool may_be_straight(const KernelProblem& problem, const DeviceInfo& device);
/// The tiles that suit the problem and the chip, with the atom's shape for units; of shared ones
/// the short list.
[[nodiscard]] std::vector<Tile> straight_tiles(const MmaAtom& atom, const KernelProblem& problem,
                                               const DeviceInfo& device, Specialize specialize);

[[nodiscard]] StraightForm straight_form(const Tile& tile, const MmaAtom& atom);

}  // namespace jute::plan
