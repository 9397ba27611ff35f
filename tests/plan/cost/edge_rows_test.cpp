// Rows past the edge: which stages leave them out, in what units, by which maps.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <string>

#include "plan/shapes/warpgroups/edge_rows.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using test::problem_of;

namespace {

constexpr Order kRowMajor = Order::row, kColMajor = Order::col;

Plan planned_at_edge(const Problem& problem, const char* config) {
  return make_plan(problem, device_preset("h200"), parse_config(config));
}
GemmStep step_at_edge(const Problem& problem, const char* config) {
  return gemm_step(planned_at_edge(problem, config));
}
Problem bf16(Index m, Index n, Index k, test::ProblemOrders orders = {kRowMajor, kColMajor}) {
  return problem_of(m, n, k, {DType::bf16, DType::bf16}, orders);
}

const MapOf* map_of(const GemmStep& step, std::string_view name) {
  const auto found = std::ranges::find(step.parameters, name, &KernelParameter::name);
  return found == step.parameters.end() ? nullptr : &std::get<MapOf>(found->role);
}

}  // namespace

TEST_CASE("rows past the edge are left out where tiles reach past it", "[plan][edge]") {
  const char* const config = "tile=128x64x64 cluster=1x1";
  const GemmStep whole = step_at_edge(bf16(256, 128, 200), config);
  CHECK(tma_of(whole.a).edge_unit == 0);
  CHECK(tma_of(whole.b).edge_unit == 0);
  const GemmStep below = step_at_edge(bf16(129, 128, 200), config);
  CHECK(tma_of(below.a).edge_unit == 8);
  CHECK(tma_of(below.b).edge_unit == 0);
  const GemmStep co_resident = step_at_edge(bf16(256, 130, 200), config);
  CHECK(tma_of(co_resident.a).edge_unit == 0);
  CHECK(tma_of(co_resident.b).edge_unit == 8);
  // A whole block of a cluster may lie there; and whatever M a run has.
  CHECK(tma_of(step_at_edge(bf16(128, 128, 200), "tile=128x64x64 cluster=2x1").a).edge_unit == 8);
  CHECK(tma_of(step_at_edge(bf16(256, 128, 200), "tile=128x64x64 cluster=1x1 specialize=none").a)
            .edge_unit == 8);
  Problem ranged = bf16(512, 4096, 4096);
  ranged.m_range = MRange{1, 512};
  const GemmStep any = step_at_edge(ranged, "main_loop=warp_specialised swapped=off split_k=1");
  CHECK(tma_of(any.a).edge_unit == 8);
  CHECK(tma_of(any.b).edge_unit == 0);
  CHECK(tma_of(step_at_edge(bf16(129, 130, 200), "tile=128x64x64 edge_rows=zeros").a).edge_unit ==
        0);
  // Seven rows are fewer than a unit.
  CHECK(tma_of(step_at_edge(bf16(249, 128, 200), config).a).edge_unit == 0);
  CHECK(tma_of(step_at_edge(bf16(248, 128, 200), config).a).edge_unit == 8);
}

TEST_CASE("the model leaves out what stages leave out", "[plan][edge][cost][law]") {
  int left_out = 0;
  for (const test::ProblemOrders orders :
       {test::ProblemOrders{kRowMajor, kColMajor}, {kColMajor, kRowMajor}, {kRowMajor, kRowMajor}})
    for (const auto& [m, n] :
         {std::pair<Index, Index>{129, 136}, {257, 4096}, {40, 88}, {1025, 72}})
      for (const char* const tile :
           {"tile=128x64x64 cluster=1x1", "tile=64x192x64 cluster=1x1",
            "tile=64x128x64 cluster=2x1", "tile=128x256x64 cluster=1x2",
            "tile=64x64x64 split_k=2 cluster=1x1", "tile=64x64x64 split_k=2 reduction=distributed",
            "tile=128x64x64 edge_rows=zeros", "tile=128x64x64 edge_rows=left_out"}) {
        const Problem problem = bf16((m + 7) / 8 * 8, n, 1024, orders);
        const Config config = parse_config(tile);
        const GemmStep step = step_at_edge(problem, tile);
        Tile group{};
        group.m = step.tile.m;
        group.n = step.tile.n;
        group.cluster = step.schedule.cluster;
        group.split_k = step.schedule.split_k;
        group.reduction = step.schedule.reduction;
        group.edge_rows = plan::edge_wish(config);
        const plan::EdgeUnits units =
            plan::edge_units(group, plan::kernel_problem(completed(problem), config));
        INFO(problem << " " << tile);
        // A step whose tiles end with M or N has nothing to leave out there.
        if (tma_of(step.a).edge_unit > 0) CHECK(units.a == tma_of(step.a).edge_unit);
        if (tma_of(step.b).edge_unit > 0) CHECK(units.b == tma_of(step.b).edge_unit);
        if (units.a + units.b == 0) CHECK(tma_of(step.a).edge_unit + tma_of(step.b).edge_unit == 0);
        left_out += tma_of(step.a).edge_unit + tma_of(step.b).edge_unit > 0 ? 1 : 0;
      }
  CHECK(left_out > 20);
}

