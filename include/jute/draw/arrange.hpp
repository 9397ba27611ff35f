#pragma once
// Pictures made from pictures: other colours, one thread alone, two beside each other, less of one.
#include <jute/base/export.hpp>
#include <jute/draw/picture.hpp>

#include <functional>
#include <string_view>

namespace JUTE_API jute {

/// The colour of a cell, any integer; -1 leaves it white.
using CellColor = std::function<int(const PicturePanel& panel, int row, int column)>;
/// The same cells in colours of one's own.
[[nodiscard]] Picture colored(Picture picture, Palette palette, const CellColor& color);

/// The property that colours tell.
enum class ColorBy : std::uint8_t {
  thread,
  value,
  warp,   ///< 32 threads
  order,  ///< of a layout its coordinates, of threads their values: light ones come first
};
/// "thread", "value", "warp", "order".   throws  unknown_name
[[nodiscard]] ColorBy parse_color_by(std::string_view text);
/// throws  wrong_type: no thread holds a cell, and it is not by order
[[nodiscard]] Picture colored(const Picture& picture, ColorBy by);

/// By a layout of one's own: of threads thread -> colour or (thread,value) -> colour, of a layout
/// (row,column) -> colour.
///   throws  out_of_range: it gives none for a cell
[[nodiscard]] Picture colored(const Picture& picture, const Layout& colors);

/// Only what one thread holds; the other cells are empty.
///   throws  wrong_type: threads play no part; out_of_range: it holds nothing
[[nodiscard]] Picture of_thread(Picture picture, int thread);

/// Each cell with its coordinate below what it says: "(2,(1,0))" of nested modes.
[[nodiscard]] Picture with_coordinates(Picture picture);

/// Both, the second to the right of the first. The first's colours mean the same in both. Of two
/// layouts that have the same offsets, a plain and a swizzled one, a colour is where the first has
/// an offset, so that one sees where it went.
[[nodiscard]] Picture beside(const Picture& left, const Picture& right);

/// Shows the first and the last rows and columns of panels with more than `most`, so that a picture
/// can be read; the notes say what was left out.
[[nodiscard]] Picture thinned(const Picture& picture, int most);

}  // namespace jute
