// What tiles are ranked by: waves, feed, memory and power.
#include <jute/base/checked.hpp>
#include <jute/launch/device_presets.hpp>

#include <algorithm>
#include <limits>

#include "plan/choose/families/priced.hpp"
#include "plan/choose/families/warpgroup_search.hpp"
#include "plan/values/kernel_problem.hpp"
#include "plan/values/step_grid.hpp"
#include "plan/values/tile_counts.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using namespace jute::plan;
using test::problem_of;

namespace {

std::vector<RankedTile> ranked_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                     size_t most, const Config& config = {},
                                     double limit = kNoLimit) {
  Fastest<RankedTile> best(most, limit);
  look_at_warpgroup_tiles(problem, device, config, false, {}, best);
  return std::move(best).list();
}

Tile best_for(Index m, Index n, Index k, Order a = Order::row, Order b = Order::col) {
  const Problem problem = problem_of(m, n, k, {DType::bf16, DType::bf16}, {a, b});
  return ranked_tiles(kernel_problem(completed(problem), Config{}), device_preset("h200"), 1)
      .front()
      .tile;
}

/// Too few products to hide what TMA writes past an edge.
constexpr Tile kNarrow{
    .m = 64, .n = 64, .k_bytes = 128, .groups_m = 1, .groups_n = 1, .stages = 12, .cluster = {}};

KernelCost cost_of(Index m, Index n, const Tile& tile) {
  const Problem problem =
      problem_of(m, n, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  return tile_cost(tile, kernel_problem(completed(problem), Config{}), device_preset("h200"));
}

}  // namespace

TEST_CASE("a tile fits the waves of the chip", "[plan][cost]") {
  const auto waves = [](const Tile& tile, Index m, Index n) {
    const Index tiles = (m + tile.m - 1) / tile.m * ((n + tile.n - 1) / tile.n);
    return static_cast<double>(tiles) / 132;
  };
  // 128x256 would leave 30 of 132 multiprocessors without a second tile.
  CHECK(waves(best_for(2304, 2304, 4096), 2304, 2304) <= 1.0);
  CHECK(waves(best_for(1536, 3072, 4096), 1536, 3072) <= 1.0);
  CHECK(waves(best_for(1024, 1024, 1024), 1024, 1024) > 0.9);
  // Where the next kernel's blocks begin beside those of 64x48, not beside 128 of 64x32.
  CHECK(waves(best_for(512, 512, 512), 512, 512) <= 2.0 / 3);
}

TEST_CASE("large problems take tiles that reuse what they read", "[plan][cost]") {
  for (const Index extent : {4096, 8192, 16384}) {
    const Tile tile = best_for(extent, extent, extent);
    CHECK(tile.m * tile.n >= 128 * 256);
    CHECK(tile.release == Release::after_main_loop);
  }
}

TEST_CASE("small problems begin early, before the kernel ahead has ended", "[plan][cost]") {
  CHECK(best_for(512, 512, 512).release == Release::at_start);
  // And the cache asks for what they read first, unless memory has enough to do, or nothing.
  CHECK(best_for(512, 512, 512).first_stages == FirstStages::prefetched);
  CHECK(best_for(64, 64, 64).first_stages == FirstStages::by_initialiser);
  CHECK(best_for(64, 64, 32768).first_stages == FirstStages::by_initialiser);
}

TEST_CASE("blocks that share rows with their neighbours begin in order, behind a main loop",
          "[plan][cost]") {
  const auto releases = [](Index m, Index n, Index k) { return best_for(m, n, k).release; };
  // Where an SM is free, blocks of the next kernel would begin beside others than their neighbours.
  CHECK(releases(640, 1024, 4096) == Release::after_main_loop);
  CHECK(releases(198, 3600, 1120) == Release::after_main_loop);
  // Short work that is alike ends in the order in which it began.
  CHECK(releases(1024, 1024, 1024) == Release::at_start);
  // Both kernels have SMs of their own, or each block loads rows that no other one does.
  CHECK(releases(208, 920, 704) == Release::at_start);
  CHECK(releases(4, 7688, 416) == Release::at_start);
}

