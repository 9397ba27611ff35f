// Threads along M and N, stages, and what copies, products and ends of tiles take of them.
#include "plan/thread_tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "plan/fastest.hpp"
#include "plan/line.hpp"
#include "plan/parameters.hpp"
#include "plan/thread_tiling.hpp"
#include "plan/warp.hpp"

namespace jute::plan {
namespace {

constexpr int kFirstWithAsync = 80;  // PTX ISA, cp.async
constexpr int kVector = 4;           // neighbours that a thread reads at once
constexpr int kPad = 4;              // elements between rows of a stage whose operand lies along K

// Clocks on the scale of the other kernels' model, fitted to times of f32 kernels on an H200: from
// one kernel to the next.
constexpr double kLaunch = 3730;
// Of an SM, for each warp: a multiply-add of a thread, a row or column that it reads of a stage; a
// copy, and what one adds that lies along K and is stored across.
constexpr double kMultiplyAdd = 0.226, kRead = 0.267, kCopy = 1.88, kAcross = 2.01;
constexpr double kBlock = 44, kStored = 0.223;  // of an SM: a block, an element of its tile
// Of one block: its start and end; a k-tile, for each copy and each multiply-add of a thread.
constexpr double kTile = 236, kTurn = 129, kTurnOfCopy = 15.5, kTurnOfMultiplyAdd = 1.09;
constexpr double kMemory = 1910, kCache = 4940;  // bytes in a clock: of memory, of the L2 cache
constexpr double kOwn = 45;                      // registers beside sums and fragments

/// What a thread copies of an operand's k-tile.
struct Copies {
  double count;
  bool across;  ///< one by one along K, to rows along M or N
};
struct Shape {
  TileShape tile;
  int threads;
  int rows, columns;  ///< of a thread
  int stages;
  int width;
  Copies a, b;
};

Index smem_bytes(const Shape& shape) {
  return Index{shape.tile.m + shape.tile.n + 2 * kPad} * shape.tile.k * shape.width * shape.stages;
}

/// Blocks that an SM has room for.
double resident(const Shape& shape, const DeviceInfo& device) {
  const double registers = kOwn + shape.rows * shape.columns + 2 * (shape.rows + shape.columns);
  const auto fit = static_cast<double>(device.smem_bytes_per_sm / smem_bytes(shape));
  return std::clamp(fit, 1.0, blocks_of_sm(shape.threads, registers, device));
}

Prediction predicted(const Shape& shape, Index m, Index n, Index k, Index batch,
                     const DeviceInfo& device) {
  const double blocks = std::max(tiles_of(shape.tile, m, n, batch), 1.0);
  const double of_sm = std::ceil(blocks / std::max(device.sm_count, 1));
  const double warps = static_cast<double>(shape.threads) / kWarp;
  const double multiply_adds = static_cast<double>(shape.rows) * shape.columns * shape.tile.k;
  const auto of_copies = [](const Copies& copies) {
    return copies.count * (kCopy + (copies.across ? kAcross : 0));
  };
  Prediction result;
  result.launch = kLaunch;
  result.waves = std::ceil(of_sm / std::min(resident(shape, device), of_sm));
  result.k_blocks = static_cast<double>(ceil_div(std::max<Index>(k, 1), Index{shape.tile.k}));
  result.products =
      of_sm / result.waves * warps *
      (multiply_adds * kMultiplyAdd + (shape.rows + shape.columns) * shape.tile.k * kRead +
       of_copies(shape.a) + of_copies(shape.b));
  result.feed =
      kTurn + kTurnOfCopy * (shape.a.count + shape.b.count) + kTurnOfMultiplyAdd * multiply_adds;
  result.k_block = std::max(result.products, result.feed);
  result.ends = result.waves;
  result.epilogue =
      of_sm / result.waves * (kBlock + kStored * shape.tile.m * static_cast<double>(shape.tile.n));
  const double issued = result.waves * (result.k_blocks * result.products + result.epilogue);
  const double turns = result.waves * (kTile + result.k_blocks * result.feed);
  const double elements =
      static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(batch);
  const double moved = operand_bytes(m, n, k, batch, shape.width) + elements * shape.width;
  const double loaded =
      blocks * (shape.tile.m + shape.tile.n) * static_cast<double>(k) * shape.width;
  result.memory = std::max(moved / kMemory, loaded / kCache);
  result.work = std::max(issued, turns);
  const double together = std::hypot(issued, turns, result.memory);  // the longest decides most
  result.least = together - std::max(result.work, result.memory);
  result.clocks = result.launch + together;
  return result;
}

/// As many neighbours as an access and a thread's share of the tile have.
Copies copies_of(const KernelMatrix& matrix, int tile_mn, int tile_k, int threads) {
  const bool across = matrix.major == Major::k;
  const int most = across ? 1 : elements_in(matrix.access_bytes, matrix.type);
  const int mine = tile_mn * tile_k / threads;
  return {static_cast<double>(mine) / std::min(most, mine), across};
}

Shape shape_of(const ThreadTile& tile, const KernelProblem& problem) {
  const int threads = tile.m / rows_of(tile) * (tile.n / columns_of(tile));
  return {.tile = {tile.m, tile.n, tile.k},
          .threads = threads,
          .rows = rows_of(tile),
          .columns = columns_of(tile),
          .stages = tile.stages,
          .width = width_bytes(problem.a.type),
          .a = copies_of(problem.a, tile.m, tile.k, threads),
          .b = copies_of(problem.b, tile.n, tile.k, threads)};
}

struct Depth {
  int k, stages;
};
constexpr std::array kDepths{Depth{8, 4}, Depth{16, 3}, Depth{16, 4}, Depth{32, 3}};
constexpr std::array kExtents{8, 16, 32, 64, 128, 256};
constexpr std::array kRepeats{1, 2};
constexpr int kFewestThreads = 64, kMostThreads = 256;

/// Does less than a half of the extent lie past the edge?
bool is_filled(int extent, Index own) {
  return extent == kExtents.front() || extent < 2 * std::max<Index>(own, 1);
}

/// Calls `look` with every sensible tile.
template <class Look>
void for_tiles(const KernelProblem& problem, const Look& look) {
  for (const int m : kExtents)
    for (const int n : kExtents) {
      if (!is_filled(m, problem.m.value) || !is_filled(n, problem.n.value)) continue;
      for (const int repeat_m : kRepeats)
        for (const int repeat_n : kRepeats) {
          const int threads = m / (kVector * repeat_m) * (n / (kVector * repeat_n));
          if (threads < kFewestThreads || threads > kMostThreads) continue;
          for (const Depth& depth : kDepths)
            if (m * depth.k % threads == 0 && n * depth.k % threads == 0)
              look(ThreadTile{.m = m,
                              .n = n,
                              .vector = kVector,
                              .repeat_m = repeat_m,
                              .repeat_n = repeat_n,
                              .k = depth.k,
                              .stages = depth.stages,
                              .transfer = Transfer::cp_async});
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
  std::vector<RankedThreads> list;
  for_tiles(problem, [&](const ThreadTile& tile) {
    const Shape shape = shape_of(tile, problem);
    if (smem_bytes(shape) > device.smem_bytes_per_block) return;
    list.push_back({predicted(shape, problem.m.value, problem.n.value, problem.k.value,
                              problem.batch.value, device)
                        .clocks,
                    tile});
  });
  keep_fastest(list, most);
  return list;
}

Prediction thread_tile_prediction(const GemmStep& step, const DeviceInfo& device) {
  const auto copies = [&](const OperandPlan& operand) {
    return Copies{static_cast<double>(size(operand.copy_tv[1])) / std::max(operand.vector_elems, 1),
                  operand.major == Major::k};
  };
  const Shape shape{.tile = step.tile,
                    .threads = step.threads,
                    .rows = held_by_thread(step, 0),
                    .columns = held_by_thread(step, 1),
                    .stages = step.schedule.stages,
                    .width = width_bytes(step.a.type),
                    .a = copies(step.a),
                    .b = copies(step.b)};
  return predicted(shape, step.m.value, step.n.value, step.k.value, step.batch.value, device);
}

}  // namespace jute::plan
