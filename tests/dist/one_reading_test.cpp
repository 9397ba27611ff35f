// Kernels that follow each other at once read B by blocks of their own.
#include <jute/dist/distributed_plan.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/words/summary.hpp>

#include <string>

#include "support/catch.hpp"

namespace jute::test {
namespace {

DistributedPlan all_reduced(const std::string& rows, OverlapChoice overlap,
                            const Config& config = {}) {
  DistributedProblem problem =
      parse_distributed_problem("M=" + rows +
                                " N=8192 K=28672 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 mesh=tp=2 "
                                "place=A=K@tp,B=K@tp share=K@tp");
  problem.overlap = overlap;
  return make_plan(problem, device_preset("h200"), config);
}

const Plan& product_of_all(const DistributedPlan& plan) { return plan.kernels.front(); }

}  // namespace

TEST_CASE("products whose summands are read in place have one tile of rows where that is near",
          "[dist][one-shot]") {
  const DistributedPlan apart = all_reduced("128", OverlapChoice::none);
  const DistributedPlan at_once = all_reduced("128", OverlapChoice::one_shot);
  // Two H200s took 108 us with the first kernel, 81 with the second.
  REQUIRE(gemm_step(product_of_all(apart)).tile.m == 64);
  CHECK(gemm_step(product_of_all(at_once)).tile.m == 128);
  CHECK(expected_time(product_of_all(at_once)).us <=
        1.05 * expected_time(product_of_all(apart)).us);
  // Of more rows than any tile has, of one tile, and of tiles that are asked for.
  for (const std::string rows : {"64", "512"})
    CHECK(gemm_step(product_of_all(all_reduced(rows, OverlapChoice::one_shot))).tile ==
          gemm_step(product_of_all(all_reduced(rows, OverlapChoice::none))).tile);
  Config asked;
  asked.tile = TileShape{64, 128, 64};
  CHECK(gemm_step(product_of_all(all_reduced("128", OverlapChoice::one_shot, asked))).tile ==
        *asked.tile);
}

}  // namespace jute::test
