// Lanes along M and N, warps along all three, and what a thread loads of each operand.
#include "plan/shapes/lane_tiles.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

#include "plan/chip/line.hpp"
#include "plan/shapes/straight_form.hpp"
#include "plan/shapes/thread_tiling.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {

double sectors_of_load(bool along_k, int lanes, int run, Index extent, int width) {
  const Index most = std::max<Index>(extent, 1);
  if (along_k) return static_cast<double>(std::min<Index>(lanes, most));
  return std::max(1.0,
                  static_cast<double>(std::min<Index>(Index{lanes} * run, most) * width) / kSector);
}
namespace {

/// A thread's part of an operand: so many of its rows.
struct Part {
  int mine, lanes;
  Index extent;
};

LaneLoads lane_tile_side(const KernelMatrix& matrix, const Part& part, const Tile& tile) {
  const bool along_k = matrix.major == Major::k;
  const int of_chunk = elements_of_chunk(matrix.type), width = width_bytes(matrix.type);
  const int run = std::gcd(along_k ? tile.k_run : part.mine, of_chunk);
  const int vector = std::gcd(run, std::max(1, matrix.access_bytes / width));
  const int elements = part.mine * tile.k_run * tile.k_steps;
  return {.along_k = along_k,
          .loads = static_cast<double>(elements) / vector,
          .are_single = vector == 1,
          .sectors = sectors_of_load(along_k, part.lanes, run, part.extent, width)};
}

StoredByLanes stored_by(const Tile& tile, const KernelProblem& problem) {
  if (problem.b.major == Major::k) return {1, 1};
  const int run = std::gcd(tile.repeat_n, elements_of_chunk(problem.b.type));
  const int together = std::max(1, problem.d.access_bytes / width_bytes(problem.d.type));
  return {std::gcd(run, together), run};
}

}  // namespace

double sectors_of(const TileShape& tile, int lanes_n, const StoredByLanes& stored, int width) {
  const double stores = static_cast<double>(tile.m) * tile.n / (lanes_n * stored.together);
  return stores * std::max(1.0, lanes_n * stored.apart * width / static_cast<double>(kSector));
}

LaneTileWork lane_work(const Tile& tile, const KernelProblem& problem) {
  const TileShape block{tile.lanes_m * tile.groups_m * tile.repeat_m,
                        tile.lanes_n * tile.groups_n * tile.repeat_n,
                        tile.groups_k * tile.k_run * tile.k_steps};
  const int k = tile.k_run * tile.k_steps;
  return {.warps = tile.groups_m * tile.groups_n * tile.groups_k,
          .parts_of_k = tile.groups_k,
          .tile = block,
          .rows = tile.repeat_m,
          .columns = tile.repeat_n,
          .k = k,
          .width = width_bytes(problem.a.type),
          .a = lane_tile_side(problem.a, {tile.repeat_m, tile.lanes_m, problem.m.value}, tile),
          .b = lane_tile_side(problem.b, {tile.repeat_n, tile.lanes_n, problem.n.value}, tile),
          .sectors = sectors_of(block, tile.lanes_n, stored_by(tile, problem),
                                width_bytes(problem.d.type))};
}

bool is_shared_out(int parts_of_k, Index k, bool adds) {
  constexpr Index kMostOfFew = 512, kLeastOfMany = 2;
  constexpr int kFewParts = 2;
  if (!adds) return parts_of_k == 1;
  return (parts_of_k > kFewParts || k <= kMostOfFew) &&
         (parts_of_k == 1 || k >= kLeastOfMany * parts_of_k);
}

std::vector<int> runs_along_k(const KernelProblem& problem) {
  if (problem.a.major == Major::k || problem.b.major == Major::k)
    return {std::max(elements_of_chunk(problem.a.type), elements_of_chunk(problem.b.type))};
  return {1, 2, 4};
}

std::vector<int> held_by_lane(Index extent, int lanes, const KernelProblem& problem,
                              const DeviceInfo& device) {
  constexpr Index kMost = 16;
  std::vector<int> held{1, 2, 4, 8};
  if (problem.batch.value <= most_blocks_at_once(device)) return held;
  const Index all = ceil_div(std::max<Index>(extent, 1), Index{lanes});
  if (all <= kMost && !std::has_single_bit(static_cast<std::uint64_t>(all)))
    held.push_back(static_cast<int>(all));
  return held;
}

bool has_whole_bytes(const Tile& tile, const KernelProblem& problem) {
  constexpr int kBitsInByte = 8;
  return std::ranges::all_of(problem.outputs, [&](const KernelOperand& output) {
    const bool by_rows = order_of(output.matrix) == Order::row;
    const int neighbours = by_rows ? tile.lanes_n * tile.repeat_n : tile.lanes_m * tile.repeat_m;
    return !output.is_bits || neighbours % kBitsInByte == 0;
  });
}

StraightForm lane_form(const Tile& tile, const KernelProblem& problem) {
  const int lanes = tile.lanes_m * tile.lanes_n;
  const auto along = [](int threads, int mine, const KernelMatrix& matrix) {
    const int run = matrix.major == Major::mn ? std::gcd(mine, elements_of_chunk(matrix.type)) : 1;
    return spread(threads, run, mine / run);
  };
  return {
      .atoms = Layout(IntTuple{IntTuple{tile.lanes_m, tile.groups_m},
                               IntTuple{tile.lanes_n, tile.groups_n}, tile.groups_k},
                      IntTuple{IntTuple{tile.lanes_n, lanes}, IntTuple{1, lanes * tile.groups_m},
                               lanes * tile.groups_m * tile.groups_n}),
      .permutation =
          Tiler({along(tile.lanes_m * tile.groups_m, tile.repeat_m, problem.a),
                 along(tile.lanes_n * tile.groups_n, tile.repeat_n, problem.b),
                 Tiler(Layout(IntTuple{tile.groups_k, tile.k_run}, IntTuple{tile.k_run, 1}))}),
      .repeat_m = 1,
      .repeat_n = 1,
      .k_steps = tile.k_steps};
}

}  // namespace jute::plan
