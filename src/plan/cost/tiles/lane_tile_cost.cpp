// Turns of loads, products and sums, in clocks of f32 kernels on an H200.
#include "plan/cost/tiles/lane_tile_cost.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plan/chip/line.hpp"
#include "plan/chip/residency.hpp"
#include "plan/chip/warp.hpp"
#include "plan/shapes/thread_tiling.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

// Clocks on the scale of the other kernels' model, fitted to times of f32 kernels on an H200. From
// one kernel to the next; sooner where a grid has fewer blocks than these, for each halving.
constexpr double kLaneTileLaunch = 1353, kLaneTileFewBlocks = 16, kLaneTileHalving = 354;

// A turn of loads, and each load of a thread.
constexpr double kLaneTileTurn = 429, kLaneTileTurnOfLoad = 12.9;

// Of an SM: a multiply-add of a warp; a warp's load, and each sector that it reads, of rows along K
// one in each, along M or N side by side; how much of it one of single elements takes.
constexpr double kLaneTileMultiplyAdd = 0.258, kLoad = 2.01, kOfRow = 0.717,
                 kLaneTileBeside = 0.188, kSingleAlongK = 0.27, kSingleAlongMn = 0.536;

// For each sum that is added to one of the first group of those that share out K, by the blocks of
// an SM that add at once.
constexpr double kLaneTileAdded = 12.1, kLaneTileMostAdding = 4;

constexpr double kLaneTileBlock = 143,
                 kLaneTileStored = 0.803;  // of an SM: a block, a sector of D in a store

constexpr double kLaneTileMemory = 1582;  // bytes of the operands in a clock
constexpr double kWritten = 29;           // sectors of D, or parts of one, in a clock

// Registers of a thread beside sums, and for each word of a fragment.
constexpr double kLaneTileOwn = 36, kLaneTileOfWord = 0.84;

double lane_tile_load_clocks(const LaneLoads& side) {
  const double of_sectors = side.sectors * (side.along_k ? kOfRow : kLaneTileBeside);
  const double part = side.along_k ? kSingleAlongK : kSingleAlongMn;
  return side.loads * (kLoad + of_sectors) * (side.are_single ? part : 1);
}

}  // namespace

Prediction predicted(const LaneTileWork& work, Index m, Index n, Index k, Index batch,
                     const DeviceInfo& device, const RowScale& scale) {
  const double blocks = std::max(tiles_of(work.tile, m, n, batch), 1.0);
  const int sms = std::max(device.sm_count, 1);
  const int sums = work.rows * work.columns;
  const double words = (work.rows + work.columns) * work.k * work.width / 4.0;
  const double resident =
      blocks_of_sm(work.warps * kWarp, kLaneTileOwn + sums + kLaneTileOfWord * words, device);
  const double co_resident = std::min(std::ceil(blocks / sms), resident);
  const int matrices =
      work.parts_of_k > 1
          ? 1
          : std::max(matrices_of_block(work.warps * kWarp, work.tile, m, n, batch, device), 1);
  Prediction result;
  result.launch =
      kLaneTileLaunch -
      (blocks < kLaneTileFewBlocks ? kLaneTileHalving * std::log2(kLaneTileFewBlocks / blocks) : 0);
  result.waves = std::ceil(blocks / (sms * resident));
  result.k_blocks = static_cast<double>(ceil_div(std::max<Index>(k, 1), Index{work.tile.k}));
  result.products = co_resident * work.warps * sums * work.k * kLaneTileMultiplyAdd * scale.threads;
  result.feed =
      kLaneTileTurn + kLaneTileTurnOfLoad * (work.a.loads + work.b.loads) +
      co_resident * work.warps * (lane_tile_load_clocks(work.a) + lane_tile_load_clocks(work.b));
  result.k_block = result.products + result.feed;
  result.epilogue = co_resident * (kLaneTileBlock / matrices + kLaneTileStored * work.sectors);
  result.ends = result.waves;
  result.work = result.waves * (result.k_blocks * result.k_block + result.epilogue);
  // Of D what is there.
  const double elements =
      static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(batch);
  result.memory =
      operand_bytes(m, n, k, batch, work.width) / (kLaneTileMemory * scale.memory) +
      work.sectors * elements / static_cast<double>(Index{work.tile.m} * work.tile.n) / kWritten;
  result.reduction = result.waves * kLaneTileAdded * std::min(co_resident, kLaneTileMostAdding) *
                     (work.parts_of_k - 1) * sums;
  result.clocks = result.launch + std::max(result.work, result.memory) + result.reduction;
  hold_above_least(result, scale);
  return result;
}
double least_lane_clocks(const KernelProblem& problem, const DeviceInfo& device) {
  const double products =
      static_cast<double>(problem.m.value) * static_cast<double>(problem.n.value) *
      static_cast<double>(problem.k.value) * static_cast<double>(problem.batch.value);
  const double threads = row_scale(problem, MmaForm::fma, device).threads;
  return products / kWarp * kLaneTileMultiplyAdd * threads / std::max(device.sm_count, 1);
}

}  // namespace jute::plan
