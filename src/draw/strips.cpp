// Wide pictures cut into strips.
#include <jute/draw/picture.hpp>

#include <algorithm>

#include "draw/panel_part.hpp"

namespace jute {
namespace {

/// Columns [begin, end) of the picture that a panel has, as a panel.
PicturePanel strip_of(const PicturePanel& panel, int begin, int end) {
  const int first = std::max(begin, panel.column) - panel.column;
  const int last = std::min(end, panel.column + panel.columns) - panel.column;
  PicturePanel part = draw::part_of(panel, {0, panel.rows}, {first, last});
  part.column = panel.column + first - begin;
  return part;
}

bool reaches(const PicturePanel& panel, int begin, int end) {
  return panel.column < end && begin < panel.column + panel.columns;
}

}  // namespace

Picture in_strips(const Picture& picture, int columns) {
  int rows = 0, all_columns = 0;
  for (const PicturePanel& panel : picture.panels) {
    rows = std::max(rows, panel.row + panel.rows);
    all_columns = std::max(all_columns, panel.column + panel.columns);
  }
  columns = std::max(columns, 1);
  if (all_columns <= columns) return picture;
  constexpr int kRowsBetween = 2;  // for the numbers of the columns and the panels' titles
  Picture result = picture;
  result.panels.clear();
  int strip = 0;
  for (int begin = 0; begin < all_columns; begin += columns) {
    const int end = begin + columns;
    const auto here = [&](const PicturePanel& panel) { return reaches(panel, begin, end); };
    if (std::ranges::none_of(picture.panels, here)) continue;
    for (const PicturePanel& panel : picture.panels) {
      if (!here(panel)) continue;
      result.panels.push_back(strip_of(panel, begin, end));
      result.panels.back().row += strip * (rows + kRowsBetween);
    }
    ++strip;
  }
  return result;
}

}  // namespace jute