TEST_CASE("an operand along M or N comes in one box, or in boxes of 32 bytes at least",
          "[plan][cost]") {
  const Tile tile = best_for(24, 11072, 8, Order::col, Order::col);
  const int boxes_along_m = tile.swapped ? tile.n : tile.m;
  CHECK(boxes_along_m % 16 == 0);
}

TEST_CASE("a tall K is cut into slices that occupy the chip", "[plan][cost]") {
  const auto blocks = [](const Tile& tile, Index m, Index n) {
    return (m + tile.m - 1) / tile.m * ((n + tile.n - 1) / tile.n) * tile.split_k;
  };
  for (const auto& [m, n, k] :
       {std::tuple(256, 256, 65536), std::tuple(64, 128, 131072), std::tuple(512, 768, 16384)}) {
    INFO(m << "x" << n << "x" << k);
    const Tile tile = best_for(m, n, k);
    CHECK(tile.split_k > 1);
    CHECK(blocks(tile, m, n) > 88);
    CHECK(blocks(tile, m, n) <= 132);
  }
  for (const Index extent : {128, 512, 1024, 2048, 4096})
    CHECK(best_for(extent, extent, extent).split_k == 1);
}

TEST_CASE("many sums of slices are added by all blocks, few by the last", "[plan][cost]") {
  CHECK(best_for(256, 256, 65536).reduction == SplitK::all_add);
  CHECK(best_for(64, 128, 131072).reduction == SplitK::all_add);
  CHECK(best_for(16, 4096, 14336).reduction == SplitK::last_adds);
}

TEST_CASE("slices of few tiles meet in a cluster, those of more need no place for one",
          "[plan][cost]") {
  const Tile few = best_for(32, 24, 4526, Order::col, Order::row);
  CHECK(few.reduction == SplitK::distributed);
  CHECK(few.split_k == 8);
  CHECK(best_for(512, 512, 4096).reduction == SplitK::last_adds);
}

TEST_CASE("zeros past the edge cost more than rows that are loaded, where a tile in four has them",
          "[plan][cost][edge]") {
  const auto feed = [](Index m, Index n, const Tile& tile) {
    return cost_of(m, n, tile).at(m, 1).feed;
  };
  const Tile tile = kNarrow;
  Tile zeros = tile, cut = tile;
  zeros.edge_rows = EdgeRows::zeros;
  cut.split_k = 2;
  for (const Tile& kept : {zeros, cut}) {
    CHECK(feed(96, 65536, kept) > feed(128, 65536, kept) + 80);
    CHECK(feed(96, 4096, kept) > feed(128, 4096, kept));
    CHECK(feed(33 * 64 + 32, 4096, kept) == feed(34 * 64, 4096, kept));
  }
  CHECK(feed(96, 4096, tile) == feed(128, 4096, tile));
  Tile high = tile;
  high.m = 256;
  high.groups_m = 2;
  CHECK(feed(8, 65536, high) < feed(256, 65536, high));
  Tile any = tile;
  any.m_at_run_time = true;
  CHECK(feed(96, 4096, any) == feed(128, 4096, any));
}

TEST_CASE("memory is not asked for rows that stages leave out", "[plan][cost][edge]") {
  const auto past = [](Index m, Index n, const Tile& tile) {
    return cost_of(m, n, tile).at(m, 1).past_the_edge;
  };
  Tile zeros = kNarrow;
  zeros.edge_rows = EdgeRows::zeros;
  for (const auto& [m, n] : {std::pair<Index, Index>{72, 4096}, {4096, 72}, {72, 72}}) {
    CHECK(past(m, n, kNarrow) == 0);
    CHECK(past(m, n, zeros) > 0);
  }
  // In units of eight.
  CHECK(past(65, 4096, kNarrow) > 0);
  CHECK(past(65, 4096, kNarrow) < past(65, 4096, zeros) / 8);
  CHECK(cost_of(512, 4096, kNarrow).at(72, 1).past_the_edge == 0);
}

TEST_CASE("a kernel for fewer rows is expected to take no longer than one for more",
          "[plan][cost][edge][law]") {
  const DeviceInfo device = device_preset("h200");
  double least = std::numeric_limits<double>::infinity();
  for (Index m = 8192; m >= 1; m -= 1 + m / 300) {
    const Problem problem =
        problem_of(m, 4096, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col});
    const double clocks =
        ranked_tiles(kernel_problem(completed(problem), Config{}), device, 1)[0].clocks;
    INFO(m << " rows");
    CHECK(clocks <= 1.05 * least);
    least = std::min(least, clocks);
  }
}

