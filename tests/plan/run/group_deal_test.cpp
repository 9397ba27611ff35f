// What blocks get of groups: every tile once, none far behind the others; lists that are wrong.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/run/group_deal.hpp>

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
  return make_plan(parse_problem("M=" + std::to_string(is_cols ? 300 : bound) +
                                 " N=" + std::to_string(is_cols ? bound : 700) +
                                 " K=128 batch=" + std::to_string(count) +
                                 " A=bf16:row B=bf16:col D=bf16:row groups=" + kind),
                   device_preset("h200"));
}

using TileCounts = std::map<std::tuple<Index, Index, Index>, int>;

TileCounts dealt(const GroupDeal& deal) {
  TileCounts counts;
  for (const auto& block : deal.blocks)
    for (const DealtTile& tile : block) ++counts[{tile.group, tile.m, tile.n}];
  return counts;
}

/// Each tile in which an element of D lies, found by its first element.
TileCounts needed(const Plan& plan, const std::vector<Index>& sizes) {
  const GemmStep& step = gemm_step(plan);
  const bool along_m = step.groups->along == GroupedAlong::m;
  TileCounts counts;
  for (size_t group = 0; group < sizes.size(); ++group) {
    const Index m = along_m ? sizes[group] : step.m.value;
    const Index n = along_m ? step.n.value : sizes[group];
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

TEST_CASE("every tile of groups is dealt once, and blocks have equally many",
          "[plan][groups][deal]") {
  std::mt19937 random(66);
  for (const char* const kind : {"rows", "cols", "masked_rows"})
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
        CHECK(deal.longest == deal.least);
      }
    }
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
  const Plan along_k =
      make_plan(parse_problem("M=64 N=64 K=512 batch=3 A=bf16:row B=bf16:col D=bf16:row groups=k"),
                device_preset("h200"));
  CHECK(test::refusal_of([&] {
          (void)deal_groups(along_k, std::vector<Index>{1, 2, 3});
        }).value == "k");
}
