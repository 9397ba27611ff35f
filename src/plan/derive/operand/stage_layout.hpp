#pragma once
// Where a tile, and the terms of a split one, lie in a stage of shared memory.
#include <jute/plan/values/plan.hpp>

namespace jute::plan {

/// A tile without padding, along the operand's major.
[[nodiscard]] Layout compact_layout(int tile_mn, int tile_k, Major major);

/// Elements from one stage to the next: the layout's extent, rounded up to whole swizzle spans and
/// to 128 bytes.
[[nodiscard]] Index stage_stride(const ComposedLayout& smem, DType type);

/// A stage of both halves of a gated product, one tile behind the other along mn.
///   shapes   tile: (mn, k) -> element; given back: ((mn, 2), k) -> element
[[nodiscard]] ComposedLayout in_halves(const ComposedLayout& tile, DType type);
/// The stage of an operand that has halves in the step; of any other the tile itself.
[[nodiscard]] ComposedLayout staged(const GemmStep& step, Operand which,
                                    const ComposedLayout& tile);

/// A stage of a split operand holds every term of its tile, one behind the other.
///   shapes   tile: (mn, k) -> element; given back: (mn, k, term) -> element, where there are
///   several
[[nodiscard]] ComposedLayout with_terms(const ComposedLayout& tile, int terms, DType type);

}  // namespace jute::plan
