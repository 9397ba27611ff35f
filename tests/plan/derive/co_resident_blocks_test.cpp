// Batches of small matrices, each one k-tile: blocks of an SM that walk beside each other.
#include <jute/launch/device_presets.hpp>

#include "plan/values/step_grid.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using namespace jute::plan;
using test::problem_of;

namespace {

Problem batch_of(Index extent, Index k, Index batch) {
  Problem problem = problem_of(extent, extent, k, {DType::bf16, DType::bf16});
  problem.batch = batch;
  return problem;
}

GemmStep co_resident_step(const Problem& problem, const char* wishes = "") {
  return gemm_step(make_plan(problem, device_preset("h200"), parse_config(wishes)));
}

bool is_walked_alone(const GemmStep& step) {
  return step.schedule.persistent_blocks <= device_preset("h200").sm_count;
}

}  // namespace

TEST_CASE("small matrices of one k-tile have blocks beside each other, and these one loading warp",
          "[plan][cost]") {
  const DeviceInfo device = device_preset("h200");
  const GemmStep co_resident = co_resident_step(batch_of(64, 64, 1024));
  CHECK(co_resident.schedule.ping_pong == 1);
  CHECK(role_of(co_resident, "producer").warps == 1);
  CHECK(co_resident.schedule.releases == Release::at_start);
  CHECK(co_resident_blocks(co_resident, device) == 4);
  // No more blocks than the rounds of tiles need, as ever.
  CHECK(co_resident.schedule.persistent_blocks == 512);
  // Shared memory holds that many.
  CHECK(4 * (co_resident.dynamic_smem_bytes + 1024) <= device.smem_bytes_per_sm);
  CHECK(is_walked_alone(co_resident_step(batch_of(64, 64, 512))));
  CHECK(is_walked_alone(co_resident_step(batch_of(64, 128, 1024))));
  CHECK(is_walked_alone(co_resident_step(batch_of(64, 16, 1024))));
  CHECK(is_walked_alone(co_resident_step(batch_of(128, 64, 1024))));
  CHECK(is_walked_alone(co_resident_step(batch_of(64, 64, 1024), "stages=4")));
}

TEST_CASE("they ask the cache ahead for their own B, not for one that all of them read",
          "[plan][cost]") {
  Problem problem = batch_of(64, 64, 1024);
  CHECK(co_resident_step(problem).schedule.first_stages == FirstStages::prefetched);
  problem.b.broadcast = true;
  const GemmStep shared = co_resident_step(problem);
  CHECK(co_resident_blocks(shared, device_preset("h200")) == 4);
  CHECK(shared.schedule.first_stages == FirstStages::by_initialiser);
}
