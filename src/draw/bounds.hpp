#pragma once
// Where a panel's modes are nested, and where its warps end.
#include <jute/draw/picture.hpp>
#include <jute/layout/int_tuple.hpp>

#include <string>
#include <vector>

namespace jute::draw {

/// Lines at the ends of a nested mode's inner modes; none of a flat one.
[[nodiscard]] std::vector<PictureBound> bounds_of(const IntTuple& shape);
/// "(1,0)" for each coordinate of a nested mode; nothing of a flat one.
[[nodiscard]] std::vector<std::string> names_of(const IntTuple& shape);
/// The modes behind the first one, as one.
[[nodiscard]] IntTuple rest_of(const IntTuple& shape);
/// Lines between rows and columns all of whose cells change warps.
void add_warp_bounds(PicturePanel& panel);

}  // namespace jute::draw
