#pragma once
// Blocks that leave the next kernel's room beside them, or none.
#include <jute/plan/values/plan.hpp>

#include <array>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Where the next kernel may begin at once, but finds no SM that is free: fewer stages and
/// registers, so that an SM holds two blocks. Not against the caller's own stages.
void leave_half(GemmStep& step, const Tile& choice, const KernelProblem& problem,
                const DeviceInfo& device, bool stages_are_given);

/// Blocks that begin early and are nearly as many as there are SMs ask for so much that none holds
/// two of them: those of the next kernel begin where one has ended, not two on an SM while another
/// is idle. Fewer find SMs that are free.
void keep_apart(GemmStep& step, const DeviceInfo& device);

/// Has every block of a grid that could walk one tile, as it is planned? Then blocks lie in rows,
/// and find their tile without a division.
[[nodiscard]] bool has_own_tiles(const GemmStep& step);
/// The grid of a warp-specialised kernel, whose blocks walk or have a tile or a slice each.
[[nodiscard]] std::array<Count, 3> grid_of_tiles(const GemmStep& step);

}  // namespace jute::plan
