// Leaves out what holds too many sums, or reads few rows' weights twice.
#include "plan/choose/ranked/ranked_stored_tiles.hpp"

#include <jute/base/checked.hpp>

#include "plan/chip/warp.hpp"

namespace jute::plan {
namespace {

/// Does each tile, or those of a cluster together, read its weights for all of so many rows?
bool read_once(const WarpgroupTile& tile, Index rows) {
  return ceil_div(rows, Index{tile.n}) <= tile.cluster.n;
}

}  // namespace

std::vector<WarpgroupTile> ranked_stored_tiles(const KernelProblem& problem,
                                               const DeviceInfo& device, const Config& config,
                                               size_t most) {
  constexpr int kMostSums = 128, kWidthStep = 8;
  constexpr Index kFewRows = 256;
  constexpr size_t kLookedAt = 8;  // for each of those asked for
  const bool is_swapped = config.swapped.value_or(false);
  const Index rows = (is_swapped ? problem.m : problem.n).value;
  const bool is_along_k = (is_swapped ? problem.a : problem.b).major == Major::k;
  std::vector<WarpgroupTile> all, once;
  for (const RankedTile& ranked : ranked_tiles(problem, device, kLookedAt * most, config)) {
    const WarpgroupTile& tile = ranked.tile;
    if (tile.is_generic || tile.m * tile.n > kMostSums * kGroupWarps * kWarp * tile.atoms_m)
      continue;
    if (is_along_k && tile.n >= rows + kWidthStep) continue;  // zeros
    all.push_back(tile);
    if (read_once(tile, rows)) once.push_back(tile);
  }
  return rows <= kFewRows && !once.empty() ? once : all;
}

}  // namespace jute::plan
