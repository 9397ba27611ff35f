// What blocks get of groups: every tile once, none far behind the others; lists that are wrong.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/run/group_deal.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

Plan plan_of_groups(const std::string& kind, Index bound, Index count) {
  const bool is_cols = kind == "cols";
  const bool is_k = kind == "k";
  return make_plan(
      parse_problem("M=" + std::to_string(is_cols || is_k ? 300 : bound) +
                    " N=" + std::to_string(is_cols ? bound : 700) +
                    " K=" + std::to_string(is_k ? bound : 128) + " batch=" + std::to_string(count) +
                    " A=bf16:row B=bf16:col D=bf16:row groups=" + kind),
      device_preset("h200"));
}

Index blocks_of_grid(const Plan& plan) {
  Index blocks = 1;
  for (const Count& count : gemm_step(plan).grid) blocks *= count.evaluate(run_values(plan));
  return blocks;
}

using TileCounts = std::map<std::tuple<Index, Index, Index>, int>;

TileCounts dealt(const GroupDeal& deal) {
  TileCounts counts;
  for (const auto& block : deal.blocks)
    for (const DealtTile& tile : block) ++counts[{tile.group, tile.m, tile.n}];
  return counts;
}

Index k_tiles_of(const std::vector<DealtTile>& tiles) {
  Index sum = 0;
  for (const DealtTile& tile : tiles) sum += tile.k_tiles;
  return sum;
}

/// Each tile in which an element of D lies, found by its first element.
TileCounts needed(const Plan& plan, const std::vector<Index>& sizes) {
  const GemmStep& step = gemm_step(plan);
  const GroupedAlong along = step.groups->along;
  TileCounts counts;
  for (size_t group = 0; group < sizes.size(); ++group) {
    const Index m = along == GroupedAlong::m ? sizes[group] : step.m.value;
    const Index n = along == GroupedAlong::n ? sizes[group] : step.n.value;
    for (Index row = 0; row < m; row += step.tile.m)
      for (Index column = 0; column < n; column += step.tile.n)
        counts[{static_cast<Index>(group), row / step.tile.m, column / step.tile.n}] = 1;
  }
  return counts;
}

/// Uneven, with empty ones, one giant, or one each, by the number of the case.
std::vector<Index> random_sizes(int kind, Index count, Index bound, std::mt19937& random) {
  std::vector<Index> sizes(static_cast<size_t>(count), kind == 0 ? bound / count : 0);
  if (kind == 1) sizes[random() % sizes.size()] = bound;
  if (kind == 2) std::ranges::fill(sizes, Index{1});
  if (kind >= 3) {
    Index left = bound;
    for (Index& size : sizes) {
      if (random() % 3 == 0) continue;
      size = static_cast<Index>(random()) % (std::min<Index>(left, 4 * bound / count) + 1);
      left -= size;
    }
  }
  return sizes;
}

}  // namespace

TEST_CASE("rows that say their groups are dealt as their ends would be", "[plan][groups][deal]") {
  const GroupDeal by_ends =
      deal_groups(plan_of_groups("rows", 900, 3), std::vector<Index>{300, 300, 900});
  const Plan plan = plan_of_groups("rows:by_row", 900, 3);
  std::vector<Index> list(900, 2);
  std::fill_n(list.begin() + 600, 300, 0);
  CHECK(deal_groups(plan, list) == by_ends);
  list[899] = 2;
  const Error refusal = test::refusal_of([&] { (void)deal_groups(plan, list); });
  CHECK(refusal.operand == "ends[899]");
  CHECK(refusal.nearest_legal == "-1");
  list.pop_back();
  CHECK(test::refusal_of([&] { (void)deal_groups(plan, list); }).nearest_legal == "900");
}

TEST_CASE("every tile of groups is dealt once, and no block works much longer than the least",
          "[plan][groups][deal]") {
  std::mt19937 random(66);
  for (const char* const kind : {"rows", "cols", "masked_rows", "k"})
    for (const Index count : {1, 7, 256, 1024}) {
      const Index bound = 16384;
      const Plan plan = plan_of_groups(kind, bound, count);
      for (int sort = 0; sort < 6; ++sort) {
        INFO(kind << ", " << count << " groups, sizes of kind " << sort);
        const std::vector<Index> sizes = random_sizes(sort, count, bound, random);
        std::vector<Index> list = sizes;
        if (!gemm_step(plan).groups->is_masked)
          for (size_t i = 1; i < list.size(); ++i) list[i] += list[i - 1];
        const GroupDeal deal = deal_groups(plan, list);
        CHECK(dealt(deal) == needed(plan, sizes));
        Index longest_tile = 0, makespan = 0, all = 0;
        for (const auto& block : deal.blocks) {
          makespan = std::max(makespan, k_tiles_of(block));
          all += k_tiles_of(block);
          for (const DealtTile& tile : block) longest_tile = std::max(longest_tile, tile.k_tiles);
        }
        CHECK(deal.makespan == makespan);
        CHECK(std::ssize(deal.blocks) <= blocks_of_grid(plan));
        CHECK(deal.bound * std::ssize(deal.blocks) >= all);
        CHECK(deal.bound >= longest_tile);
        CHECK(10 * deal.makespan <= 11 * deal.bound + 10 * longest_tile);
      }
    }
}

TEST_CASE("a tile of a group takes its k-tiles", "[plan][groups][deal]") {
  const Plan plan = plan_of_groups("k", 16384, 3);
  const Index tile_k = gemm_step(plan).tile.k;
  const GroupDeal deal = deal_groups(plan, std::vector<Index>{0, 3 * tile_k - 1, 16384});
  const Index last = (16384 - 3 * tile_k + 1 + tile_k - 1) / tile_k;
  const std::vector<Index> k_tiles{1, 3, last};
  for (const auto& block : deal.blocks)
    for (const DealtTile& tile : block)
      CHECK(tile.k_tiles == k_tiles[static_cast<size_t>(tile.group)]);
  CHECK(deal.of_groups.size() == 3);
  CHECK(deal.of_groups[0] == deal.of_groups[2]);
  CHECK(deal.makespan >= last);
}

TEST_CASE("a wrong list of groups is refused with its entry", "[plan][groups][deal][refusal]") {
  const Plan plan = plan_of_groups("rows", 512, 3);
  const auto refusal = [&](std::vector<Index> list) {
    return test::refusal_of([&] { (void)deal_groups(plan, list); });
  };
  CHECK(refusal({100, 90, 512}).operand == "ends[1]");
  CHECK(refusal({100, 90, 512}).nearest_legal == "100");
  CHECK(refusal({-1, 90, 512}).nearest_legal == "0");
  CHECK(refusal({100, 200, 513}).nearest_legal == "512");
  CHECK(refusal({100, 200}).nearest_legal == "3");
  CHECK(refusal({}).value == "0");
  const Plan each = make_plan(
      parse_problem("M=64 N=64 K=512 batch=2 A=bf16:row B=bf16:col D=bf16:row groups=each"),
      device_preset("h200"));
  CHECK(test::refusal_of([&] {
          (void)deal_groups(each, std::vector<Index>{1, 2});
        }).value == "each");
  const Plan plain = make_plan(parse_problem("M=64 N=64 K=512 A=bf16:row B=bf16:col D=bf16:row"),
                               device_preset("h200"));
  CHECK(test::refusal_of([&] { (void)deal_groups(plain, std::vector<Index>{1}); }).value == "none");
}
