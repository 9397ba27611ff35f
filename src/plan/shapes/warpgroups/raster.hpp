#pragma once
// Which tiles run side by side.
#include <jute/launch/device_info.hpp>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Has a block more than one tile?
[[nodiscard]] bool is_walked(const Tile& tile, const KernelProblem& problem,
                             const DeviceInfo& device);

/// Blocks of one tile that begin one after the other have tiles that lie together; clusters where
/// they share the larger operand: those far apart read it from memory twice. Otherwise tiles that
/// run together cover a square of D, roughly; long rows of D where little but D is moved; all rows
/// of tiles where the cache keeps A and B is the larger.
[[nodiscard]] int raster_width(const Tile& tile, const KernelProblem& problem,
                               const DeviceInfo& device);

}  // namespace jute::plan
