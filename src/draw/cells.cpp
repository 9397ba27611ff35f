// Panels and their bounds; thread and value of a tile's cells.
#include "draw/cells.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>

#include <utility>

#include "draw/bounds.hpp"

namespace jute::draw {

void check_cell_count(Index cells, const std::string& what) {
  if (cells >= 1 && cells <= kMostPictureCells) return;
  jute::refuse(ErrorCode::out_of_range, what, std::to_string(cells) + " cells",
               "a picture must have 1 to " + std::to_string(kMostPictureCells) + " cells");
}

PicturePanel panel(std::string title, int rows, int columns) {
  check_cell_count(Index{rows} * Index{columns}, title.empty() ? "picture" : title);
  PicturePanel result{.title = std::move(title), .rows = rows, .columns = columns};
  result.cells.resize(static_cast<size_t>(rows) * static_cast<size_t>(columns));
  return result;
}

void add_holder(PictureCell& cell, Holder holder) {
  cell.holders.push_back(holder);
  if (cell.holders.size() > 1) {
    // Lanes that share a value: the first is named, the ellipsis says that there are others.
    if (!cell.text.ends_with("…")) cell.text += "…";
    return;
  }
  cell.text = "T" + std::to_string(holder.thread) + "\nV" + std::to_string(holder.value);
  cell.color = holder.thread;
}

namespace {

void check_tv(const Layout& tv) {
  if (tv.rank() == 2) return;
  jute::refuse(ErrorCode::wrong_arity, "tv", to_string(tv),
               "a TV layout must have two modes: (thread,value)");
}

void check_offset(Index offset, Index tile, const Layout& tv) {
  if (offset >= 0 && offset < tile) return;
  jute::refuse(ErrorCode::out_of_range, "tv", to_string(tv),
               "every offset must lie in the tile of " + std::to_string(tile) + " elements; " +
                   std::to_string(offset) + " does not");
}

}  // namespace

PicturePanel tv_panel(std::string title, const Layout& tv, int rows, int columns,
                      Orientation orientation) {
  check_tv(tv);
  const bool flip = orientation == Orientation::transposed;
  PicturePanel result = panel(std::move(title), flip ? columns : rows, flip ? rows : columns);
  const Index threads = size(tv[0]), values = size(tv[1]);
  // A thread mode of stride 0 may hold a whole tile many times over.
  constexpr Index kMostHolders = Index{1} << 24;
  if (threads > kMostHolders || values > kMostHolders || threads * values > kMostHolders)
    check_cell_count(kMostHolders + 1, to_string(tv));
  const Index tile = Index{rows} * Index{columns};
  for (Index value = 0; value < values; ++value)
    for (Index thread = 0; thread < threads; ++thread) {
      const Index offset = tv(thread + threads * value);
      check_offset(offset, tile, tv);
      const Index row = offset % rows, column = offset / rows;
      const Index at = flip ? row + column * rows : column + row * columns;
      PictureCell& cell = result.cells[static_cast<size_t>(at)];
      add_holder(cell, {static_cast<int>(thread), static_cast<int>(value)});
    }
  add_warp_bounds(result);
  return result;
}

}  // namespace jute::draw
