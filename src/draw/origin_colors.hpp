#pragma once
// A layout and the same offsets in another order, in colours that show where they went.
#include <jute/draw/picture.hpp>

namespace jute::draw {

/// Gives two tables that hold the same offsets the same colour for each offset: that of its column
/// in the left one, or of its row where each offset stays in its column. Runs of columns that stay
/// together share a colour. Leaves all other pictures alone.
void color_by_origin(Picture& left, Picture& right);

}  // namespace jute::draw
