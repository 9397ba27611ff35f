// Threads along M and N, stages, and what copies, products and ends of tiles take of them.
#include "plan/shapes/thread_tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "plan/chip/chip_rates.hpp"
#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/choose/fastest.hpp"
#include "plan/cost/cost_model.hpp"
#include "plan/cost/dealt_blocks.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/derive/drain/draining.hpp"
#include "plan/run/parameters.hpp"
#include "plan/shapes/thread_tiling.hpp"

namespace jute::plan {
namespace {

constexpr int kFirstWithAsync = 80;   // PTX ISA, cp.async
constexpr int kThreadTileVector = 4;  // neighbours that a thread reads at once
constexpr int kPad = 4;               // elements between rows of a stage whose operand lies along K

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

/// What a thread copies of an operand's k-tile.
struct Copies {
  double count;
  bool across;  ///< one by one along K, to rows along M or N
};
struct ThreadTileShape {
  TileShape tile;
  int threads;
  int rows, columns;  ///< of a thread
  int parts_of_k;
  int stages;
  int width;
  Copies a, b;
};
/// What does not depend on how K is cut.
struct UncutThreadTile {
  double tiles, resident;  ///< blocks, and those of an SM at once
  double start, memory;
  double products, feed;  ///< of a block's k-tile
};

Index thread_tile_smem_bytes(const ThreadTileShape& shape) {
  const Index stages = Index{shape.tile.m + shape.tile.n + 2 * kPad} * shape.tile.k * shape.stages;
  return shape.width *
         std::max(stages, Index{shape.tile.m} * shape.tile.n * (shape.parts_of_k - 1));
}

/// Blocks that an SM has room for.
double resident_thread_tiles(const ThreadTileShape& shape, const DeviceInfo& device) {
  const double registers =
      kThreadTileOwn + shape.rows * shape.columns + 2 * (shape.rows + shape.columns);
  const auto fit = static_cast<double>(device.smem_bytes_per_sm / thread_tile_smem_bytes(shape));
  return std::clamp(fit, 1.0, blocks_of_sm(shape.threads, registers, device));
}

UncutThreadTile uncut_thread_tile(const ThreadTileShape& shape, const KernelProblem& problem,
                                  const DeviceInfo& device) {
  const Index m = problem.m.value, n = problem.n.value, k = problem.k.value,
              batch = problem.batch.value;
  const double tiles = std::max(tiles_of(shape.tile, m, n, batch), 1.0);
  const double loaded =
      tiles * (shape.tile.m + shape.tile.n) * static_cast<double>(k) * shape.width;
  const double warps = static_cast<double>(shape.threads) / kWarp;
  const double k_steps = static_cast<double>(shape.tile.k) / shape.parts_of_k;
  const double multiply_adds = shape.rows * shape.columns * k_steps;
  const double reads = (shape.rows + shape.columns) * k_steps;
  const double copies = shape.a.count + shape.b.count;
  const auto of_copies = [](const Copies& some) {
    return some.count * (kCopy + (some.across ? kAcross : 0));
  };
  return {
      .tiles = tiles,
      .resident = resident_thread_tiles(shape, device),
      .start = kInstruction * (multiply_adds + reads / kThreadTileVector + kOfCopy * copies),
      .memory = std::max(all_bytes(m, n, k, batch, shape.width) / (kMemoryOf * memory_rate(device)),
                         loaded / kCache),
      .products =
          warps * (multiply_adds * kThreadTileMultiplyAdd * slowness_of_threads(device.arch) +
                   reads * kRead + of_copies(shape.a) + of_copies(shape.b)),
      .feed = std::max(kLands / (shape.stages - 1), kThreadTileTurn + kTurnOfCopy * copies +
                                                        kTurnOfMultiplyAdd * multiply_adds)};
}

/// Beyond `limit` no more than that is sure of its clocks.
Prediction predicted_thread_tile(const ThreadTileShape& shape, const UncutThreadTile& whole,
                                 int slices, Index k, const DeviceInfo& device,
                                 double limit = std::numeric_limits<double>::infinity()) {
  const double elements = static_cast<double>(shape.tile.m) * shape.tile.n;
  const bool is_cut = slices > 1;
  Prediction result;
  result.launch = kThreadTileLaunch;
  result.start = whole.start;
  const double of_sm =
      deal_out(result, whole.tiles * slices, whole.resident, whole.products, whole.feed, device);
  result.k_blocks = k_blocks_of(k, shape.tile.k, slices);
  result.tile = kThreadTileEnds + kPartOfThreads * (shape.parts_of_k - 1);
  result.epilogue = of_sm / result.waves *
                    (kThreadTileBlock +
                     (kThreadTileStored + kThreadTileAdded * (shape.parts_of_k - 1)) * elements);
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

/// As many neighbours as an access and a thread's share of the tile have.
Copies thread_tile_copies(const KernelMatrix& matrix, int tile_mn, int tile_k, int threads) {
  const bool across = matrix.major == Major::k;
  const int most = across ? 1 : elements_in(matrix.access_bytes, matrix.type);
  const int mine = tile_mn * tile_k / threads;
  return {static_cast<double>(mine) / std::min(most, mine), across};
}

ThreadTileShape thread_tile_shape(const ThreadTile& tile, const KernelProblem& problem) {
  const int threads = threads_of_part(tile) * tile.parts_of_k;
  return {.tile = {tile.m, tile.n, tile.k},
          .threads = threads,
          .rows = rows_of(tile),
          .columns = columns_of(tile),
          .parts_of_k = tile.parts_of_k,
          .stages = tile.stages,
          .width = width_bytes(problem.a.type),
          .a = thread_tile_copies(problem.a, tile.m, tile.k, threads),
          .b = thread_tile_copies(problem.b, tile.n, tile.k, threads)};
}

struct Depth {
  int k, stages;
};
constexpr std::array kDepths{Depth{8, 4}, Depth{16, 3}, Depth{16, 4}, Depth{32, 3}, Depth{64, 3}};
constexpr std::array kThreadTileExtents{8, 16, 32, 64, 128, 256};
constexpr std::array kRepeats{1, 2};
constexpr std::array kParts{1, 2, 4, 8};
constexpr int kDeepest = 32;
constexpr int kEnoughBlocks = 4;  // blocks of an SM, whose threads need not share out K as well
constexpr int kFewestThreads = 64, kMostThreads = 256;

/// Does less than a half of the extent lie past the edge?
bool is_filled_by_thread_tile(int extent, Index own) {
  return extent == kThreadTileExtents.front() || extent < 2 * std::max<Index>(own, 1);
}

/// Calls `look` with each k-tile that a block's threads share out, and every part of which has an
/// even number of k-steps.
template <class Look>
void for_depths(ThreadTile tile, const Look& look) {
  const int threads = threads_of_part(tile) * tile.parts_of_k;
  for (const Depth& depth : kDepths) {
    // Parts of K are as deep as the k-tiles of those that do not share it.
    if (depth.k % (2 * tile.parts_of_k) != 0 || depth.k > kDeepest * tile.parts_of_k) continue;
    if (tile.m * depth.k % threads != 0 || tile.n * depth.k % threads != 0) continue;
    tile.k = depth.k;
    tile.stages = depth.stages;
    look(tile);
  }
}

/// Calls `look` with every sensible tile.
template <class Look>
void for_thread_tiles(const KernelProblem& problem, const DeviceInfo& device, const Look& look) {
  for (const int m : kThreadTileExtents)
    for (const int n : kThreadTileExtents) {
      if (!is_filled_by_thread_tile(m, problem.m.value) ||
          !is_filled_by_thread_tile(n, problem.n.value))
        continue;
      const double blocks = tiles_of({m, n}, problem.m.value, problem.n.value, problem.batch.value);
      const bool are_whole =
          blocks > kEnoughBlocks * device.sm_count || !adds_as_one(problem.accumulate);
      for (const int repeat_m : kRepeats)
        for (const int repeat_n : kRepeats) {
          ThreadTile tile{.m = m,
                          .n = n,
                          .vector = kThreadTileVector,
                          .repeat_m = repeat_m,
                          .repeat_n = repeat_n,
                          .k = kDepths.front().k,
                          .transfer = Transfer::cp_async};
          const int of_part = threads_of_part(tile);
          if (of_part % kWarp != 0) continue;
          for (const int parts_of_k : kParts) {
            const int threads = of_part * parts_of_k;
            if (are_whole && parts_of_k > 1) break;
            if (threads < kFewestThreads || threads > kMostThreads) continue;
            tile.parts_of_k = parts_of_k;
            for_depths(tile, look);
          }
        }
    }
}

}  // namespace

bool may_be_staged(const KernelProblem& problem, const DeviceInfo& device) {
  return device.arch.number >= kFirstWithAsync &&
         std::min(problem.a.access_bytes, problem.b.access_bytes) >= kLeastAsync;
}

std::vector<RankedThreads> ranked_thread_tiles(const KernelProblem& problem,
                                               const DeviceInfo& device, size_t most) {
  if (!may_be_staged(problem, device)) return {};
  NearFastest<RankedThreads> near;
  for_thread_tiles(problem, device, [&](const ThreadTile& tile) {
    const ThreadTileShape shape = thread_tile_shape(tile, problem);
    if (thread_tile_smem_bytes(shape) > device.smem_bytes_per_block) return;
    const UncutThreadTile whole = uncut_thread_tile(shape, problem, device);
    for_filling_slices(shape.tile, problem, device, [&](int slices) {
      ThreadTile cut = tile;
      cut.slices = slices;
      near.add({predicted_thread_tile(shape, whole, slices, problem.k.value, device, near.limit())
                    .clocks,
                cut});
    });
  });
  std::vector<RankedThreads> list = std::move(near).list();
  keep_fastest(list, most);
  return list;
}

Prediction thread_tile_prediction(const GemmStep& step, const DeviceInfo& device) {
  const auto copies = [&](const OperandPlan& operand) {
    return Copies{static_cast<double>(size(operand.copy_tv[1])) / std::max(operand.vector_elems, 1),
                  operand.major == Major::k};
  };
  const ThreadTileShape shape{.tile = step.tile,
                              .threads = step.threads,
                              .rows = held_by_thread(step, 0),
                              .columns = held_by_thread(step, 1),
                              .parts_of_k = parts_of_k(step),
                              .stages = step.schedule.stages,
                              .width = width_bytes(step.a.type),
                              .a = copies(step.a),
                              .b = copies(step.b)};
  return predicted_thread_tile(shape, uncut_thread_tile(shape, problem_of(step), device),
                               step.schedule.slices, step.k.value, device);
}

}  // namespace jute::plan
