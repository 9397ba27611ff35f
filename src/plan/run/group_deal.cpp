// Deals tiles of groups by the rule that generated kernels find theirs by.
#include <jute/base/checked.hpp>
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/run/group_deal.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <utility>

#include "base/format.hpp"

namespace jute {
namespace {

[[noreturn]] void refuse_list(std::string operand, Index value, std::string rule, Index nearest) {
  refuse(ErrorCode::illegal_problem, std::move(operand), std::to_string(value), std::move(rule),
         std::to_string(nearest));
}

std::vector<Index> parts_by_row(const KernelGroups& groups, Index rows,
                                std::span<const Index> list) {
  if (std::cmp_not_equal(list.size(), rows))
    refuse_list("ends", static_cast<Index>(list.size()), "the list must have an entry for each row",
                rows);
  const RowGroups read = row_groups(list, groups.count);
  if (read.fault)
    refuse_list("ends[" + std::to_string(*read.fault) + "]", list[static_cast<size_t>(*read.fault)],
                "it must be -1, which is none, or a group from 0 to " +
                    std::to_string(groups.count - 1) + " that has not ended before",
                -1);
  std::vector<Index> parts;
  for (const GroupRows& part : read.parts) parts.push_back(part.end - part.first);
  return parts;
}

/// How much of the cut extent each group has.
std::vector<Index> parts_of(const KernelGroups& groups, Index bound, std::span<const Index> list) {
  if (groups.entry == GroupEntry::row) return parts_by_row(groups, bound, list);
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

/// The rows, columns and k-tiles of one group's tiles.
struct TilesOfGroup {
  Index rows = 0, columns = 0, k_tiles = 1;
};
TilesOfGroup tiles_of(const GemmStep& step, const RunValues& run, Index part) {
  Index m = step.m.count.evaluate(run), n = step.n.count.evaluate(run),
        k = step.k.count.evaluate(run);
  const GroupedAlong along = step.groups->along;
  (along == GroupedAlong::m ? m : along == GroupedAlong::n ? n : k) = part;
  return {ceil_div(m, Index{step.tile.m}), ceil_div(n, Index{step.tile.n}),
          std::max(ceil_div(k, Index{step.tile.k}), Index{1})};
}

/// Gives each tile the block that has it.
class Dealer {
 public:
  Dealer(Index blocks, const KernelSchedule& schedule)
      : walks_(walks(schedule)), ends_(static_cast<size_t>(blocks)) {
    for (size_t block = 0; block < ends_.size(); ++block) free_.emplace(0, block);
  }
  size_t block_of_next(Index k_tiles) {
    const size_t block = walks_ ? count_++ % ends_.size() : free_.top().second;
    ends_[block] += k_tiles;
    if (walks_) return block;
    free_.pop();
    free_.emplace(ends_[block], block);
    return block;
  }
  [[nodiscard]] Index last_end() const { return *std::ranges::max_element(ends_); }

 private:
  using Free = std::pair<Index, size_t>;  ///< from when on, and which block
  bool walks_;
  size_t count_ = 0;
  std::vector<Index> ends_;
  std::priority_queue<Free, std::vector<Free>, std::greater<>> free_;
};

/// Blocks that run at once: those that walk, or as many as the plan lets share an SM, and no more
/// than the grid has.
Index blocks_at_once(const Plan& plan, const GemmStep& step, const RunValues& run) {
  const KernelSchedule& schedule = step.schedule;
  const Index blocks = walks(schedule) ? Index{schedule.persistent_blocks}
                                       : Index{plan.device.sm_count} * schedule.blocks_per_sm;
  Index grid = 1;
  for (const Count& count : step.grid) grid *= count.evaluate(run);
  return std::clamp(blocks, Index{1}, std::max(grid, Index{1}));
}

}  // namespace

GroupDeal deal_groups(const Plan& plan, std::span<const Index> list) {
  const GemmStep& step = gemm_step(plan);
  if (!step.groups || lists_operands(step.groups))
    refuse(ErrorCode::illegal_problem, "groups", step.groups ? "each" : "none",
           "groups must have a list of ends or counts for their tiles to be dealt", "rows");
  const RunValues run = run_values(plan);
  const GroupedAlong along = step.groups->along;
  const Extent& cut = along == GroupedAlong::m   ? step.m
                      : along == GroupedAlong::n ? step.n
                                                 : step.k;
  const Index blocks = blocks_at_once(plan, step, run);
  GroupDeal deal{.blocks = std::vector<std::vector<DealtTile>>(static_cast<size_t>(blocks)),
                 .of_groups = {}};
  Dealer dealer(blocks, step.schedule);
  Index all = 0;
  for (const Index part : parts_of(*step.groups, cut.count.evaluate(run), list)) {
    const auto [rows, columns, k_tiles] = tiles_of(step, run, part);
    for (Index number = 0; number < rows * columns; ++number) {
      const auto [row, column] = place_in_group(number, rows, columns, step.schedule.raster_width);
      deal.blocks[dealer.block_of_next(k_tiles)].push_back(
          {std::ssize(deal.of_groups), row, column, k_tiles});
      deal.bound = std::max(deal.bound, k_tiles);
    }
    deal.of_groups.push_back(rows * columns);
    deal.tiles += rows * columns;
    all += rows * columns * k_tiles;
  }
  deal.makespan = dealer.last_end();
  deal.bound = std::max(deal.bound, ceil_div(all, blocks));
  return deal;
}

Fields fields(const GroupDeal& deal) {
  return {{"tiles", deal.tiles},
          {"blocks", std::ssize(deal.blocks)},
          {"k_tiles", deal.makespan},
          {"least_k_tiles", deal.bound},
          {"of_groups", deal.of_groups}};
}

std::string to_string(const GroupDeal& deal) {
  return base::format("{} tiles over {} blocks: {} k-tiles until the last block ends, at least {}",
                      deal.tiles, std::ssize(deal.blocks), deal.makespan, deal.bound);
}

}  // namespace jute
