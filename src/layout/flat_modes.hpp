#pragma once
// Leaf modes of a layout side by side: what coalesce leaves and the algebra works on.
#include <jute/layout/layout.hpp>

namespace jute::layout {

struct FlatModes {
  InlineVector<Index, 32> shape;
  InlineVector<Index, 32> stride;
  std::vector<Path> paths;  ///< empty when all strides are plain

  [[nodiscard]] int count() const { return shape.size(); }
  [[nodiscard]] const Path& path(int i) const {
    static const Path kNone;
    return paths.empty() ? kNone : paths[static_cast<std::size_t>(i)];
  }
  void push(Index extent, Index step) {
    shape.push_back(extent);
    stride.push_back(step);
  }
};

/// The nodes of flat modes: a leaf, or a tuple of leaves.
struct FlatNodes {
  explicit FlatNodes(int count) {
    if (count != 1) nodes.push_back(Node::open);
    for (int i = 0; i < count; ++i) nodes.push_back(Node::leaf);
    if (count != 1) nodes.push_back(Node::close);
  }
  [[nodiscard]] std::span<const Node> span() const {
    return {nodes.data(), static_cast<std::size_t>(nodes.size())};
  }
  InlineVector<Node, 64> nodes;
};

/// The treatment of an extent of 1 in last place: composition keeps it as 2, as its left side
/// goes on beyond its size with the stride of the last mode.
enum class LastUnit { drop, keep };

/// Appends the modes of `view`, merged where one goes on where the last ended. Without any: 1:0.
void coalesce_into(const LayoutView& view, LastUnit last_unit, FlatModes& out);
/// Writes flat modes as CuTe does: one mode as a leaf, more as a tuple.
void write_modes(const FlatModes& modes, LayoutBuilder& out);
/// Follows a profile: coalesces each mode that a leaf of the profile names.
void coalesce_by_profile(const LayoutView& view, const TupleView& profile, LastUnit last_unit,
                         LayoutBuilder& out);

[[nodiscard]] FlatModes coalesced(const LayoutView& view, LastUnit last_unit = LastUnit::drop);
/// Modes of stride 0 and extents of 1 left out, then coalesced.
[[nodiscard]] FlatModes filtered(const LayoutView& view);
[[nodiscard]] Layout to_layout(const FlatModes& modes);

/// The treatment of digits of the right side that carry from one mode of the left into the next, so
/// that lhs(rhs(i)) is no layout. Division and product round tiles that do not fit, as CuTe does.
enum class Carries { refused, ignored };

/// lhs(rhs(i)) for a left side that is coalesced; appends the result to `out`.
void compose_into(const LayoutView& lhs, const LayoutView& rhs, Carries carries,
                  LayoutBuilder& out);
/// lhs(rhs(i)); the left side is coalesced here. Strides on unit vectors compose mode by mode.
void compose_views(const LayoutView& lhs, const LayoutView& rhs, Carries carries,
                   LayoutBuilder& out);
/// 1 + largest offset of flat modes, strides taken as positive.
[[nodiscard]] Index cosize_of(const FlatModes& modes);
/// Product of ceil_div(shape, divisor) distributed over the leaves from the left.
[[nodiscard]] Index ceil_div_size(const TupleView& shape, Index divisor);

/// The complement's modes, for modes that are already filtered.
void complement_into(const FlatModes& filtered, const TupleView& cotarget, FlatModes& out);

/// For messages: a long text is cut.
[[nodiscard]] std::string text_of(const LayoutView& view);
[[nodiscard]] inline LayoutView view_of(const FlatModes& modes, std::span<const Node> nodes) {
  return {nodes, modes.shape.data(), modes.stride.data(),
          modes.paths.empty() ? nullptr : modes.paths.data(), modes.count()};
}

}  // namespace jute::layout
