// Lanes along M and N, warps along all three, and what a thread loads of each operand.
#include "plan/shapes/direct/lane_tiles.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <vector>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/shapes/direct/straight_form.hpp"
#include "plan/shapes/thread_tiling.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {

namespace {

// Registers of a thread beside sums and what it has asked for: addresses, bounds, counters.
constexpr int kOwnOfLane = 32;
constexpr double kBytesOfWord = 4;

/// Accesses of so many lanes that lie along the operand's rows, of which each has some.
struct LanesAlong {
  int lanes, rows;
  Index extent;
};

/// That a warp's load reads: of neighbours along M or N, of which lanes have runs, together.
double sectors_of_load(const KernelMatrix& matrix, const LanesAlong& along) {
  const Index most = std::max<Index>(along.extent, 1);
  if (matrix.major == Major::k) return static_cast<double>(std::min<Index>(along.lanes, most));
  const int run = std::gcd(std::max(along.rows, 1), elements_of_chunk(matrix.type));
  return std::max(1.0, static_cast<double>(std::min<Index>(Index{along.lanes} * run, most) *
                                           width_bytes(matrix.type)) /
                           kSector);
}

Accesses lane_tile_side(const KernelMatrix& matrix, int mine, const Tile& tile) {
  const int of_chunk = elements_of_chunk(matrix.type), width = width_bytes(matrix.type);
  const int run = std::gcd(matrix.major == Major::k ? tile.k_run : mine, of_chunk);
  const int vector = std::gcd(run, std::max(1, matrix.access_bytes / width));
  const int elements = mine * tile.k_run * tile.k_steps;
  return {.loads = static_cast<double>(elements) / vector, .elements = elements};
}

}  // namespace

Tile covered_by_lanes(Tile tile, const KernelProblem& problem) {
  tile.m = tile.lanes_m * tile.groups_m * tile.repeat_m;
  tile.n = tile.lanes_n * tile.groups_n * tile.repeat_n;
  tile.k_bytes = tile.groups_k * tile.k_run * tile.k_steps * width_bytes(problem.a.type);
  return tile;
}

BothAccesses lane_accesses(const Tile& tile, const KernelProblem& problem) {
  return {lane_tile_side(problem.a, tile.repeat_m, tile),
          lane_tile_side(problem.b, tile.repeat_n, tile)};
}

