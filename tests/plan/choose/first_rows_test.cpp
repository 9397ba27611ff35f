// What blocks that begin together wait for the first rows that they share.
#include <jute/launch/device_presets.hpp>

#include "plan/choose/families/priced.hpp"
#include "plan/values/kernel_problem.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using namespace jute::plan;
using test::problem_of;

namespace {

Problem small_problem(Index m, Index n, Index k) {
  return problem_of(m, n, k, {DType::bf16, DType::bf16}, {Order::row, Order::col});
}

/// Clocks until the first products of blocks of 64x16.
double start(Index m, Index n, Index k, ClusterShape cluster = {}) {
  const Tile tile{.m = 64,
                  .n = 16,
                  .k_bytes = 128,
                  .groups_m = 1,
                  .groups_n = 1,
                  .stages = 2,
                  .cluster = cluster};
  const KernelProblem problem = kernel_problem(completed(small_problem(m, n, k)), Config{});
  return tile_cost(tile, problem, device_preset("h200")).at(m, 1).start;
}

}  // namespace

TEST_CASE("rows that begin within sectors come late to many who ask for the same at once",
          "[plan][cost]") {
  // 60 blocks share all 64 rows of A; these begin at multiples of 16 bytes, 32, 64 and 128.
  CHECK(start(64, 960, 72) > start(64, 960, 80));
  CHECK(start(64, 960, 80) > start(64, 960, 96));
  CHECK(start(64, 960, 96) == start(64, 960, 128));
  // A quarter of A's rows for each, and B's for four: all wait less.
  CHECK(start(256, 240, 72) < start(64, 960, 72));
  CHECK(start(256, 240, 72) > start(256, 240, 128));
}

TEST_CASE("blocks of a cluster ask once for the rows that they share", "[plan][cost]") {
  const auto wait = [](ClusterShape cluster) {
    return start(64, 960, 72, cluster) - start(64, 960, 128, cluster);
  };
  CHECK(wait({1, 2}) > 0);
  CHECK(wait({1, 2}) < wait({}) / 2);
}

TEST_CASE("few blocks do not wait, nor do long kernels feel it", "[plan][cost]") {
  CHECK(start(64, 128, 72) == start(64, 128, 128));
  CHECK(start(64, 960, 20040) == start(64, 960, 20032));
}

TEST_CASE("a product whose tiles would all read the same rows is given others", "[plan][cost]") {
  const auto is_swapped = [](Index k) {
    const Plan plan = make_plan(small_problem(64, 960, k), device_preset("h200"));
    return gemm_step(plan).epilogue.d_order == Order::col;
  };
  CHECK(is_swapped(72));
  CHECK(is_swapped(104));
}
