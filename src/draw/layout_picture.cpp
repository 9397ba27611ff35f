// Pictures of layouts: offsets, and the shared-memory banks that they fall into.
#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>
#include <jute/draw/picture.hpp>

#include <algorithm>
#include <utility>

#include "draw/bank_notes.hpp"
#include "draw/bounds.hpp"
#include "draw/cells.hpp"

namespace jute {
namespace {

/// (mode 0) × (the rest): coordinates run down the rows first, as one-dimensional ones do.
PicturePanel empty_panel(const ComposedLayout& layout) {
  const Layout& plain = layout.layout();
  const Index rows = plain.rank() == 0 ? 1 : size(plain[0]);
  const Index cells = size(plain);
  draw::check_cell_count(cells, to_string(layout));
  PicturePanel panel =
      draw::panel("", static_cast<int>(rows), rows == 0 ? 0 : static_cast<int>(cells / rows));
  const IntTuple shape = plain.shape();
  if (plain.rank() == 0) return panel;
  const IntTuple down = shape.is_tuple() ? shape[0] : shape;
  panel.row_bounds = draw::bounds_of(down);
  panel.row_names = draw::names_of(down);
  if (plain.rank() < 2) return panel;
  const IntTuple along = plain.rank() == 2 ? shape[1] : draw::rest_of(shape);
  panel.column_bounds = draw::bounds_of(along);
  panel.column_names = draw::names_of(along);
  return panel;
}

/// Calls fill(cell, offset) for each cell.
template <class Fill>
PicturePanel filled(const ComposedLayout& layout, Fill fill) {
  PicturePanel panel = empty_panel(layout);
  for (int column = 0; column < panel.columns; ++column)
    for (int row = 0; row < panel.rows; ++row) {
      PictureCell& cell = panel.cells[static_cast<size_t>(row * panel.columns + column)];
      cell.offset = layout(Index{row} + Index{column} * panel.rows);
      fill(cell, *cell.offset);
    }
  return panel;
}

}  // namespace

Picture layout_picture(const ComposedLayout& layout) {
  // Small layouts give each offset its colour, large ones spread the hues over the whole range.
  Index last = 0;
  PicturePanel panel = filled(layout, [&](PictureCell& cell, Index offset) {
    cell.text = std::to_string(offset);
    last = std::max(last, offset);
  });
  const Index span = std::max<Index>(last + 1, 32);
  for (PictureCell& cell : panel.cells)
    cell.color = static_cast<int>(std::max<Index>(std::stoll(cell.text), 0) * 32 / span);
  return {.title = to_string(layout), .palette = Palette::sequence, .panels = {std::move(panel)}};
}

Picture bank_picture(const ComposedLayout& layout, int element_bits) {
  if (element_bits <= 0)
    jute::refuse(ErrorCode::out_of_range, "element_bits", std::to_string(element_bits),
                 "an element must have at least one bit");
  constexpr Index kBankBits = 32;
  constexpr Index kBanks = 32;
  PicturePanel panel = filled(layout, [&](PictureCell& cell, Index offset) {
    const Index word = checked_mul(offset, element_bits, "offset in bits") / kBankBits;
    const Index bank = (word % kBanks + kBanks) % kBanks;
    cell.text = std::to_string(offset) + "\nB" + std::to_string(bank);
    cell.color = static_cast<int>(bank);
  });
  std::vector<std::string> notes =
      draw::bank_notes(layout, panel.rows, panel.columns, element_bits);
  notes.insert(notes.begin(),
               "B is the bank; a colour is 16 bytes of banks, its shades are the four banks");
  return {.title = to_string(layout) + ", elements of " + std::to_string(element_bits) +
                   " bits, 32 banks of 4 bytes",
          .palette = Palette::banks,
          .panels = {std::move(panel)},
          .notes = std::move(notes)};
}

}  // namespace jute
