// Asks the family of a candidate's tile.
#include "plan/shapes/block_of.hpp"

#include <algorithm>

#include "plan/shapes/thread_groups.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/warp_groups.hpp"
#include "plan/shapes/warp_tiles.hpp"

namespace jute::plan {
namespace {

Block of_warp_groups(const Candidate& one, const KernelProblem& problem, const DeviceInfo& device) {
  Tile tile = one.tile;
  tile.stages = std::min(tile.stages, warp_group_stages(tile.m, tile.n, device));
  return warp_group_block(tile, problem);
}
Block of_thread_groups(const Candidate& one, const KernelProblem& problem,
                       const DeviceInfo& /*any*/) {
  return thread_group_block(one.tile, problem);
}
Block of_warps(const Candidate& one, const KernelProblem& problem, const DeviceInfo& /*any*/) {
  Tile tile = one.tile;
  const int k = one.atom.shape.k * tile.groups_k;
  if (is_one_instruction(one.family, k, problem)) tile.k_bytes = k * width_bytes(problem.a.type);
  return warp_tile_block(tile, row_of(one.family).transfer, problem);
}
Block of_threads(const Candidate& one, const KernelProblem& problem, const DeviceInfo& /*any*/) {
  Tile tile = one.tile;
  const TileShape open = open_tile(problem, tile);
  tile.m = open.m, tile.n = open.n;
  return thread_tile_block(tile, thread_tile_accesses(tile, problem), problem);
}

using BlockOf = Block (*)(const Candidate&, const KernelProblem&, const DeviceInfo&);
BlockOf function_of(Family family) {
  switch (family) {
    case Family::warp_groups:
      return of_warp_groups;
    case Family::thread_groups:
      return of_thread_groups;
    case Family::warps_async:
    case Family::warps_registers:
      return of_warps;
    default:
      return of_threads;
  }
}

}  // namespace

Block block_of(const Candidate& candidate, const KernelProblem& problem, const DeviceInfo& device) {
  return function_of(candidate.family)(candidate, problem, device);
}

}  // namespace jute::plan
