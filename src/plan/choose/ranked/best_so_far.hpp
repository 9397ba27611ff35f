#pragma once
// The few best of many tiles, whatever order they are looked at in.
#include <algorithm>
#include <compare>
#include <cstddef>
#include <limits>
#include <vector>

#include "plan/choose/ranked/ranked_tiles.hpp"
#include "plan/values/step_grid.hpp"

namespace jute::plan {

/// The best tiles so far, best first; of equals those that come first in the table. None that takes
/// longer than `limit`.
class BestSoFar {
 public:
  explicit BestSoFar(size_t most, double limit = std::numeric_limits<double>::infinity())
      : most_(most), limit_(limit) {}

  /// May one that takes so long be among them? Of equals it depends on their places.
  [[nodiscard]] bool takes(double clocks) const { return clocks <= most_clocks(); }
  /// Of one that may be.
  [[nodiscard]] double most_clocks() const {
    if (places_.size() < most_) return limit_;
    return most_ > 0 ? places_.back().clocks : -std::numeric_limits<double>::infinity();
  }
  void add(const RankedTile& tile, size_t place) {
    const Place own{tile.clocks, place, tiles_.size()};
    const auto at = std::ranges::upper_bound(places_, own);
    if (places_.size() == most_ && at == places_.end()) return;
    if (places_.size() == most_) places_.pop_back();
    places_.insert(at, own);
    tiles_.push_back(tile);
  }
  [[nodiscard]] std::vector<RankedTile> tiles() const {
    std::vector<RankedTile> list;
    for (const Place& place : places_) list.push_back(tiles_[place.tile]);
    return list;
  }

 private:
  struct Place {
    double clocks;
    size_t place, tile;
    auto operator<=>(const Place&) const = default;
  };
  size_t most_;
  double limit_;
  std::vector<Place> places_;
  std::vector<RankedTile> tiles_;
};

}  // namespace jute::plan