TEST_CASE("what memory moves follows from a run's rows, whatever rows its kernel is planned for",
          "[plan][cost]") {
  // Few rows share out their one read of the weights among tiles; the cache holds a D of some rows
  // and not one of many.
  for (const Index rows : {16, 100, 200, 5000, 20000}) {
    INFO(rows);
    CHECK(cost_of(512, 4096, kNarrow).at(rows, 1).memory ==
          cost_of(rows, 4096, kNarrow).at(rows, 1).memory);
  }
}

TEST_CASE("few blocks have all that memory gives where each loads enough", "[plan][cost]") {
  for (const Index m : {4, 16, 24}) {
    INFO(m << " rows");
    CHECK(best_for(m, 4096, 4096).split_k == 1);
  }
  CHECK(best_for(16, 2048, 8192).split_k > 1);
}

TEST_CASE("rows that begin inside lines are shared by blocks of a cluster", "[plan][cost]") {
  CHECK(best_for(4096, 4096, 4096).cluster == ClusterShape{1, 1});
  const Tile cut = best_for(4096, 4096, 4104);
  CHECK(cut.cluster.m * cut.cluster.n > 1);
}

TEST_CASE("pairs of teams share what they load where threads store much of D meanwhile",
          "[plan][cost]") {
  const auto step = [](Index extent, DType type, DType out) {
    return gemm_step(
        make_plan(problem_of(extent, extent, extent, {type, out}, {Order::row, Order::col}),
                  device_preset("h200")));
  };
  const GemmStep large = step(8192, DType::s8, DType::s32);
  CHECK(large.schedule.cluster == ClusterShape{2, 1});
  CHECK(large.schedule.ping_pong == 2);
  CHECK(large.schedule.raster_width == 8);
  CHECK(step(4096, DType::s8, DType::s32).schedule.cluster == ClusterShape{1, 1});
  CHECK(step(8192, DType::bf16, DType::bf16).schedule.cluster == ClusterShape{1, 1});
}

TEST_CASE("a pair shares the operand that costs most, and has a tile for each block",
          "[plan][cost]") {
  // One row of tiles: all blocks read the same short rows of A, eight of them ask once.
  for (const auto& [n, k] : {std::pair(8736, 1184), std::pair(8736, 2360)}) {
    INFO(n << " columns, k " << k);
    const Tile tile = best_for(8, n, k, Order::col, Order::col);
    CHECK((tile.swapped ? tile.cluster.m : tile.cluster.n) == 8);
    CHECK((tile.swapped ? tile.cluster.n : tile.cluster.m) == 1);
  }
  // One tile along M and N: nobody to share with.
  CHECK(best_for(7, 8, 14456).cluster == ClusterShape{1, 1});
  // A few rows along K are in the cache for all.
  CHECK(best_for(5844, 8, 6880).cluster == ClusterShape{1, 1});
  // Where warps store rows of D, blocks drift apart.
  CHECK(best_for(5571, 3745, 1000).cluster == ClusterShape{1, 1});
  // Launching clusters and reducing in them takes longer than a short product.
  CHECK(best_for(48, 4936, 200).cluster == ClusterShape{1, 1});
  CHECK(best_for(8, 1568, 1184, Order::col, Order::col).cluster == ClusterShape{1, 1});
}

TEST_CASE("few blocks with little to load cut K rather than wait for it", "[plan][cost]") {
  const Tile one_row = best_for(2, 8, 2728, Order::row, Order::row);
  CHECK(one_row.reduction == SplitK::distributed);
  CHECK(one_row.split_k == 7);
  const Tile few = best_for(8, 368, 2160, Order::col, Order::col);
  CHECK(few.swapped);
  CHECK(few.n == 8);
  CHECK(few.split_k == 5);
}

TEST_CASE("tiles are larger where warps store rows of D: each costs them time of its own",
          "[plan][cost]") {
  const auto area = [](Index n) {
    const Tile tile = best_for(12132, n, 167, Order::col, Order::col);
    return tile.m * tile.n;
  };
  CHECK(area(1146) > area(1152));
}

