// Copies, products and ends of tiles, in clocks of kernels on an H200.
#include "plan/cost/tiles/thread_tile_cost.hpp"

#include <algorithm>
#include <cmath>

#include "plan/chip/chip_rates.hpp"
#include "plan/chip/residency.hpp"
#include "plan/chip/warp.hpp"
#include "plan/cost/dealt_blocks.hpp"
#include "plan/shapes/thread_tiling.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

// Clocks on the scale of the other kernels' model, fitted to times of f32 kernels on an H200: from
// one kernel to the next.
constexpr double kThreadTileLaunch = 3260;

// Of an SM, for each warp: a multiply-add of a thread, a row or column that it reads of a stage; a
// copy, and what one adds that lies along K and is stored across.
constexpr double kThreadTileMultiplyAdd = 0.217, kRead = 0.301, kCopy = 2.08, kAcross = 1.97;

// Of an SM: a block, an element of its tile, one that a group of threads adds to another's.
constexpr double kThreadTileBlock = 102, kThreadTileStored = 0.214, kThreadTileAdded = 0.205;

// Of one block: its start and end, and each further part of K; a k-tile, for each copy and each
// multiply-add of a thread.
constexpr double kThreadTileEnds = 537, kPartOfThreads = 285, kThreadTileTurn = 90,
                 kTurnOfCopy = 15.2, kTurnOfMultiplyAdd = 1.08;
constexpr double kLands = 1171;     // from asking for a k-tile until it has landed
constexpr double kMemoryOf = 0.81;  // of what memory moves
constexpr double kCache = 4976;     // bytes in a clock that come out of the L2 cache

// Of the first k-tile: instructions come from memory as well, so many more for each copy.
constexpr double kInstruction = 0.287, kOfCopy = 4;
constexpr double kThreadTileOwn = 45;  // registers beside sums and fragments

// A slice's sums left in the workspace; each slice, and each of its sums, that the last one adds.
constexpr double kLeaveSums = 1318, kSliceMet = 133, kSumMet = 0.054;

/// Blocks that an SM has room for.
double resident_thread_tiles(const ThreadTileWork& work, const DeviceInfo& device) {
  const double registers =
      kThreadTileOwn + work.rows * work.columns + 2 * (work.rows + work.columns);
  const auto fit = static_cast<double>(device.smem_bytes_per_sm / smem_bytes(work));
  return std::clamp(fit, 1.0, blocks_of_sm(work.threads, registers, device));
}

}  // namespace

UncutThreadTile uncut(const ThreadTileWork& work, const KernelProblem& problem,
                      const DeviceInfo& device) {
  const Index m = problem.m.value, n = problem.n.value, k = problem.k.value,
              batch = problem.batch.value;
  const double tiles = std::max(tiles_of(work.tile, m, n, batch), 1.0);
  const double loaded = tiles * (work.tile.m + work.tile.n) * static_cast<double>(k) * work.width;
  const double warps = static_cast<double>(work.threads) / kWarp;
  const double k_steps = static_cast<double>(work.tile.k) / work.parts_of_k;
  const double multiply_adds = work.rows * work.columns * k_steps;
  const double reads = (work.rows + work.columns) * k_steps;
  const double copies = work.a.count + work.b.count;
  const auto of_copies = [](const CopiedByThreads& some) {
    return some.count * (kCopy + (some.across ? kAcross : 0));
  };
  return {
      .tiles = tiles,
      .resident = resident_thread_tiles(work, device),
      .start = kInstruction * (multiply_adds + reads / kThreadTileVector + kOfCopy * copies),
      .memory = std::max(all_bytes(m, n, k, batch, work.width) / (kMemoryOf * memory_rate(device)),
                         loaded / kCache),
      .products =
          warps * (multiply_adds * kThreadTileMultiplyAdd * slowness_of_threads(device.arch) +
                   reads * kRead + of_copies(work.a) + of_copies(work.b)),
      .feed = std::max(kLands / (work.stages - 1), kThreadTileTurn + kTurnOfCopy * copies +
                                                       kTurnOfMultiplyAdd * multiply_adds)};
}

Prediction predicted(const ThreadTileWork& work, const UncutThreadTile& whole, int slices, Index k,
                     const DeviceInfo& device, double limit) {
  const double elements = static_cast<double>(work.tile.m) * work.tile.n;
  const bool is_cut = slices > 1;
  Prediction result;
  result.launch = kThreadTileLaunch;
  result.start = whole.start;
  const double of_sm =
      deal_out(result, whole.tiles * slices, whole.resident, whole.products, whole.feed, device);
  result.k_blocks = k_blocks_of(k, work.tile.k, slices);
  result.tile = kThreadTileEnds + kPartOfThreads * (work.parts_of_k - 1);
  result.epilogue = of_sm / result.waves *
                    (kThreadTileBlock +
                     (kThreadTileStored + kThreadTileAdded * (work.parts_of_k - 1)) * elements);
  result.memory = whole.memory;
  const double of_all = issued(result), of_each = turns(result);
  result.work = std::max(of_all, of_each);
  result.meet = is_cut ? kLeaveSums + slices * (kSliceMet + kSumMet * elements) : 0;
  const double longest = std::max(result.work, result.memory);
  result.clocks = result.launch + result.start + longest + result.meet;
  if (result.clocks >= limit) return result;
  const double squares = of_all * of_all + of_each * of_each + result.memory * result.memory;
  result.least = std::sqrt(squares) - longest;  // the longest decides most
  result.clocks += result.least;
  return result;
}

}  // namespace jute::plan
