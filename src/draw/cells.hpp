#pragma once
// Panels before they are filled.
#include <cstdint>
#include <jute/draw/picture.hpp>

#include <string>

namespace jute::draw {

/// throws  out_of_range: no cell, or more than kMostPictureCells
void check_cell_count(Index cells, const std::string& what);
/// throws  out_of_range
[[nodiscard]] PicturePanel panel(std::string title, int rows, int columns);

/// `T4\nV1`, coloured by the thread.
void add_holder(PictureCell& cell, Holder holder);

/// Which way a tile's two coordinates run across a panel.
enum class Orientation : std::uint8_t { as_is, transposed };

/// The panel of a TV layout over a tile of rows × columns.
///   throws  wrong_arity, out_of_range
[[nodiscard]] PicturePanel tv_panel(std::string title, const Layout& tv, int rows, int columns,
                                    Orientation orientation = Orientation::as_is);

}  // namespace jute::draw
