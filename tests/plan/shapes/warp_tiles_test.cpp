// Tiles that warps copy and multiply: on chips without wgmma, and of what it does not multiply.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/values/plan.hpp>

#include <algorithm>
#include <cmath>

#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;

namespace {

Problem f64_problem(Index m, Index n, Index k, Order a = Order::row, Order b = Order::row,
                    Index batch = 1) {
  Problem problem = test::problem_of(m, n, k, {DType::f64, DType::f64}, {a, b});
  problem.batch = batch;
  return problem;
}
GemmStep warps_of(const Problem& problem, const char* preset = "h200") {
  return gemm_step(make_plan(problem, device_preset(preset)));
}
Index count_of_tiles(const Problem& problem, const GemmStep& step) {
  return ceil_div(problem.m, Index{step.tile.m}) * ceil_div(problem.n, Index{step.tile.n}) *
         problem.batch;
}
DType d_type_for(DType type) {
  return type == DType::s8 ? DType::s32 : type == DType::tf32 ? DType::f32 : type;
}
bool is_copied(const GemmStep& step) {
  return step.mma.atom().form == MmaForm::mma && step.schedule.main_loop == MainLoop::multistage;
}

}  // namespace

TEST_CASE("K of one instruction has a k-tile of one, but where the next is read ahead",
          "[plan][warps]") {
  const Problem odd =
      test::problem_of(2264, 207, 5, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  CHECK(warps_of(odd).tile.k == 16);
  const Problem floats =
      test::problem_of(96, 16, 14, {DType::e4m3, DType::bf16}, {Order::row, Order::col});
  for (const char* preset : {"h200", "rtx5090", "l40s"}) {
    const GemmStep step = gemm_step(
        make_plan(floats, device_preset(preset), parse_config("main_loop=multistage pad=on")));
    CHECK(step.tile.k % (2 * step.mma.atom().shape.k) == 0);
  }
}

TEST_CASE("tiles of f64 are no wider than D", "[plan][warps]") {
  const Problem narrow = f64_problem(728, 32, 16, Order::col, Order::row, 1000);
  CHECK(warps_of(narrow).mma.atom().form == MmaForm::mma);
  CHECK(warps_of(narrow).tile.n <= 32);
}

TEST_CASE("tiles of f64 deal their elements out to all SMs", "[plan][warps]") {
  constexpr double kMostIdle = 0.25;
  for (const Problem& problem :
       {f64_problem(1152, 1936, 896, Order::row, Order::col), f64_problem(265, 1668, 776),
        f64_problem(2845, 845, 381, Order::col), f64_problem(1001, 1003, 999)})
    for (const char* preset : {"h200", "a100"}) {
      const GemmStep step = warps_of(problem, preset);
      INFO(preset << " " << to_string(problem) << " " << step.tile.m << "x" << step.tile.n);
      REQUIRE(is_copied(step));
      const double of_sm = static_cast<double>(count_of_tiles(problem, step)) *
                           step.schedule.split_k / device_preset(preset).sm_count;
      CHECK(of_sm / std::max(1.0, std::ceil(of_sm)) >= 1 - kMostIdle);
    }
}

TEST_CASE("warps of f64 share out a long K where tiles are few, and large tiles do not",
          "[plan][warps]") {
  const auto parts = [](const Problem& problem) {
    return size(warps_of(problem).mma.atom_layout()[2]);
  };
  CHECK(parts(f64_problem(16, 4096, 4096)) > 1);
  CHECK(parts(f64_problem(222, 1045, 1477, Order::col)) > 1);
  CHECK(parts(f64_problem(2048, 2048, 2048)) == 1);
  CHECK(warps_of(f64_problem(2048, 2048, 2048)).tile == TileShape{128, 128, 16});
}

TEST_CASE("tiles of f64 are explained by what they were ranked by", "[plan][warps][law]") {
  for (const Problem& problem :
       {f64_problem(1250, 94, 6188, Order::col, Order::col), f64_problem(1001, 1003, 999),
        f64_problem(265, 1668, 776), f64_problem(200, 200, 64, Order::row, Order::row, 100)}) {
    INFO(to_string(problem));
    std::vector<double> clocks;
    for (const Considered& one : considered(problem, device_preset("h200")))
      if (one.prediction) clocks.push_back(one.prediction->clocks);
    REQUIRE(clocks.size() > 4);
    CHECK(std::ranges::is_sorted(clocks.begin(), clocks.begin() + 4));
  }
}

TEST_CASE("every chip cuts a long K where tiles are few", "[plan][warps][slices]") {
  for (const DeviceInfo& device : device_presets())
    for (const DType type : {DType::f16, DType::s8})
      for (const auto& [m, n] : {std::pair(64, 64), std::pair(63, 65), std::pair(16, 1000)}) {
        const Problem problem = test::problem_of(m, n, 20000, {type, d_type_for(type)});
        const GemmStep step = gemm_step(make_plan(problem, device));
        INFO(device.name << " " << to_string(problem));
        CHECK(count_of_tiles(problem, step) * step.schedule.split_k * 3 >= device.sm_count);
      }
}

TEST_CASE("tiles of tensor cores are no larger than leaves most of a chip without work",
          "[plan][warps]") {
  for (const char* preset : {"a100", "rtx3090", "l40s", "rtx5090"})
    for (const Index extent : {512, 1024, 1536}) {
      const Problem problem = test::problem_of(extent, extent, extent, {DType::f16, DType::f16});
      const GemmStep step = warps_of(problem, preset);
      INFO(preset << " " << extent << " " << step.tile.m << "x" << step.tile.n);
      CHECK(count_of_tiles(problem, step) * step.schedule.split_k * 2 >=
            device_preset(preset).sm_count);
    }
}

TEST_CASE("what is told of a kernel's choices plans it again, copies of operands and all",
          "[plan][warps][config][law]") {
  using enum Order;
  for (const char* preset : {"t4", "a100", "l40s", "h200"})
    for (const auto& [m, n, k, type, a, b] : {std::tuple(64, 65, 6001, DType::f16, row, row),
                                              std::tuple(42, 1841, 2342, DType::tf32, col, row),
                                              std::tuple(908, 1507, 13, DType::tf32, row, col),
                                              std::tuple(2001, 2003, 2005, DType::f16, row, col),
                                              std::tuple(101, 203, 5001, DType::f64, row, row),
                                              std::tuple(48, 10001, 1000, DType::f32, row, row)}) {
      const DeviceInfo& device = device_preset(preset);
      const Problem problem = test::problem_of(m, n, k, {type, d_type_for(type)}, {a, b});
      INFO(preset << " " << to_string(problem));
      const Plan plan = make_plan(problem, device);
      const Plan again = make_plan(problem, device, considered(problem, device).front().config);
      CHECK(again.steps.size() == plan.steps.size());
      CHECK(gemm_step(again).symbol == gemm_step(plan).symbol);
    }
}
