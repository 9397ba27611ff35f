#pragma once
// A View's coordinates from lists of modes, the fastest first.
#include <jute/layout/layout.hpp>

#include <array>
#include <vector>

namespace jute::plan {

/// So many places along a memory's elements, or along a dimension of a box.
struct CoordinateMode {
  Index extent = 1, stride = 0;
  int axis = 0;  ///< of the box
};
using ModeList = std::vector<CoordinateMode>;
/// Rows, columns and batch.
using CoordinateModes = std::array<ModeList, 3>;

/// `((2,4),8,3):((1,64),2,256)`: modes count elements, axes say nothing.
[[nodiscard]] Layout element_coordinates(const CoordinateModes& modes);
/// `((2,4),8):((1@0,1@1),1@2)`: modes count along dimensions of a box.
[[nodiscard]] Layout box_coordinates(const CoordinateModes& modes);

}  // namespace jute::plan
