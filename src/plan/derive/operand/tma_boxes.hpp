#pragma once
// A tile in shared memory as boxes that TMA moves.
#include <jute/plan/values/plan.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace jute::plan {

/// Along what a tile is cut into the parts of a cluster's blocks.
enum class BoxCut : std::uint8_t {
  mn_first,  ///< mn, or else k
  rows,      ///< the dimension along which it is not contiguous, whose rows one box holds all
  few_rows,  ///< mn, a box for each 64 rows: those past a group's end are left out
};

inline constexpr int kMostRowsOfBox = 256;  // (cuTensorMapEncodeTiled)

/// The tile, in so many equal parts, as boxes: the longest run of the contiguous dimension, and the
/// longest of the other along which such runs lie behind each other.
///   shapes   smem: (mn, k) -> element
///   gives    nothing where no box of a tensor map writes such a layout: runs of less than 16
///   bytes,
///            another swizzle than TMA's, rows that are not as long as the swizzle's, boxes that do
///            not begin at a multiple of 128 bytes; none of those that `fits` takes, which is asked
///            of (inner, outer)
using BoxFits = std::function<bool(Index, Index)>;
[[nodiscard]] std::optional<TmaBoxes> tma_boxes(const ComposedLayout& smem, Major major, DType type,
                                                int parts = 1, BoxCut cut = BoxCut::mn_first,
                                                const BoxFits& fits = {},
                                                int most_rows = kMostRowsOfBox);

}  // namespace jute::plan
