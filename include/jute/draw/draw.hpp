#pragma once
// Pictures of layouts, in one call.
#include <jute/base/export.hpp>
#include <jute/draw/picture.hpp>

#include <string>

namespace JUTE_API jute {

/// The table of a rank-2 layout: rows are mode 0, columns mode 1, each cell its offset. A layout of
/// another rank is shown as (mode 0) × (the rest).
///   throws  out_of_range: more than 65536 cells
[[nodiscard]] std::string draw_text(const ComposedLayout& layout, Color color = Color::none);
/// The same as a self-contained SVG document.
[[nodiscard]] std::string draw_svg(const ComposedLayout& layout);

/// Which thread holds which value of a tile of rows × columns elements.
///   shapes  tv: (thread,value) -> row + rows * column
///   throws  wrong_arity, out_of_range
[[nodiscard]] std::string draw_tv_text(const Layout& tv, int rows, int columns,
                                       Color color = Color::none);
[[nodiscard]] std::string draw_tv_svg(const Layout& tv, int rows, int columns);

}  // namespace jute
