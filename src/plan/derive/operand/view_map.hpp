#pragma once
// The tensor map of a View, for boxes of a tile.
#include <jute/plan/values/plan.hpp>

#include <optional>

#include "plan/derive/operand/tma_boxes.hpp"

namespace jute::plan {

/// A View on its way through shared memory.
struct BoxedView {
  const View& view;
  Order order = Order::row;  ///< row: its columns are contiguous
  DType type = DType::f32;
  std::optional<BoxCoordinate> k{};  ///< which coordinate is summed over; none of D
  Index tile_k = 0;
};

/// The map by which TMA moves boxes of `outer` times `inner` elements that begin at multiples of
/// these. Nothing where no five dimensions have them: neighbours that are not contiguous, strides
/// that are no multiples of 16 bytes, boxes that are cut by a mode's end, steps of more than eight
/// places, or a k-tile that reaches past K where the map has other elements.
///   source  cuTensorMapEncodeTiled: element strides count in the box
[[nodiscard]] std::optional<ViewMap> view_map(const BoxedView& boxed, Index inner, Index outer);

/// Which boxes have a map, as tma_boxes asks it; all, where there is no View. The View must outlive
/// what is given back.
[[nodiscard]] BoxFits fits_view(std::optional<BoxedView> boxed);

/// Elements along what is contiguous that a row of a tile in shared memory may have at most: its
/// length divides this. 0: any.
[[nodiscard]] Index run_of_view(const View& view, Order order);

/// The boxes of a kernel's operand, whose Views have rows along M or N and columns along K.
[[nodiscard]] std::optional<BoxedView> boxed_view(const OperandPlan& operand, Index tile_k);
/// The boxes of the kernel's D, whose View has the problem's rows and columns.
[[nodiscard]] std::optional<BoxedView> boxed_view(const EpiloguePlan& out, bool transposed);
/// The boxes of its C, where it is read.
[[nodiscard]] std::optional<BoxedView> boxed_view_of_c(const EpiloguePlan& out, bool transposed);
/// Do places of D that lie past M belong to it? Rows of a block of rows may.
[[nodiscard]] bool has_places_past_m(const BoxedView& d);

}  // namespace jute::plan
