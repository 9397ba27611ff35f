// Deals tiles of groups by the rule that generated kernels find theirs by.
#include <jute/base/checked.hpp>
#include <jute/base/error.hpp>
#include <jute/plan/run/group_deal.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace jute {
namespace {

[[noreturn]] void refuse_list(std::string operand, Index value, std::string rule, Index nearest) {
  throw Exception({.code = ErrorCode::illegal_problem,
                   .operand = std::move(operand),
                   .value = std::to_string(value),
                   .violated_rules = {std::move(rule)},
                   .nearest_legal = std::to_string(nearest)});
}

/// How much of the cut extent each group has.
std::vector<Index> parts_of(const KernelGroups& groups, Index bound, std::span<const Index> list) {
  if (std::cmp_not_equal(list.size(), groups.count))
    refuse_list("ends", static_cast<Index>(list.size()),
                "the list must have an entry for each group", groups.count);
  std::vector<Index> parts;
  Index before = 0;
  for (const Index value : list) {
    if (value < before || value > bound)
      refuse_list("ends[" + std::to_string(parts.size()) + "]", value,
                  "it must be from " + std::to_string(before) + " to " + std::to_string(bound),
                  std::clamp(value, before, bound));
    parts.push_back(value - before);
    if (!groups.is_masked) before = value;
  }
  return parts;
}

/// Tile `number` of a group that has so many rows and columns of tiles: `raster` rows run together,
/// from column to column.
std::pair<Index, Index> place_in_group(Index number, Index rows, Index columns, Index raster) {
  const Index first = number / (raster * columns) * raster;
  const Index in_band = number - first * columns, band_rows = std::min(raster, rows - first);
  return {first + in_band % band_rows, in_band / band_rows};
}

}  // namespace

GroupDeal deal_groups(const Plan& plan, std::span<const Index> list) {
  const GemmStep& step = gemm_step(plan);
  if (!deals_tiles(step.groups))
    throw Exception(
        {.code = ErrorCode::illegal_problem,
         .operand = "groups",
         .value = step.groups ? "k" : "none",
         .violated_rules = {"groups must be along M or N: their tiles alone are dealt by a list"},
         .nearest_legal = "rows"});
  const RunValues run = run_values(plan);
  const bool along_m = step.groups->along == GroupedAlong::m;
  const Index m = step.m.count.evaluate(run), n = step.n.count.evaluate(run);
  const Index across = along_m ? ceil_div(n, Index{step.tile.n}) : ceil_div(m, Index{step.tile.m});
  const Index along_tile = along_m ? step.tile.m : step.tile.n;
  Index grid = 1;
  for (const Count& extent : step.grid) grid *= extent.evaluate(run);
  GroupDeal deal{.blocks = std::vector<std::vector<DealtTile>>(static_cast<size_t>(grid))};
  Index group = 0;
  for (const Index part : parts_of(*step.groups, along_m ? m : n, list)) {
    const Index along = ceil_div(part, along_tile);
    const Index rows = along_m ? along : across, columns = along_m ? across : along;
    for (Index number = 0; number < rows * columns; ++number) {
      const auto [row, column] = place_in_group(number, rows, columns, step.schedule.raster_group);
      deal.blocks[static_cast<size_t>(deal.tiles++ % grid)].push_back({group, row, column});
    }
    ++group;
  }
  for (const auto& tiles : deal.blocks)
    deal.longest = std::max(deal.longest, static_cast<Index>(tiles.size()));
  deal.least = ceil_div(deal.tiles, std::max<Index>(grid, 1));
  return deal;
}

}  // namespace jute
