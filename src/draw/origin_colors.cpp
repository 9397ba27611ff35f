// Where each offset of the left table is found in the right one.
#include "draw/origin_colors.hpp"

#include <map>
#include <utility>

namespace jute::draw {
namespace {

using TablePlace = std::pair<int, int>;  // row, column

/// The one table of offsets that a picture of a layout is, in the colours of its offsets.
const PicturePanel* table_of(const Picture& picture) {
  if (picture.panels.size() != 1 || picture.palette != Palette::sequence) return nullptr;
  for (const PictureCell& cell : picture.panels[0].cells)
    if (!cell.offset) return nullptr;
  return &picture.panels[0];
}

std::map<Index, TablePlace> places_of(const PicturePanel& panel) {
  std::map<Index, TablePlace> places;
  for (int row = 0; row < panel.rows; ++row)
    for (int column = 0; column < panel.columns; ++column)
      places[*panel.cells[static_cast<size_t>(row * panel.columns + column)].offset] = {row,
                                                                                        column};
  return places;
}

/// Is everything where it was, by (old place, new place) along one direction?
bool all_stay(const std::vector<std::pair<int, int>>& moves) {
  for (const auto& [from, to] : moves)
    if (from != to) return false;
  return true;
}

/// The longest runs, a power of two long, that stay together.
int run_length(const std::vector<std::pair<int, int>>& moves, int extent) {
  const auto keeps = [&](int run) {
    for (const auto& [from, to] : moves)
      if (from % run != to % run) return false;
    return extent % run == 0;
  };
  int run = 1;
  while (2 * run < extent && keeps(2 * run)) run *= 2;
  return run;
}

void color_panel(PicturePanel& panel, const std::map<Index, TablePlace>& origin, bool by_row,
                 int run) {
  for (PictureCell& cell : panel.cells) {
    const TablePlace& place = origin.at(*cell.offset);
    cell.color = (by_row ? place.first : place.second) / run;
  }
}

}  // namespace

void color_by_origin(Picture& left, Picture& right) {
  const PicturePanel *first = table_of(left), *second = table_of(right);
  if (first == nullptr || second == nullptr || first->rows != second->rows ||
      first->columns != second->columns)
    return;
  const std::map<Index, TablePlace> from = places_of(*first), to = places_of(*second);
  std::vector<std::pair<int, int>> rows, columns;
  for (const auto& [offset, place] : from) {
    const auto found = to.find(offset);
    if (found == to.end()) return;
    rows.emplace_back(place.first, found->second.first);
    columns.emplace_back(place.second, found->second.second);
  }
  if (from.size() != to.size() || (all_stay(rows) && all_stay(columns))) return;
  const bool by_row = all_stay(columns);
  const int extent = by_row ? first->rows : first->columns;
  const int run = run_length(by_row ? rows : columns, extent);
  for (Picture* picture : {&left, &right}) {
    color_panel(picture->panels[0], from, by_row, run);
    picture->palette = Palette::threads;
  }
  const std::string what = by_row ? "row" : "column";
  for (int number = 0; number < extent / run && number < 32; ++number) {
    const int begin = number * run;
    left.legend.push_back({number, what + (run == 1 ? " " + std::to_string(begin)
                                                    : "s " + std::to_string(begin) + "-" +
                                                          std::to_string(begin + run - 1))});
  }
  left.notes.push_back("A colour is the " + what + " of the first table that has this offset");
}

}  // namespace jute::draw
