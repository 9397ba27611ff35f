// Leaves out what holds too many sums, or reads few rows' weights twice.
#include "plan/choose/ranked/ranked_stored_tiles.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>

#include "plan/chip/warp.hpp"

namespace jute::plan {
namespace {

/// Sums of a thread that leave registers for the rest, and for other slices' sums.
bool has_room(const Tile& tile) {
  // Hardware: of 255 registers, beside what is converted.
  constexpr int kMost = 128, kMostOfSlices = 96;
  const int threads = kGroupWarps * kWarp * tile.groups_m;
  return tile.m * tile.n <= threads * (tile.split_k > 1 ? kMostOfSlices : kMost);
}

/// Does each tile, or those of a cluster together, read its weights for all of so many rows?
bool read_once(const Tile& tile, Index rows) {
  return ceil_div(rows, Index{tile.n}) <= tile.cluster.n;
}

}  // namespace

std::vector<RankedTile> ranked_stored_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                            const Config& config, size_t most) {
  constexpr int kWidthStep = 8;
  constexpr Index kFewRows = 256;
  constexpr size_t kLookedAt = 8;  // for each of those asked for
  const bool is_swapped = config.swapped.value_or(false);
  const Index rows = (is_swapped ? problem.m : problem.n).value;
  const bool is_along_k = (is_swapped ? problem.a : problem.b).major == Major::k;
  std::vector<RankedTile> all, once;
  const auto look = [&](const Config& asked) {
    for (const RankedTile& ranked : ranked_tiles(problem, device, kLookedAt * most, asked)) {
      const Tile& tile = ranked.tile;
      if (tile.is_generic || !has_room(tile)) continue;
      const Index own_rows = ceil_div(rows, Index{tile.cluster.n});
      if (is_along_k && tile.n >= own_rows + kWidthStep) continue;  // zeros
      all.push_back(ranked);
      if (read_once(tile, rows)) once.push_back(ranked);
    }
  };
  look(config);
  if (!config.cluster && rows <= kFewRows) {  // two blocks of half of the rows, one of the weights
    Config pairs = config;
    pairs.cluster = {1, 2};
    look(pairs);
  }
  std::vector<RankedTile>& list = rows <= kFewRows && !once.empty() ? once : all;
  keep_first_of_fastest(list, most);
  return std::move(list);
}

}  // namespace jute::plan
