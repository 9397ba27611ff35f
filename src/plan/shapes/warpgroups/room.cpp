// The room of an SM that two blocks can have, as was measured on an H200.
#include "plan/shapes/warpgroups/room.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>

#include "plan/chip/residency.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/shapes/warpgroup_ways.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

// With fewer stages a block waits longer for memory than the next one for its start:
// bench/results/2026-11-26-room-beside-sums-tuning.md.
constexpr Index kLeastOfHalf = 3;
constexpr Index kBarriers = 1024;  // bytes, and what aligns stages

bool has_half_of_registers(const Tile& tile) {
  return tile.groups_m == 1 ? tile.n <= fitted::kMostOfOne
                            : tile.groups_m == 2 && tile.n <= fitted::kMostOfTwo;
}

}  // namespace

Index half_of_sm(const DeviceInfo& device) {
  return device.smem_bytes_per_sm / 2 - reserved_smem(device);
}

int stages_of_half(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  const bool is_one = tile.ping_pong == 1 && tile.split_k == 1 && blocks(tile.cluster) == 1;
  const bool is_plain = problem.products.empty() && usual_promotion(problem) == 0;
  if (!is_one || is_said_late(tile) || !is_plain || is_by_rows(tile, problem)) return 0;
  if (!has_half_of_registers(tile)) return 0;
  const Index stage_bytes = std::max<Index>(Index{tile.m + tile.n} * tile.k_bytes, 1);
  const Index stages = (half_of_sm(device) - kBarriers) / stage_bytes;
  const Index k_bytes = problem.k.value * width_bytes(problem.a.type);
  const Index k_tiles = ceil_div(k_bytes, std::max<Index>(tile.k_bytes, 1));
  return stages >= std::min(k_tiles, kLeastOfHalf) ? static_cast<int>(stages) : 0;
}

}  // namespace jute::plan
