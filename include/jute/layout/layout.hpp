#pragma once
// A layout: the function from coordinates to offsets that a shape and a congruent stride define.
#include <jute/layout/int_tuple.hpp>

namespace jute {

/// A regular value `(shape):(stride)`. Coordinates and offsets count elements, never bytes.
class Layout {
 public:
  Layout();                                      ///< 1:0
  explicit Layout(IntTuple shape);               ///< compact, first mode fastest
  Layout(IntTuple shape, IntTuple stride);       ///< throws  not_congruent
  explicit Layout(std::string_view text);        ///< "(4,8):(8,1)"; throws  syntax, …
  explicit Layout(const char* text) : Layout(std::string_view(text)) {}

  [[nodiscard]] IntTuple shape() const;
  [[nodiscard]] IntTuple stride() const;
  [[nodiscard]] int rank() const;
  [[nodiscard]] Layout operator[](int mode) const;  ///< mode as a layout; throws  out_of_range
  /// Leaf modes from left to right, as plain integers (strides must be plain).
  [[nodiscard]] std::vector<Index> flat_shape() const;
  [[nodiscard]] std::vector<Index> flat_stride() const;

  /// Offset of a one-dimensional coordinate; beyond the size the last mode goes on, as in CuTe.
  [[nodiscard]] Index operator()(Index coordinate) const;
  /// Offset of a coordinate that is compatible with the shape (weakly congruent).
  [[nodiscard]] Index operator()(const IntTuple& coordinate) const;
  [[nodiscard]] Index operator()(Index i, Index j) const { return (*this)(IntTuple{i, j}); }

  bool operator==(const Layout&) const;
};

[[nodiscard]] Index size(const Layout& layout);
[[nodiscard]] Index size(const IntTuple& shape);
[[nodiscard]] Index cosize(const Layout& layout);
[[nodiscard]] std::string to_string(const Layout& layout);
std::ostream& operator<<(std::ostream& out, const Layout& layout);

}  // namespace jute
