#pragma once
// A layout: the function from coordinates to offsets that a shape and a congruent stride define.
#include <jute/base/export.hpp>
#include <jute/layout/int_tuple.hpp>

namespace JUTE_API jute {

/// A regular value `(shape):(stride)`. Coordinates and offsets count elements, never bytes. Extents
/// are positive; strides may be zero (broadcast), negative or on unit vectors (`1@0`: the offset is
/// then itself a coordinate).
class Layout {
 public:
  Layout();                                ///< 1:0
  explicit Layout(const IntTuple& shape);  ///< compact, first mode fastest
  /// throws  not_congruent, out_of_range (an extent below 1), wrong_type (a wildcard)
  Layout(const IntTuple& shape, const IntTuple& stride);
  explicit Layout(std::string_view text);  ///< "(4,8):(8,1)"; throws  syntax, …
  explicit Layout(const char* text) : Layout(std::string_view(text)) {}
  explicit Layout(const std::string& text) : Layout(std::string_view(text)) {}
  explicit Layout(const layout::LayoutView& view);  ///< a copy of a borrowed layout

  [[nodiscard]] IntTuple shape() const { return IntTuple(view().shape_view()); }
  [[nodiscard]] IntTuple stride() const { return IntTuple(view().stride_view()); }
  [[nodiscard]] int rank() const { return layout::rank(view()); }
  [[nodiscard]] bool is_leaf() const { return view().is_leaf(); }
  /// Mode as a layout; mode 0 of `8:1` is `8:1`.   throws  out_of_range
  [[nodiscard]] Layout operator[](int mode) const;
  /// Leaf modes from left to right, as plain integers.   throws  wrong_type: a stride is a unit
  /// vector
  [[nodiscard]] std::vector<Index> flat_shape() const;
  [[nodiscard]] std::vector<Index> flat_stride() const;
  /// Are all strides plain integers?
  [[nodiscard]] bool is_plain() const { return paths_.empty(); }

  /// Offset of a one-dimensional coordinate; beyond the size the last mode goes on, as in CuTe.
  ///   throws  out_of_range: a negative coordinate; wrong_type: strides on unit vectors (crd2idx
  ///           gives the coordinate tuple then)
  [[nodiscard]] Index operator()(Index coordinate) const;
  [[nodiscard]] Index operator()(int coordinate) const { return (*this)(Index{coordinate}); }
  /// Offset of a coordinate that is weakly congruent with the shape.
  [[nodiscard]] Index operator()(const IntTuple& coordinate) const;
  [[nodiscard]] Index operator()(Index i, Index j) const;

  [[nodiscard]] layout::LayoutView view() const {
    return {{nodes_.data(), static_cast<std::size_t>(nodes_.size())},
            shape_.data(),
            stride_.data(),
            paths_.empty() ? nullptr : paths_.data(),
            shape_.size()};
  }

  bool operator==(const Layout&) const = default;

 private:
  friend class LayoutBuilder;
  struct Unbuilt {};
  explicit Layout(Unbuilt) {}
  layout::Profile nodes_;
  layout::InlineVector<Index, 16> shape_;
  layout::InlineVector<Index, 16> stride_;
  std::vector<layout::Path> paths_;  ///< of the strides; empty when all are plain
};

/// Writes a Layout from left to right. The caller balances open and close.
class LayoutBuilder {
 public:
  LayoutBuilder() : layout_(Layout::Unbuilt{}) {}
  void open();  ///< throws  too_deep
  void close();
  void leaf(Index shape, Index stride);
  void leaf(Index shape, Index stride, const layout::Path& path);
  /// Copies a whole subtree.
  void append(const layout::LayoutView& view);
  /// Copies the modes of a tuple, or a leaf as one mode.
  void append_modes(const layout::LayoutView& view);
  /// The layout that is written so far; whole once open and close balance.
  [[nodiscard]] layout::LayoutView view() const { return layout_.view(); }
  [[nodiscard]] Layout take();

 private:
  Layout layout_;
  int depth_ = 0;
};

/// Number of coordinates.   throws  overflow
[[nodiscard]] Index size(const Layout& layout);
[[nodiscard]] Index size(const IntTuple& shape);
[[nodiscard]] Index size(const layout::LayoutView& view);
/// Largest offset + 1 with the strides taken as positive: the buffer that the layout needs.
///   throws  overflow: also beyond 2^60, where 8-byte elements leave the 64-bit addresses
[[nodiscard]] Index cosize(const Layout& layout);
[[nodiscard]] std::string to_string(const Layout& layout);
std::ostream& operator<<(std::ostream& out, const Layout& layout);

}  // namespace jute

template <>
struct std::hash<jute::Layout> {
  std::size_t operator()(const jute::Layout& layout) const noexcept;
};
