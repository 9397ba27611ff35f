// Threads that hold many sums add those of slices as others do.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/values/plan.hpp>

#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// Sums of a thread of a warp's instructions.
Index sums_of_thread(const GemmStep& step) {
  const Layout& atoms = step.mma.atom_layout();
  return Index{step.tile.m} * step.tile.n / 32 / size(atoms[0]) / size(atoms[1]);
}

}  // namespace

TEST_CASE("of tiles whose threads have more than 64 sums K is cut as of others",
          "[plan][split_k]") {
  const DeviceInfo& chip = device_preset("a100");
  int small_cut = 0, large_cut = 0;
  for (const DType type : {DType::bf16, DType::f16, DType::tf32, DType::s8})
    for (const auto& [m, n, k] : {TileShape{64, 10240, 8192}, TileShape{128, 8192, 28672},
                                  TileShape{256, 256, 65536}, TileShape{2304, 2304, 4096}}) {
      const Problem problem =
          problem_of(m, n, k, {type, usual_output_type(type)}, {Order::row, Order::col});
      for (const Considered& one : considered(problem, chip)) {
        if (!one.refused.empty()) continue;
        const GemmStep step = gemm_step(make_plan(problem, chip, one.config));
        if (step.mma.atom().form != MmaForm::mma) continue;
        if (step.schedule.split_k > 1) ++(sums_of_thread(step) > 64 ? large_cut : small_cut);
      }
      if (m == n && m < 2304)  // few tiles, and K is long
        CHECK(gemm_step(make_plan(problem, chip)).schedule.split_k > 1);
    }
  CHECK(small_cut > 0);
  CHECK(large_cut > 0);
}
