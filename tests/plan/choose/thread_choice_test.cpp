// What is planned for types that no tensor core multiplies.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/values/plan.hpp>

#include <algorithm>
#include <cmath>

#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;

namespace {

Problem f32_problem(Index m, Index n, Index k, Order a = Order::row, Order b = Order::row) {
  return test::problem_of(m, n, k, {DType::f32, DType::f32}, {a, b});
}
GemmStep planned_by_threads(const Problem& problem, const char* preset = "h200") {
  return gemm_step(make_plan(problem, device_preset(preset)));
}
Index blocks_of(const Problem& problem) {
  const GemmStep step = planned_by_threads(problem);
  return ceil_div(problem.m, Index{step.tile.m}) * ceil_div(problem.n, Index{step.tile.n}) *
         step.schedule.split_k;
}

}  // namespace

TEST_CASE("what no tensor core multiplies is read straight from global memory where it is small",
          "[plan][threads]") {
  for (const char* preset : {"h200", "a100", "l40s", "t4", "rtx5090"})
    for (const auto& [m, n, k] :
         {std::tuple(1, 1, 1), std::tuple(4, 4, 50), std::tuple(64, 64, 64),
          std::tuple(900, 30, 21), std::tuple(7, 1252, 8), std::tuple(33, 47, 1001)}) {
      INFO(preset << " " << m << "x" << n << "x" << k);
      CHECK(planned_by_threads(f32_problem(m, n, k), preset).schedule.main_loop ==
            MainLoop::straight);
    }
}

TEST_CASE("groups of threads share out a long K where there are few rows and columns",
          "[plan][threads]") {
  const auto parts = [](Index k) {
    return size(planned_by_threads(f32_problem(40, 24, k)).mma.atom_layout()[2]);
  };
  CHECK(parts(2) == 1);
  CHECK(parts(64) >= 8);
  CHECK(parts(500) == 16);
  CHECK(
      planned_by_threads(f32_problem(2, 3000, 2000, Order::row, Order::col)).schedule.lanes_of_k ==
      31);
}

TEST_CASE("few tiles of a long K are small, and cut into slices that fill the chip",
          "[plan][threads][slices]") {
  for (const auto& [m, n, k] :
       {std::tuple(60, 300, 3000), std::tuple(96, 40, 2264), std::tuple(16, 200, 4000),
        std::tuple(440, 308, 2184), std::tuple(20, 1484, 6904)}) {
    INFO(m << "x" << n << "x" << k);
    const Problem problem = f32_problem(m, n, k, Order::row, Order::col);
    CHECK(planned_by_threads(problem).schedule.main_loop == MainLoop::warp_specialised);
    CHECK(blocks_of(problem) >= 66);
    CHECK(blocks_of(problem) <= 264);
  }
}

TEST_CASE("tiles are cut into slices of a long K however few elements D has", "[plan][threads]") {
  for (const auto& [m, n] : {std::tuple(16, 16), std::tuple(8, 8), std::tuple(32, 16)}) {
    INFO(m << "x" << n);
    CHECK(planned_by_threads(f32_problem(m, n, 45840, Order::row, Order::col)).schedule.split_k >
          16);
  }
}

TEST_CASE("rows that TMA cannot read are copied where a producer is worth that",
          "[plan][threads][moves]") {
  CHECK(make_plan(f32_problem(3000, 3001, 1999), device_preset("h200")).steps.size() == 2);
  CHECK(make_plan(f32_problem(200, 101, 99), device_preset("h200")).steps.size() == 1);
  CHECK(make_plan(f32_problem(2000, 101, 999), device_preset("a100")).steps.size() == 1);
}

TEST_CASE("kernels without tensor cores are predicted part by part", "[plan][threads]") {
  for (const Problem& problem :
       {f32_problem(64, 48, 96), f32_problem(512, 768, 1024), f32_problem(3, 1500, 1000),
        f32_problem(2001, 101, 999), f32_problem(64, 20001, 200)}) {
    const std::vector<Considered> list = considered(problem, device_preset("h200"));
    REQUIRE(list.size() > 4);
    for (size_t i = 0; i < 4; ++i) {
      INFO(list[i].text);
      REQUIRE(list[i].prediction);
      const Prediction& p = *list[i].prediction;
      CHECK(p.clocks > 0);
      CHECK(std::abs(p.clocks - (p.moves + p.launch + p.start + std::max(p.work, p.memory) +
                                 p.least + p.reduction)) < 1);
    }
    CHECK(list[0].prediction->clocks <= list[1].prediction->clocks);
  }
}

TEST_CASE("where rows begin anywhere, threads copy short K and many tiles as they lie",
          "[plan][threads]") {
  // Copies of the operands first would take longer than the product.
  using enum Order;
  for (const auto& [m, n, k, a, b] :
       {std::tuple(24, 18393, 1367, row, row), std::tuple(64, 20001, 201, col, col),
        std::tuple(93, 16497, 21, row, col), std::tuple(2334, 1701, 75, col, row)}) {
    INFO(m << "x" << n << "x" << k);
    const Problem problem = f32_problem(m, n, k, a, b);
    CHECK(planned_by_threads(problem).schedule.main_loop == MainLoop::multistage);
    CHECK(planned_by_threads(problem).b.vector_elems == 1);
    CHECK(make_plan(problem, device_preset("h200")).steps.size() == 1);
  }
}

TEST_CASE("where rows begin anywhere and tiles are few, K is shared out",
          "[plan][threads][slices]") {
  for (const auto& [m, n, k, a, b] : {std::tuple(9001, 24, 1500, Order::col, Order::row),
                                      std::tuple(48, 10001, 1000, Order::row, Order::row),
                                      std::tuple(2379, 35, 3072, Order::col, Order::col)}) {
    INFO(m << "x" << n << "x" << k);
    const GemmStep step = planned_by_threads(f32_problem(m, n, k, a, b));
    CHECK(step.schedule.main_loop == MainLoop::multistage);
    // Or tiles are small enough for most SMs to have one.
    const Index tiles = ceil_div(m, step.tile.m) * ceil_div(n, step.tile.n);
    CHECK(tiles * step.schedule.split_k * size(step.mma.atom_layout()[2]) >= 100);
  }
  // Tiles enough for every SM need not.
  const GemmStep many = planned_by_threads(f32_problem(64, 20001, 200));
  CHECK(many.schedule.split_k * size(many.mma.atom_layout()[2]) == 1);
}

TEST_CASE("tiles that threads copy follow the problem and the chip", "[plan][threads]") {
  for (const char* preset : {"a100", "rtx3090", "l40s", "rtx5090"}) {
    const GemmStep large = planned_by_threads(f32_problem(4096, 4096, 4096), preset);
    CHECK(large.schedule.main_loop == MainLoop::multistage);
    CHECK(large.tile.m * large.tile.n >= 64 * 64);
    const GemmStep flat = planned_by_threads(f32_problem(30, 20001, 100), preset);
    CHECK(flat.tile.m <= 32);
    for (const GemmStep& step : {large, flat}) {
      CHECK(step.dynamic_smem_bytes <= device_preset(preset).smem_bytes_per_block);
      CHECK(step.threads >= 64);
    }
  }
}

TEST_CASE("what threads copy is planned again by its own choices", "[plan][threads][config]") {
  const Problem problem = f32_problem(64, 20001, 200);
  const Considered first = considered(problem, device_preset("h200")).front();
  CHECK(to_string(make_plan(problem, device_preset("h200"), first.config)) ==
        to_string(make_plan(problem, device_preset("h200"))));
}
