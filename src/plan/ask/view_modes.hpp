#pragma once
// The elements that Views reach, and which Views are plain matrices.
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/view.hpp>

#include <optional>
#include <vector>

namespace jute::plan {

/// The places of one dimension of a box that coordinates name.
struct Reach {
  Index lowest = 0, highest = 0;
};
[[nodiscard]] std::vector<Reach> reaches(const ViewModes& modes);

/// Coordinates of modes.
[[nodiscard]] Index size_of(const std::vector<ViewMode>& modes);

/// Does every coordinate lie inside the box?
[[nodiscard]] bool is_inside(const ViewModes& modes);

/// The modes of a canonical View.
[[nodiscard]] ViewModes canonical_modes(const View& view);

/// A matrix of the View's rows and columns in the words of order, leading dimension and batch
/// stride.
struct PlainMatrix {
  Order order = Order::row;
  Index ld_elems = 0;
  Index batch_stride_elems = 0;  ///< 0: every matrix is the first one
};
/// None where the View says more than those words.
[[nodiscard]] std::optional<PlainMatrix> plain_matrix(const ViewModes& canonical);

/// row where neighbours of a row lie next to each other, or nothing does.
[[nodiscard]] Order order_of(const ViewModes& canonical);

/// Elements that lie side by side from wherever a coordinate that is a multiple of so many names
/// the first of them, all of them inside the box or none: a power of two, at most `most`.
[[nodiscard]] Index contiguous_elems(const ViewModes& canonical, Index most);

}  // namespace jute::plan
