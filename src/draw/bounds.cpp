// Lines and names of nested modes.
#include "draw/bounds.hpp"

#include <jute/layout/coordinates.hpp>
#include <jute/layout/layout.hpp>

#include <algorithm>

namespace jute::draw {
namespace {

constexpr int kWarpLanes = 32;
constexpr int kDeepest = 3;  // deeper levels look the same

/// Modes of one coordinate part nothing.
bool is_nested(const IntTuple& shape) {
  const std::vector<Index> extents = shape.leaves();
  return std::ranges::count_if(extents, [](Index extent) { return extent > 1; }) > 1;
}

/// The warp of a cell that one warp holds; -1 otherwise.
int warp_of(const PictureCell& cell) {
  if (cell.holders.empty()) return -1;
  const int warp = cell.holders.front().thread / kWarpLanes;
  for (const Holder& holder : cell.holders)
    if (holder.thread / kWarpLanes != warp) return -1;
  return warp;
}

}  // namespace

std::vector<PictureBound> bounds_of(const IntTuple& shape) {
  if (!is_nested(shape)) return {};
  const std::vector<Index> extents = shape.leaves();
  const Index count = size(shape);
  std::vector<PictureBound> bounds;
  for (Index at = 1; at < count; ++at) {
    int level = 0;
    Index inner = 1;
    for (size_t mode = 0; mode + 1 < extents.size(); ++mode) {
      inner *= extents[mode];
      if (inner > 1 && at % inner == 0) ++level;
    }
    if (level > 0) bounds.push_back({static_cast<int>(at), std::min(level, kDeepest)});
  }
  return bounds;
}

std::vector<std::string> names_of(const IntTuple& shape) {
  if (!is_nested(shape)) return {};
  std::vector<std::string> names;
  for (Index at = 0; at < size(shape); ++at)
    names.push_back(to_string(idx2crd(IntTuple(at), shape)));
  return names;
}

IntTuple rest_of(const IntTuple& shape) {
  std::string text;
  for (int mode = 1; mode < shape.rank(); ++mode)
    text += (text.empty() ? "(" : ",") + to_string(IntTuple(shape[mode]));
  return IntTuple(text + ")");
}

void add_warp_bounds(PicturePanel& panel) {
  const auto warp = [&](int row, int column) {
    return warp_of(panel.cells[static_cast<size_t>(row * panel.columns + column)]);
  };
  for (int row = 1; row < panel.rows; ++row) {
    bool all = true;
    for (int column = 0; column < panel.columns; ++column)
      all = all && warp(row, column) != warp(row - 1, column);
    if (all) panel.row_bounds.push_back({row, 2});
  }
  for (int column = 1; column < panel.columns; ++column) {
    bool all = true;
    for (int row = 0; row < panel.rows; ++row)
      all = all && warp(row, column) != warp(row, column - 1);
    if (all) panel.column_bounds.push_back({column, 2});
  }
}

}  // namespace jute::draw
