#pragma once
// Which element of a matrix each lane of the warp holds: by hand, and from jute's layouts.
#include <jute/atom/catalogue.hpp>

#include <string>
#include <vector>

struct Element {
  int row = 0, col = 0;
  bool operator==(const Element&) const = default;
};

/// A matrix of the instruction: the element that value `v` of `lane` is, by two or three ways.
struct LaneMap {
  std::string title;                                     ///< "A (16,16)"
  std::string layout;                                    ///< in jute's notation
  std::string arithmetic;                                ///< as the kernel writes it
  std::vector<std::vector<Element>> by_hand, by_layout;  ///< [lane][value]
  /// What ldmatrix delivers to, or stmatrix takes from, that place: from the rows that the kernel's
  /// lanes point at and the copy atom's layouts.
  std::string copy_name;
  std::vector<std::vector<Element>> by_copy;
};

/// A, B and C of SM80_16x8x16_F32F16F16F32_TN.
[[nodiscard]] std::vector<LaneMap> lane_maps(const jute::Catalogue& catalogue);

/// The map as a table, one row a lane.
void print(const LaneMap& map);

/// The places where the ways differ; prints each.
[[nodiscard]] int count_differences(const LaneMap& map);
