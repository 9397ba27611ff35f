// Which straight kernel a tiny problem, or one of few rows, is given.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/plan.hpp>

#include <array>
#include <utility>

#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using test::problem_of;

namespace {

GemmStep straight_step_for(Index m, Index n, Index k, Order b, const char* config = "") {
  return gemm_step(make_plan(problem_of(m, n, k, {DType::bf16, DType::bf16}, {Order::row, b}),
                             device_preset("h200"), parse_config(config)));
}

/// Does the chip have the problem's types?
bool runs_on(const Problem& problem, const char* preset) {
  try {
    return !make_plan(problem, device_preset(preset)).steps.empty();
  } catch (const Exception&) {
    return false;
  }
}

}  // namespace

TEST_CASE("a grid of few blocks has wide ones rather than twice as many", "[plan][cost]") {
  for (const auto& [m, n] : {std::pair(5, 16), std::pair(2, 32)}) {
    INFO(m << "x" << n);
    CHECK(straight_step_for(m, n, 8, Order::row).tile == TileShape{16, 16, 16});
  }
}

TEST_CASE("dot products of several columns read both operands along K", "[plan][cost]") {
  CHECK(straight_step_for(997, 2, 8698, Order::col, "main_loop=straight").schedule.lanes_of_k > 0);
  CHECK(straight_step_for(997, 2, 8698, Order::row).schedule.lanes_of_k == 0);
  CHECK(straight_step_for(997, 1, 8698, Order::row).schedule.lanes_of_k > 0);
  // Chunks of three columns that begin anywhere are all cut out of two.
  CHECK(straight_step_for(13649, 3, 644, Order::col).schedule.lanes_of_k == 0);
}

TEST_CASE("many blocks have so few parts of K that an SM's registers hold them together",
          "[plan][cost]") {
  // Five blocks of an SM; with six parts each, whose sums are added at once, two are held, and
  // three parts were measured to take 0.83 of their time.
  CHECK(straight_step_for(237, 2589, 81, Order::col, "main_loop=straight").threads <= 3 * 32);
  // Two to four blocks of an SM, whose first group adds for all the others: 8 parts were measured
  // to take 1.9 and 1.5 times as long.
  CHECK(straight_step_for(4, 8759, 123, Order::col).threads <= 4 * 32);
  CHECK(straight_step_for(111, 3673, 356, Order::row, "main_loop=straight").threads <= 4 * 32);
}

TEST_CASE("what memory has to send comes sooner by TMA", "[plan][cost]") {
  const auto main_loop = [](Index n, Index k) {
    return straight_step_for(16, n, k, Order::col).schedule.main_loop;
  };
  CHECK(main_loop(64, 32) == MainLoop::straight);
  CHECK(main_loop(1024, 256) == MainLoop::warp_specialised);
}

TEST_CASE("many blocks that load and store little wait for the kernel ahead alone",
          "[plan][cost]") {
  const auto release = [](Index m, Index n, Index k) {
    return straight_step_for(m, n, k, Order::row, "main_loop=straight").schedule.releases;
  };
  // The next kernel's blocks lie beside them from the start.
  CHECK(release(14974, 8, 16) == Release::after_previous);
  CHECK(release(5377, 8, 72) == Release::after_previous);
  // Each reads rows of its own of all but B.
  CHECK(release(3284, 8, 384) == Release::after_previous);
  // D is large here, A there.
  CHECK(release(489, 718, 100) == Release::after_main_loop);
  CHECK(release(11929, 8, 792) == Release::after_main_loop);
}

TEST_CASE("operands of straight kernels are asked for while the kernel ahead is at work",
          "[plan][cost]") {
  const auto first = [](Index m, Index n, Index k, const char* config = "main_loop=straight") {
    const Problem problem =
        problem_of(m, n, k, {DType::bf16, DType::bf16}, {Order::row, Order::row});
    return gemm_step(make_plan(problem, device_preset("h200"), parse_config(config)))
        .schedule.first_stages;
  };
  CHECK(first(888, 8, 672) == FirstStages::prefetched);
  CHECK(first(64, 64, 64) == FirstStages::after_barrier);     // 16 KB
  CHECK(first(12000, 8, 792) == FirstStages::after_barrier);  // 18 MB
  CHECK(first(888, 8, 672, "main_loop=straight first_stages=after_barrier") ==
        FirstStages::after_barrier);
  CHECK(first(64, 64, 64, "main_loop=straight first_stages=prefetched") == FirstStages::prefetched);
}

TEST_CASE("a caller's tile is released as it suits, not as the planner's own", "[plan][cost]") {
  const auto release = [](const char* config) {
    const Problem problem =
        problem_of(265, 8, 296, {DType::bf16, DType::bf16}, {Order::row, Order::row});
    return gemm_step(make_plan(problem, device_preset("h200"), parse_config(config)))
        .schedule.releases;
  };
  // Nine blocks, and 34.
  CHECK(release("main_loop=straight tile=32x16x320 atom_layout=(1,1,4)") == Release::at_start);
  CHECK(release("main_loop=straight tile=16x8x320 atom_layout=(1,1,4)") == Release::after_previous);
}

TEST_CASE("a problem without rows, columns, K or matrices is planned whatever its types and orders",
          "[plan][empty]") {
  constexpr std::array kTypes{
      test::ProblemTypes{DType::f32, DType::f32},   test::ProblemTypes{DType::bf16, DType::bf16},
      test::ProblemTypes{DType::f16, DType::f32},   test::ProblemTypes{DType::tf32, DType::f32},
      test::ProblemTypes{DType::f64, DType::f64},   test::ProblemTypes{DType::s8, DType::s32},
      test::ProblemTypes{DType::e4m3, DType::bf16}, test::ProblemTypes{DType::e5m2, DType::f16}};
  constexpr std::array kOrders{Order::row, Order::col};
  for (const char* preset : {"h200", "a100", "t4", "rtx5090"})
    for (const test::ProblemTypes& types : kTypes) {
      const Problem any = test::problem_of(1, 1, 1, types);
      if (!runs_on(any, preset)) continue;
      for (const Order a : kOrders)
        for (const Order b : kOrders)
          for (const Index other : {Index{45}, Index{5000}, Index{4096}})
            for (int empty = 0; empty < 4; ++empty) {
              Problem problem = test::problem_of(empty == 0 ? 0 : 33, empty == 1 ? 0 : other,
                                                 empty == 2 ? 0 : 77, types, {a, b});
              if (empty == 3) problem.batch = 0;
              INFO(preset << " " << to_string(problem));
              CHECK(check(make_plan(problem, device_preset(preset))).empty());
              std::swap(problem.m, problem.n);
              CHECK(check(make_plan(problem, device_preset(preset))).empty());
            }
    }
}
