#pragma once
// How TMA sees a View: the dimensions of its tensor map, and which place of each a box begins at.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <string>
#include <vector>

namespace JUTE_API jute {

/// The coordinates at which a box begins: along what is contiguous, along the other, of the batch.
enum class BoxCoordinate : std::uint8_t { inner, outer, matrix };

/// The part of a place that a coordinate adds: coordinate / unit % extent * stride.
struct MapStep {
  BoxCoordinate of = BoxCoordinate::inner;
  Index unit = 1;
  Index extent = 0;  ///< of the View's mode; 0: it is the last, and goes on
  Index stride = 1;  ///< places
  bool operator==(const MapStep&) const = default;
};

/// A dimension of the map.
struct MapDimension {
  Index extent = 1;  ///< places
  Index stride = 0;  ///< elements from one to the next
  Index box = 1;     ///< places that a box takes
  Index step = 1;    ///< from one element of a box to the next
  Index first = 0;   ///< place of coordinate 0
  std::vector<MapStep> steps{};
  bool operator==(const MapDimension&) const = default;
};

/// A View as TMA moves it, box by box, the contiguous dimension first. Outside its dimensions there
/// are zeros, and nothing is stored.
struct ViewMap {
  Index offset_elems = 0;  ///< from the operand's address
  std::vector<MapDimension> dims;
  Index inner_end = 0, outer_end = 0;  ///< where boxes are past K; 0: the dimensions end there
  bool operator==(const ViewMap&) const = default;
};

/// `(64 box 64: inner%64) (56 box 16 step 2: outer*2+inner/64 from -1) …`.
[[nodiscard]] std::string to_string(const ViewMap& map);

}  // namespace jute