TEST_CASE("blocks that wait for each other fit the chip with those that clusters add",
          "[plan][cost]") {
  for (const auto& [m, n, k] : {std::tuple(16, 615, 14419), std::tuple(344, 152, 8936)}) {
    const Problem problem =
        problem_of(m, n, k, {DType::bf16, DType::bf16}, {Order::col, Order::row});
    const DeviceInfo device = device_preset("h200");
    for (const auto& [clocks, tile, atom] :
         ranked_tiles(kernel_problem(completed(problem), Config{}), device, 1000)) {
      const bool swapped = tile.swapped;
      const double blocks =
          blocks_of({tile.m, tile.n}, tile.cluster, swapped ? n : m, swapped ? m : n, 1);
      if (tile.split_k > 1) CHECK(blocks * tile.split_k <= device.sm_count);
    }
  }
}

TEST_CASE("the best tiles are the same however few are asked for", "[plan][cost][law]") {
  // With so many asked for nothing is left out by what it takes at least.
  constexpr size_t kAll = 1 << 20, kFew = 3;
  const DeviceInfo device = device_preset("h200");
  for (const auto& [m, n, k] : {std::array<Index, 3>{4096, 4096, 4096},
                                {1017, 1360, 1096},
                                {64, 64, 65536},
                                {17, 4096, 4096},
                                {8, 3728, 1655},
                                {16384, 24, 8192},
                                {300, 9000, 40}})
    for (const auto& [a, b] :
         {std::pair(Order::row, Order::col), std::pair(Order::col, Order::row)})
      for (const DType type : {DType::bf16, DType::e4m3, DType::s8}) {
        Problem problem =
            problem_of(m, n, k, {type, type == DType::bf16 ? type : DType::f32}, {a, b});
        if (type == DType::s8) problem.c.type = problem.d.type = DType::s32;
        const KernelProblem kernel = kernel_problem(completed(problem), Config{});
        for (const char* wish : {"", "reduction=distributed"}) {
          const Config config = parse_config(wish);
          const std::vector<RankedTile> all = ranked_tiles(kernel, device, kAll, config);
          const std::vector<RankedTile> few = ranked_tiles(kernel, device, kFew, config);
          REQUIRE(few.size() == std::min(all.size(), kFew));
          for (size_t i = 0; i < few.size(); ++i) {
            CHECK(few[i].clocks == all[i].clocks);
            CHECK(few[i].tile == all[i].tile);
          }
        }
      }
}

TEST_CASE("ranking as far as a rival may be beaten finds what ranking all does", "[plan][cost]") {
  constexpr size_t kMost = 6;
  const DeviceInfo device = device_preset("h200");
  for (const auto& [m, n, k] :
       {std::array<Index, 3>{1017, 1360, 1096}, {64, 64, 65536}, {8, 3728, 1655}, {300, 900, 40}}) {
    const KernelProblem kernel =
        kernel_problem(completed(problem_of(m, n, k, {DType::bf16, DType::bf16})), Config{});
    const Config config;
    const std::vector<RankedTile> all = ranked_tiles(kernel, device, kMost, config);
    REQUIRE(all.size() == kMost);
    const double first = all[0].clocks;
    for (const double limit : {first * 0.999, first, all[3].clocks, all[kMost - 1].clocks + 1}) {
      CAPTURE(m, n, k, limit);
      const std::vector<RankedTile> within = ranked_tiles(kernel, device, kMost, config, limit);
      REQUIRE(within.size() ==
              static_cast<size_t>(std::ranges::count_if(
                  all, [&](const RankedTile& one) { return one.clocks < limit; })));
      for (size_t i = 0; i < within.size(); ++i) CHECK(is_same_kernel(within[i].tile, all[i].tile));
    }
  }
}

