#pragma once
// The tiles of a step, and the blocks that have them.
#include <jute/plan/values/plan.hpp>

#include <array>

namespace jute::plan {

/// The number as the kernel has it.
[[nodiscard]] Count held(const Extent& extent);

/// One block for a tile and matrix.
[[nodiscard]] Count tiles(const GemmStep& step);
/// The same along M, along N and for each matrix of the batch.
[[nodiscard]] std::array<Count, 3> tile_grid(const GemmStep& step);

/// Blocks of an SM that walk over tiles beside each other.
[[nodiscard]] int co_resident_blocks(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
