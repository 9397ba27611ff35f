// Asks the family of a candidate's tile.
#include "plan/choose/families/block_of.hpp"

#include <algorithm>
#include <array>

#include "plan/choose/families/priced.hpp"
#include "plan/shapes/direct/dot_products.hpp"
#include "plan/shapes/direct/lane_tiles.hpp"
#include "plan/shapes/direct/line_tiles.hpp"
#include "plan/shapes/direct/straight_tiles.hpp"
#include "plan/shapes/thread_groups.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/warp_groups.hpp"
#include "plan/shapes/warp_tiles.hpp"
#include "plan/shapes/warpgroups/warpgroup_block.hpp"

namespace jute::plan {
namespace {

struct Given {
  const MmaAtom& atom;
  const KernelProblem& problem;
  const DeviceInfo& device;
};

Block of_warpgroups(Tile tile, const Given& of) {
  return warpgroup_block(tile, of.problem, of.device);
}
Block of_warp_groups(Tile tile, const Given& of) {
  tile.stages = std::min(tile.stages, warp_group_stages(tile.m, tile.n, of.device));
  return warp_group_block(tile, of.problem);
}
Block of_thread_groups(Tile tile, const Given& of) { return thread_group_block(tile, of.problem); }
template <Family kFamily>
Block of_warps(Tile tile, const Given& of) {
  const int k = of.atom.shape.k * tile.groups_k;
  if (is_one_instruction(kFamily, k, of.problem)) tile.k_bytes = k * width_bytes(of.problem.a.type);
  return warp_tile_block(tile, row_of(kFamily).transfer, of.problem);
}
Block of_threads(Tile tile, const Given& of) {
  const TileShape open = open_tile(of.problem, tile);
  tile.m = open.m, tile.n = open.n;
  return thread_tile_block(tile, thread_tile_accesses(tile, of.problem), of.problem);
}
Block of_straight_tiles(Tile tile, const Given& of) {
  tile = covered_by_warps(tile, of.atom, of.problem);
  return straight_block(tile, straight_accesses(tile, of.atom, of.problem), of.problem, of.device);
}
Block of_lane_tiles(Tile tile, const Given& of) {
  tile = covered_by_lanes(tile, of.problem);
  return lane_block(tile, lane_accesses(tile, of.problem), of.problem, of.device);
}
Block of_dot_products(Tile tile, const Given& of) {
  tile = covered_by_dots(tile, of.problem);
  return dot_block(tile, dot_accesses(tile, of.problem), of.problem);
}
Block of_lines(Tile tile, const Given& of) {
  return line_block(covered_by_lines(tile, of.atom, of.problem), of.atom.form, of.problem);
}

/// In the order of families.
using BlockOfTile = Block (*)(Tile, const Given&);
constexpr std::array<BlockOfTile, kFamilies.size()> kBlockOfTile{of_warpgroups,
                                                                 of_warp_groups,
                                                                 of_thread_groups,
                                                                 of_warps<Family::warps_async>,
                                                                 of_warps<Family::warps_registers>,
                                                                 of_threads,
                                                                 of_threads,
                                                                 of_straight_tiles,
                                                                 of_lane_tiles,
                                                                 of_dot_products,
                                                                 of_lines,
                                                                 of_lines};

}  // namespace

Block block_of(Family family, const MmaAtom& atom, const Tile& tile, const KernelProblem& problem,
               const DeviceInfo& device) {
  return kBlockOfTile.at(static_cast<size_t>(family))(tile, {atom, problem, device});
}

KernelCost cost_of(const Candidate& candidate, const KernelProblem& problem,
                   const DeviceInfo& device) {
  const auto& [atom, family, tile] = candidate;
  const KernelProblem seen = tile.swapped ? transposed(problem) : problem;
  const Block block = block_of(family, atom, tile, seen, device);
  return {block, grid_of(block, seen), cut_of(tile), law_of(family, atom.form, seen, device), {}};
}

}  // namespace jute::plan