TEST_CASE("clusters of more than two leave some of the chip idle", "[plan][cost]") {
  const DeviceInfo device = device_preset("h200");
  CHECK(blocks_at_once({1, 1}, device) == 132);
  CHECK(blocks_at_once({2, 1}, device) == 132);
  CHECK(blocks_at_once({2, 2}, device) == 120);
  CHECK(blocks_at_once({1, 8}, device) == 120);
  const Problem problem = problem_of(4096, 4096, 4096, {DType::bf16, DType::bf16});
  const auto blocks_of_grid = [&](const char* text) {
    return gemm_step(make_plan(problem, device, parse_config(text))).schedule.persistent_blocks;
  };
  CHECK(blocks_of_grid("tile=128x128x64 cluster=4x1") == 116);
  CHECK_THROWS_AS(blocks_of_grid("tile=128x128x64 cluster=1x4 split_k=4 reduction=all_add"),
                  Exception);
}

TEST_CASE("a short K has short rows in shared memory", "[plan][cost]") {
  for (const auto& [k, tile_k] : {std::pair(1, 16), std::pair(8, 16), std::pair(16, 16),
                                  std::pair(24, 32), std::pair(40, 64), std::pair(200, 64)}) {
    INFO("k " << k);
    CHECK(best_for(4096, 512, k).k_bytes == tile_k * 2);
  }
}

TEST_CASE("a copy of few columns is spread over lines, and no more waited for than whole rows",
          "[plan][cost][moves]") {
  for (const Index n : {2, 3, 4, 6}) {
    const Plan plan = make_plan(
        test::problem_of(28672, n, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::row}),
        device_preset("h200"));
    INFO(n);
    CHECK(plan.steps.size() == 2);
    CHECK(is_wgmma(gemm_step(plan).mma.atom().form));
    CHECK(gemm_step(plan).schedule.cluster == ClusterShape{1, 1});
  }
}

TEST_CASE("few rows share one read of the weights", "[plan][cost]") {
  for (const Index m : {1, 8, 9, 16, 17, 24, 32, 33, 48, 64}) {
    INFO(m << " rows");
    const Tile tile = best_for(m, 4096, 4096);
    CHECK((tile.swapped ? tile.n : tile.m) >= m);
  }
}

TEST_CASE("few rows are the columns of a transposed product", "[plan][cost]") {
  for (const auto& [m, n, k] :
       {std::tuple(16, 7168, 16384), std::tuple(8, 6144, 4096), std::tuple(16, 4096, 14336)}) {
    INFO(m << "x" << n << "x" << k);
    const Tile tile = best_for(m, n, k);
    CHECK(tile.swapped);
    CHECK(tile.n == m);
  }
  CHECK_FALSE(best_for(4096, 4096, 4096).swapped);
  CHECK_FALSE(best_for(8192, 32, 8192).swapped);
}

TEST_CASE("few rows are multiplied in blocks for nearly all SMs, or in small ones",
          "[plan][cost]") {
  const auto is_spread = [](const Tile& tile, Index few, Index many) {
    const Index of_tile = tile.swapped == (few < many) ? tile.m : tile.n;
    const Index sms = device_preset("h200").sm_count;
    return of_tile <= 64 || 10 * ceil_div(many, of_tile) >= 9 * sms;
  };
  for (const auto& [few, many, k] :
       {std::tuple(4, 15360, 6144), std::tuple(16, 12288, 12288), std::tuple(32, 11520, 7680),
        std::tuple(48, 11008, 4096), std::tuple(8, 18944, 3584)}) {
    INFO(few << "x" << many << "x" << k);
    CHECK(is_spread(best_for(few, many, k), few, many));
    CHECK(is_spread(best_for(many, few, k), few, many));
  }
}

TEST_CASE("two tiles that read the same weights have more stages than one of all rows",
          "[plan][cost]") {
  const Tile pair = best_for(128, 8192, 28672);
  CHECK_FALSE(pair.swapped);
  CHECK(pair.m == 64);
  CHECK(pair.stages == 8);
  const Tile one = best_for(64, 28672, 4096);
  CHECK(one.stages < pair.stages);
}

TEST_CASE("where memory decides, tiles that load less into SMs are expected to be faster",
          "[plan][cost]") {
  Problem problem = problem_of(2048, 128, 2048, {DType::bf16, DType::bf16});
  problem.batch = 32;
  const GemmStep step = gemm_step(make_plan(problem, device_preset("h200"), {}));
  CHECK(step.tile.m >= 128);
  CHECK(step.tile.n >= 128);
}
