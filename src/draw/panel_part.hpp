#pragma once
// A panel's part as a panel.
#include <jute/draw/picture.hpp>

#include <utility>

namespace jute::draw {

/// Rows and columns [first, second) of a panel, at the panel's own place.
[[nodiscard]] PicturePanel part_of(const PicturePanel& panel, std::pair<int, int> rows,
                                   std::pair<int, int> columns);

}  // namespace jute::draw
