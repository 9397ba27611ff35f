// Pictures of layouts, in one call.
#include <jute/draw/draw.hpp>

namespace jute {

std::string draw_text(const ComposedLayout& layout, Color color) {
  return to_text(layout_picture(layout), color);
}

std::string draw_svg(const ComposedLayout& layout) { return to_svg(layout_picture(layout)); }

std::string draw_tv_text(const Layout& tv, int rows, int columns, Color color) {
  return to_text(tv_picture(tv, rows, columns), color);
}

std::string draw_tv_svg(const Layout& tv, int rows, int columns) {
  return to_svg(tv_picture(tv, rows, columns));
}

}  // namespace jute
