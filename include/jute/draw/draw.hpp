#pragma once
// Pictures of layouts.
#include <jute/layout/swizzle.hpp>

#include <string>

namespace jute {

/// Colours of a terminal picture.
enum class Color : std::uint8_t { none, ansi };

/// The table of a rank-2 layout: rows are mode 0, columns mode 1, each cell its offset. A layout of
/// another rank is shown as (mode 0) × (the rest).
///   throws  out_of_range: more than 65536 cells
[[nodiscard]] std::string draw_text(const ComposedLayout& layout, Color color = Color::none);
/// The same as a self-contained SVG document.
[[nodiscard]] std::string draw_svg(const ComposedLayout& layout);

}  // namespace jute