TEST_CASE("boxes along M and N are left out whole", "[plan][edge]") {
  const GemmStep step =
      step_at_edge(bf16(136, 304, 200, {kColMajor, kRowMajor}), "tile=128x256x64 cluster=1x1");
  CHECK(tma_of(step.a).edge_unit == 64);
  CHECK(tma_of(step.b).edge_unit == 64);
  CHECK(map_of(step, "map_a_edge") == nullptr);
  CHECK(map_of(step, "map_b_edge") == nullptr);
}

TEST_CASE("a few rows along M or N are those of B, which comes in narrow boxes",
          "[plan][edge][cost]") {
  const auto is_swapped = [](const Problem& problem) {
    return gemm_step(make_plan(problem, device_preset("h200"))).epilogue.d_order == Order::col;
  };
  CHECK(is_swapped(bf16(8, 32, 3536, {kColMajor, kColMajor})));
  CHECK_FALSE(is_swapped(bf16(622, 16, 384, {kRowMajor, kRowMajor})));
}

TEST_CASE("what no instruction reads by itself, and sums in the workspace, keep zeros",
          "[plan][edge]") {
  CHECK(tma_of(step_at_edge(bf16(130, 136, 520), "split_k=3 tile=64x72x64 atom_layout=(1,1,1)").a)
            .edge_unit == 0);
  CHECK(tma_of(step_at_edge(bf16(130, 136, 520),
                            "split_k=3 reduction=distributed tile=64x72x64 atom_layout=(1,1,1)")
                   .a)
            .edge_unit == 8);
  CHECK(tma_of(step_at_edge(bf16(130, 136, 520),
                            "main_loop=warp_specialised mma_atom=SM80_16x8x16_F32BF16BF16F32_TN")
                   .a)
            .edge_unit == 0);
  CHECK(tma_of(step_at_edge(problem_of(130, 136, 520, {}, {kRowMajor, kColMajor}),
                            "main_loop=warp_specialised")
                   .a)
            .edge_unit == 0);
}

TEST_CASE("the last box ahead of the edge has as many rows as are left", "[plan][edge]") {
  const Plan plan = planned_at_edge(bf16(129, 136, 200), "tile=128x64x64 cluster=1x1");
  const GemmStep& step = gemm_step(plan);
  const MapOf* const map = map_of(step, "map_a_edge");
  REQUIRE(map != nullptr);
  CHECK(map->box[0] == Count(64));
  CHECK(to_string(map->box[1]) == "round_up(m,8)-(ceil_div(m,128)-1)*128");
  RunValues run = run_values(plan.problem);
  for (Index m = 0; m <= 520; ++m) {
    run.m = m;
    const Index left = m - (m == 0 ? 0 : (m - 1) / 128 * 128), rows = map->box[1].evaluate(run);
    INFO(m);
    CHECK(rows == (m == 0 ? 128 : (left + 7) / 8 * 8));
  }
  // Of half a tile each where blocks share it.
  const GemmStep shared = step_at_edge(bf16(129, 136, 200), "tile=128x64x64 cluster=1x2");
  REQUIRE(map_of(shared, "map_a_edge") != nullptr);
  CHECK(to_string(map_of(shared, "map_a_edge")->box[1]) == "round_up(m,8)-(ceil_div(m,64)-1)*64");
}

TEST_CASE("rows are left out by pieces of D or whole boxes, or not at all", "[plan][edge][rules]") {
  for (const test::ProblemOrders orders :
       {test::ProblemOrders{kRowMajor, kColMajor}, {kColMajor, kRowMajor}}) {
    Plan plan = planned_at_edge(bf16(136, 304, 200, orders), "tile=128x128x64 cluster=1x1");
    CHECK(check(plan).empty());
    auto& step = std::get<GemmStep>(plan.steps.back());
    const int unit = tma_of(step.b).edge_unit;
    its_tma(step.b).edge_unit = 2 * unit;
    const std::vector<Error> errors = check(plan);
    const auto found = std::ranges::find(errors, "b.edge_unit", &Error::operand);
    REQUIRE(found != errors.end());
    CHECK(found->nearest_legal == std::to_string(unit));
  }
}
