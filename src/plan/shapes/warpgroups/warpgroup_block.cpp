// Reads counts off types, strides, extents and a tile.
#include "plan/shapes/warpgroups/warpgroup_block.hpp"

#include <algorithm>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/convert/stored_elements.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/shapes/tile_boxes.hpp"
#include "plan/shapes/warpgroup_ways.hpp"
#include "plan/shapes/warpgroups/edge_rows.hpp"
#include "plan/shapes/warpgroups/room.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

/// Instructions of warpgroups in a k-tile that fetch scales and multiply sums by them, beside
/// adding those.
double scaled_in(const Tile& tile, const KernelProblem& problem) {
  constexpr int kRowsOfGroup = 64, kRowLines = 2, kColumnLanes = 4;
  if (!problem.a.scales && !problem.b.scales) return 0;
  const Index rows = Index{tile.m} / (kRowsOfGroup * tile.groups_m) * kRowLines,
              columns = Index{tile.n} / (kColumnLanes * tile.groups_n);
  const auto lines = [&](const KernelMatrix& matrix, Index extent, Index of_thread,
                         GroupedAlong along) {
    return matrix.scales ? scale_lines(matrix.scales->block_outer, extent, of_thread,
                                       tiles_begin(problem.groups, along),
                                       along == GroupedAlong::n && tile.groups_n == 1)
                         : ScaleLines{ScalesBy::one, 1};
  };
  const ScaleWork work =
      scale_work(lines(problem.a, tile.m, rows, GroupedAlong::m),
                 lines(problem.b, tile.n, columns, GroupedAlong::n), rows, columns);
  const int row_k = tile.k_bytes / width_bytes(problem.a.type);
  const double runs = row_k / within_blocks(problem, row_k);
  const double added = (runs - 1) * static_cast<double>(rows * columns);
  return tile.groups_m * tile.groups_n * (runs * work.instructions + added);
}

/// Instructions of warps in a k-tile that read A as it is stored, and make fragments of it that are
/// multiplied.
double converted_in(const Block& block, const KernelProblem& problem) {
  constexpr double kReads = 1;  // of the SM's, a quarter of the time
  if (!problem.a.stored) return 0;
  const StoredOperand plain{problem.a.stored->type, {}};
  const double instructions = stored_elements(plain, problem.a.type, 1).instructions + kReads;
  return instructions * block.m * block.k / kWarp;
}

/// Instructions of the producer's warps in a k-tile that copy what TMA does not bring.
double copied_in(const Block& block, const KernelProblem& problem) {
  const auto copies = [&](const KernelMatrix& matrix, double rows) {
    if (matrix.carry != Transfer::cp_async) return 0.0;
    return rows * block.k / elements_in(matrix.access_bytes, matrix.type) / kWarp;
  };
  return copies(problem.a, block.m) + copies(problem.b, block.n);
}

}  // namespace

WarpgroupBlocks::WarpgroupBlocks(const KernelProblem& problem, const DeviceInfo& device)
    : problem_(problem), device_(device), of_problem_(block_of_tile({1, 1, 1}, problem)) {
  Block& block = of_problem_;
  block.a_bytes *= stored_share(problem.a);
  block.b_bytes *= stored_share(problem.b);
  block.products = products_of_tile(problem);
  block.terms = problem.a.terms;
  block.maps = maps_of_group(problem);
  block.run = problem.products.empty() ? 0 : usual_promotion(problem, 1);
  block.behind = problem.launches == Launches::behind_others ? 1 : 0;
  block.sum_bytes = width_bytes(problem.accumulate);
  block.d_anywhere = begins_anywhere(problem.d) ? 1 : 0;
  block.d_cut_sectors = has_cut_sectors(problem) ? 1 : 0;
}

Block WarpgroupBlocks::of_shape(const Tile& tile) const {
  constexpr int kWarpsOfGroup = 4;
  Block block = of_problem_;
  block.m = tile.m, block.n = tile.n, block.k = tile.k_bytes / block.width;
  block.products *= block.m * block.n * block.k;
  block.warps = kWarpsOfGroup * tile.groups_m * tile.groups_n;
  block.teams = tile.ping_pong;
  block.cluster_m = tile.cluster.m, block.cluster_n = tile.cluster.n;
  block.most_resident = tile.co_resident;
  block.copies = copied_in(block, problem_);
  return block;
}

void WarpgroupBlocks::set_drain(Block& block, const Tile& tile) const {
  block.d_along_m = tile.swapped ? 1 : 0;
  block.d_direct = is_direct(tile, problem_) ? 1 : 0;
  block.d_rows = is_by_rows(tile, problem_) ? 1 : 0;
}

void WarpgroupBlocks::complete(Block& block, const Tile& tile) const {
  const EdgeUnits units = edge_units(tile, problem_);
  block.a_unit = static_cast<double>(units.a), block.b_unit = static_cast<double>(units.b);
  block.half_stages = stages_of_half(tile, problem_, device_);
  block.boxes = boxes_of_tile({tile.m / tile.cluster.n, tile.n / tile.cluster.m,
                               tile.k_bytes / width_bytes(problem_.a.type)},
                              problem_);
  block.converted = converted_in(block, problem_);
  block.scaled = scaled_in(tile, problem_);
}

Block WarpgroupBlocks::operator()(const Tile& tile) const {
  Block block = of_shape(tile);
  set_drain(block, tile);
  complete(block, tile);
  return block;
}

}  // namespace jute::plan
