#pragma once
// The usual layout of a tile in shared memory.
#include <jute/plan/values/plan.hpp>

namespace jute::plan {

/// 128-byte rows; a granule of them is XORed with the row's number, so that the rows that one
/// instruction touches together lie in different banks. A tile wider than a row is several
/// subtiles, one behind the other. Rows along mn divide `matrix_mn`, what one instruction reads (0:
/// the tile); all divide `run` (0: any).
[[nodiscard]] ComposedLayout swizzled_layout(int tile_mn, int tile_k, Major major, DType type,
                                             int granule_bytes, int matrix_mn = 0, Index run = 0);

/// The usual layout of what TMA writes and instructions read, A or B of the step.
[[nodiscard]] ComposedLayout usual_tma_layout(const GemmStep& step, Operand operand);

}  // namespace jute::plan
