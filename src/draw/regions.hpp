#pragma once
// Operands that threads hold no parts of: all of them see the same elements.
#include <jute/atom/atom.hpp>
#include <jute/draw/picture.hpp>

#include <vector>

namespace jute::draw {

/// A panel as boxes, one for each run of rows or columns whose cells the same threads hold, where
/// these are a warp or more, or where the operand is passed as a descriptor or an address. Else the
/// panel itself.
[[nodiscard]] std::vector<PicturePanel> as_regions(const PicturePanel& panel, RegisterType passed);

/// A box says its extents, so it may be drawn smaller: no more rows and columns than these.
void shrink_regions(std::vector<PicturePanel>& panels, int most_rows, int most_columns);

}  // namespace jute::draw
