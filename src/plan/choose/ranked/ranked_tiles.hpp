#pragma once
// Tiles of producers and consumers in the order of what they are expected to take.
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "plan/cost/cost_model.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// When the next kernel may begin behind one of such tiles.
[[nodiscard]] Release release_for(const Outcome& outcome);

/// A tile that is not ranked, with what ranking would choose for it: which tiles run together,
/// stages, when the next kernel may begin. None where no ranked tile could have its shape.
[[nodiscard]] std::optional<WarpgroupTile> scheduled(const WarpgroupTile& tile,
                                                     const KernelProblem& problem,
                                                     const DeviceInfo& device);

using RankedTile = RankedOf<WarpgroupTile>;

/// Are these tiles of one kernel, whatever else is planned for them?
[[nodiscard]] inline bool is_same_kernel(const WarpgroupTile& x, const WarpgroupTile& y) {
  return x.m == y.m && x.n == y.n && x.split_k == y.split_k && x.reduction == y.reduction &&
         x.swapped == y.swapped && x.ping_pong == y.ping_pong && x.cluster == y.cluster &&
         x.width_at_run_time == y.width_at_run_time &&
         x.split_k_at_run_time == y.split_k_at_run_time;
}

/// The tiles of that many groups of 64 rows, wherever the instruction has their width, best first
/// by predicted clocks; ties by the order of the table.
///   gives  at most `most` of them, for the problem as it is, transposed, or both ways, as the
///          caller leaves it open
[[nodiscard]] std::vector<RankedTile> ranked_tiles(const KernelProblem& problem,
                                                   const DeviceInfo& device, size_t most,
                                                   const Config& config = {});

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();  // of clocks

/// Those of them that take at most so many clocks.
struct TilesWithin {
  std::vector<RankedTile> tiles;
  bool are_any;  ///< is there a tile, however long it takes?
};
[[nodiscard]] TilesWithin ranked_tiles_within(double limit, const KernelProblem& problem,
                                              const DeviceInfo& device, size_t most,
                                              const Config& config);

/// Likewise, ranked when they are first asked for.
class BestTiles {
 public:
  BestTiles(const KernelProblem& problem, const DeviceInfo& device, const Config& config,
            size_t most)
      : problem_(problem), device_(device), config_(config), most_(most) {}

  const std::vector<RankedTile>& operator()() {
    if (!tiles_) tiles_ = ranked_tiles(problem_, device_, most_, config_);
    return *tiles_;
  }
  /// Clocks of the best of them where it takes at most so many, otherwise more than that; nothing
  /// where there is no tile. Of those that take longer none is looked at.
  std::optional<double> best_within(double limit) {
    if (tiles_) return tiles_->empty() ? std::nullopt : std::optional((*tiles_)[0].clocks);
    TilesWithin within = ranked_tiles_within(limit, problem_, device_, most_, config_);
    if (!within.are_any) return std::nullopt;
    if (within.tiles.empty()) return kNoLimit;
    const double best = within.tiles[0].clocks;
    if (within.tiles.size() == most_ || limit == kNoLimit) tiles_ = std::move(within.tiles);
    return best;
  }
  /// Are there more than have been asked for? Then so many are ranked.
  bool rank_more(size_t most) {
    if (most <= most_ || (*this)().size() < most_) return false;
    most_ = most;
    tiles_.reset();
    return true;
  }

 private:
  const KernelProblem& problem_;
  const DeviceInfo& device_;
  const Config& config_;
  size_t most_;
  std::optional<std::vector<RankedTile>> tiles_;
};

}  // namespace jute::plan
