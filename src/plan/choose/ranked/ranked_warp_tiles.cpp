// Holds the model to every tile and every way to cut K.
#include "plan/choose/ranked/ranked_warp_tiles.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/cost/tiles/staged_amounts.hpp"
#include "plan/shapes/warp_tiles.hpp"
#include "plan/values/block_threads.hpp"

namespace jute::plan {
namespace {

constexpr double kMostTiles = 1 << 30;
constexpr double kWorthOfTail = 1.08;  // what models do not know of a cut tail

/// Calls `look` with slices of the tiles behind one or two waves less than all: of a last wave that
/// tiles would not fill each SM has a part.
template <class Look>
void for_cut_tails(const TileShape& tile, double tiles, double resident,
                   const KernelProblem& problem, const DeviceInfo& device, const Look& look) {
  constexpr int kMostSlices = 16;
  constexpr Index kLeastOfSlice = 64;  // of K
  constexpr double kFilled = 0.9;      // of a last wave, which slices do not shorten
  if (problem.groups || !adds_as_one(problem.accumulate)) return;
  const double at_once = std::floor(resident) * std::max(device.sm_count, 1);
  const double waves = std::floor(tiles / at_once), rest = tiles / at_once - waves;
  if (waves < 1 || rest == 0 || rest > kFilled || waves * at_once > kMostTiles) return;
  const double sums = static_cast<double>(tile.m) * tile.n * width_bytes(problem.accumulate);
  for (const double whole : {waves, waves - 1}) {
    if (whole < 1) continue;
    const double behind = tiles - whole * at_once;
    for (int slices = 2; slices <= kMostSlices; ++slices)
      if (problem.k.value >= kLeastOfSlice * slices &&
          behind * slices * sums <= static_cast<double>(device.l2_bytes))
        look(TileCut{slices, static_cast<Index>(whole * at_once)});
  }
}

}  // namespace

std::vector<RankedWarps> ranked_warp_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                           size_t most) {
  if (!suits_warp_tiles(problem, device)) return {};
  NearFastest<RankedWarps> near;
  std::optional<FamilyLaw> law;
  for_warp_tiles(problem, device, [&](WarpTile tile) {
    const WarpTileWork work = work_of(tile, problem);
    if (!fits_block(work, problem, device)) return;
    if (!law) law = law_of_warps(tile.transfer, problem, device);
    const Amounts amounts = amounts_of(work, problem, device, *law);
    for_filling_slices(work.tile, problem, device, [&](int slices) {
      tile.slices = slices;
      near.add({by_law(amounts, {slices}, law->of, law->rates, near.limit()).clocks, tile});
    });
    for_cut_tails(
        work.tile, amounts.tiles, amounts.resident, problem, device, [&](const TileCut& cut) {
          const double clocks = by_law(amounts, cut, law->of, law->rates, near.limit()).clocks;
          tile.slices = cut.slices;
          tile.whole_tiles = cut.whole_tiles;
          near.add({kWorthOfTail * clocks, tile});
        });
  });
  std::vector<RankedWarps> list = std::move(near).list();
  keep_first_of_fastest(list, most);
  return list;
}

}  // namespace jute::plan