Block lane_block(const Tile& tile, const BothAccesses& accesses, const KernelProblem& problem,
                 const DeviceInfo& device) {
  const int width = width_bytes(problem.a.type);
  const TileShape shape{tile.m, tile.n, tile.k_bytes / width};
  const int parts = std::max(tile.groups_k, 1), warps = tile.groups_m * tile.groups_n * parts;
  const double sums = tile.repeat_m * tile.repeat_n;
  const double words = (tile.repeat_m + tile.repeat_n) * (shape.k / parts) * width / kBytesOfWord;
  Block block = block_of_tile(shape, problem);
  block.threads = warps * kWarp, block.warps = warps;
  const int matrices =
      parts > 1 ? 1
                : std::max(matrices_of_block(warps * kWarp, shape, problem.m.value, problem.n.value,
                                             problem.batch.value, device),
                           1);
  block = with_matrices(block, matrices);
  block.registers = kOwnOfLane + sums + words;
  const double sectors =
      accesses.a.loads *
          sectors_of_load(problem.a, {tile.lanes_m, tile.repeat_m, problem.m.value}) +
      accesses.b.loads * sectors_of_load(problem.b, {tile.lanes_n, tile.repeat_n, problem.n.value});
  block.accesses = block.warps * sectors;
  set_loads(block, accesses, problem);
  block.parts = parts;
  return block;
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

namespace {

/// Warps of a block: those that share out K lie in one row and column.
struct LaneTileWarps {
  int m, n, parts_of_k;
};
constexpr std::array kLaneTileWarps{
    LaneTileWarps{1, 1, 1}, LaneTileWarps{2, 2, 1}, LaneTileWarps{4, 1, 1}, LaneTileWarps{1, 4, 1},
    LaneTileWarps{1, 1, 2}, LaneTileWarps{2, 1, 2}, LaneTileWarps{1, 2, 2}, LaneTileWarps{1, 1, 4},
    LaneTileWarps{1, 1, 8}, LaneTileWarps{1, 1, 16}};

/// Bits are written by the byte, which lanes of a warp must have whole between them.
bool has_whole_bytes(const Tile& tile, const KernelProblem& problem) {
  constexpr int kBitsInByte = 8;
  return std::ranges::all_of(problem.outputs, [&](const KernelOperand& output) {
    const bool by_rows = order_of(output.matrix) == Order::row;
    const int neighbours = by_rows ? tile.lanes_n * tile.repeat_n : tile.lanes_m * tile.repeat_m;
    return !output.is_bits || neighbours % kBitsInByte == 0;
  });
}

/// Few groups do not share out a long K, nor many a short one; sums of 16 bits are not added.
bool is_shared_out(int parts_of_k, Index k, bool adds) {
  constexpr Index kMostOfFew = 512, kLeastOfMany = 2;
  constexpr int kFewParts = 2;
  if (!adds) return parts_of_k == 1;
  return (parts_of_k > kFewParts || k <= kMostOfFew) &&
         (parts_of_k == 1 || k >= kLeastOfMany * parts_of_k);
}

/// Neighbours along K that a thread takes: a chunk of what lies along K.
std::vector<int> runs_along_k(const KernelProblem& problem) {
  if (problem.a.major == Major::k || problem.b.major == Major::k)
    return {std::max(elements_of_chunk(problem.a.type), elements_of_chunk(problem.b.type))};
  return {1, 2, 4};
}

/// Rows, or columns, that a thread may have of an extent: powers of two; of many tiny products
/// also what makes a tile all of one.
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

}  // namespace

void for_lane_tiles(const KernelProblem& problem, const DeviceInfo& device,
                    const LookAtTile& look) {
  constexpr int kFewLanes = 4;
  constexpr int kMostWords = 64;  // of a thread's fragments
  constexpr int kMostSums = 32;   // of a thread, and of one that shares K with others
  constexpr int kMostSharedSums = 16;
  // All of such an extent of a tile has work, but for less than a half of it.
  const auto is_filled = [](int own, int most, Index extent) {
    return own <= most || own < 2 * std::max<Index>(extent, 1);
  };
  const Index m = problem.m.value, n = problem.n.value;
  const Index k = std::max<Index>(problem.k.value, 1);
  const int width = width_bytes(problem.a.type);
  const bool adds = problem.accumulate != DType::f16;
  const std::vector<int> runs = runs_along_k(problem);
  for (int lanes_m = 1; lanes_m <= kWarp; lanes_m *= 2) {
    const int lanes_n = kWarp / lanes_m;
    if (!is_filled(lanes_m, kFewLanes, m) || !is_filled(lanes_n, 2 * kFewLanes, n)) continue;
    const std::vector<int> all_rows = held_by_lane(m, lanes_m, problem, device);
    const std::vector<int> all_columns = held_by_lane(n, lanes_n, problem, device);
    for (const LaneTileWarps& warps : kLaneTileWarps) {
      if (!is_shared_out(warps.parts_of_k, k, adds)) continue;
      for (const int rows : all_rows) {
        if (!is_filled(lanes_m * warps.m * rows, lanes_m, m)) continue;
        for (const int columns : all_columns) {
          if (!is_filled(lanes_n * warps.n * columns, lanes_n, n) ||
              rows * columns > (warps.parts_of_k > 1 ? kMostSharedSums : kMostSums))
            continue;
          for (const int run : runs)
            for (int steps = 1; steps <= 4; steps *= 2) {
              const Index own = Index{run} * steps;
              if ((rows + columns) * own * width > 4 * kMostWords) break;
              if (own * warps.parts_of_k > 2 * k && (steps > 1 || warps.parts_of_k > 1)) break;
              const Tile tile{.groups_m = warps.m,
                              .groups_n = warps.n,
                              .groups_k = warps.parts_of_k,
                              .lanes_m = lanes_m,
                              .lanes_n = lanes_n,
                              .repeat_m = rows,
                              .repeat_n = columns,
                              .k_steps = steps,
                              .k_run = run};
              if (has_whole_bytes(tile, problem)) look(tile);
            }
        }
      }
    }
  }
}

}  // namespace jute::plan
