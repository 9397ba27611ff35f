// Adds up what groups of several sizes take.
#include "plan/choose/families/group_clocks.hpp"

#include <jute/base/checked.hpp>
#include <jute/plan/chip/chip_figures.hpp>

#include <algorithm>
#include <array>

#include "plan/choose/families/gated_tiles.hpp"
#include "plan/choose/families/priced.hpp"
#include "plan/cost/fitted.hpp"

namespace jute::plan {
namespace {

/// Sizes of groups around what is expected, and as much on the average:
/// bench/results/2026-11-29-groups-and-weights.md.
constexpr auto kQuartersOfRows = std::to_array<Index>({1, 2, 4, 6, 7});

}  // namespace

double clocks_of_groups(const Tile& given, const KernelProblem& problem, const DeviceInfo& device) {
  // A tile of a gated product is one of twice as many columns, half of which it stores.
  const KernelProblem kernel = whole_product(problem);
  Tile tile = given;
  const TileShape whole = multiplied({given.m, given.n, 0}, problem.gate);
  tile.m = whole.m, tile.n = whole.n;
  // As the problem has them, whose D's rows may be the kernel's columns.
  const Index m = (kernel.transposed ? kernel.n : kernel.m).value,
              n = (kernel.transposed ? kernel.m : kernel.n).value;
  const DType type = (kernel.transposed ? kernel.a : kernel.b).type;
  constexpr int kGroupRows = 64, kFewGroups = 2;
  const bool passes = tile.ping_pong == 1 && tile.groups_m > 1 && tile.groups_m <= kFewGroups &&
                      tile.m == kGroupRows * tile.groups_m;
  Tile small = tile;
  if (passes) small.m = kGroupRows, small.groups_m = 1;
  const KernelCost cost = tile_cost(small, tile.swapped ? transposed(kernel) : kernel, device);
  const ChipFigures chip = chip_figures(device);
  const double clocks_of_byte = chip.seen_mhz.value / (chip.memory_seen_gb_s.value * 1e3);
  const auto row_clocks = static_cast<double>(kernel.k.value) *
                          static_cast<double>(kernel.batch.value) * width_bytes(type) *
                          clocks_of_byte;
  const double b_clocks = static_cast<double>(n) * row_clocks *
                          (passes                ? fitted::kSharedTile
                           : tile.m > kGroupRows ? fitted::kTallTile
                                                 : 1);
  double clocks = 0;
  for (const Index quarters : kQuartersOfRows) {
    const Index rows = ceil_div(m * quarters, Index{4});
    const auto fed = static_cast<double>(ceil_div(n, Index{tile.n}) *
                                         (ceil_div(rows, Index{tile.m}) * tile.n + rows));
    clocks += std::max(cost.at(rows, kernel.batch.value).clocks,
                       b_clocks * (rows > tile.m ? fitted::kReadTogether : 1)) +
              fitted::kOfFeed * fed * row_clocks;
  }
  return clocks / kQuartersOfRows.size();
}

}  // namespace jute::plan
