// Cells, lines and names of a part.
#include "draw/panel_part.hpp"

namespace jute::draw {
namespace {

std::vector<PictureBound> within(const std::vector<PictureBound>& bounds, std::pair<int, int> run) {
  std::vector<PictureBound> kept;
  for (const PictureBound& bound : bounds)
    if (run.first < bound.at && bound.at < run.second)
      kept.push_back({bound.at - run.first, bound.level});
  return kept;
}

std::vector<std::string> within(const std::vector<std::string>& names, std::pair<int, int> run) {
  if (names.empty()) return {};
  return {names.begin() + run.first, names.begin() + run.second};
}

}  // namespace

PicturePanel part_of(const PicturePanel& panel, std::pair<int, int> rows,
                     std::pair<int, int> columns) {
  PicturePanel part{.title = panel.title,
                    .row = panel.row,
                    .column = panel.column,
                    .rows = rows.second - rows.first,
                    .columns = columns.second - columns.first,
                    .first_column = panel.first_column + columns.first,
                    .first_row = panel.first_row + rows.first,
                    .row_bounds = within(panel.row_bounds, rows),
                    .column_bounds = within(panel.column_bounds, columns),
                    .row_names = within(panel.row_names, rows),
                    .column_names = within(panel.column_names, columns),
                    .region = panel.region,
                    .numbers = panel.numbers};
  if (rows.first == 0) part.left_out_above = panel.left_out_above;
  if (columns.first == 0) part.left_out_before = panel.left_out_before;
  for (int row = rows.first; row < rows.second; ++row) {
    const auto start = panel.cells.begin() + row * panel.columns;
    part.cells.insert(part.cells.end(), start + columns.first, start + columns.second);
  }
  return part;
}

}  // namespace jute::draw
