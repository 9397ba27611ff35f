// Lanes along M and N, warps along all three, and what loads, products and sums of them take.
#include "plan/shapes/lane_tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/choose/fastest.hpp"
#include "plan/derive/drain/draining.hpp"
#include "plan/rules/grid_rules.hpp"
#include "plan/run/parameters.hpp"
#include "plan/shapes/thread_tiling.hpp"

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
constexpr double kLaneTileMemory = 1582;   // bytes of the operands in a clock
constexpr double kWritten = 29;            // sectors of D, or parts of one, in a clock
// Registers of a thread beside sums, and for each word of a fragment.
constexpr double kLaneTileOwn = 36, kLaneTileOfWord = 0.84;
constexpr int kMostWords = 64;  // of a thread's fragments
constexpr int kMostSums = 32;   // of a thread, and of one that shares K with others
constexpr int kMostSharedSums = 16;

/// What a thread loads of an operand in a turn.
struct LaneTileSide {
  bool along_k;
  double loads;
  bool are_single;  ///< elements
  double sectors;   ///< that a load of a warp reads
};
double lane_tile_load_clocks(const LaneTileSide& side) {
  const double of_sectors = side.sectors * (side.along_k ? kOfRow : kLaneTileBeside);
  const double part = side.along_k ? kSingleAlongK : kSingleAlongMn;
  return side.loads * (kLoad + of_sectors) * (side.are_single ? part : 1);
}

/// Of so many lanes that lie along the operand's rows, each with a run of neighbours.
double sectors_of_load(bool along_k, int lanes, int run, Index extent, int width) {
  const Index most = std::max<Index>(extent, 1);
  if (along_k) return static_cast<double>(std::min<Index>(lanes, most));
  return std::max(1.0,
                  static_cast<double>(std::min<Index>(Index{lanes} * run, most) * width) / kSector);
}

struct LaneTileShape {
  int warps, parts_of_k;
  TileShape tile;        ///< k of a turn
  int rows, columns, k;  ///< of a thread
  int width;
  LaneTileSide a, b;
  double sectors;  ///< of D, whole or in part, that a block's stores write
};

/// How a thread's columns leave it for D.
struct Stored {
  int together;  ///< columns of one store
  int apart;     ///< from a lane's to the next one's
};
double sectors_of(const TileShape& tile, int lanes_n, const Stored& stored, int width) {
  const double stores = static_cast<double>(tile.m) * tile.n / (lanes_n * stored.together);
  return stores * std::max(1.0, lanes_n * stored.apart * width / static_cast<double>(kSector));
}

Prediction predicted_lane_tile(const LaneTileShape& shape, Index m, Index n, Index k, Index batch,
                               const DeviceInfo& device) {
  const double blocks = std::max(tiles_of(shape.tile, m, n, batch), 1.0);
  const int sms = std::max(device.sm_count, 1);
  const int sums = shape.rows * shape.columns;
  const double words = (shape.rows + shape.columns) * shape.k * shape.width / 4.0;
  const double resident =
      blocks_of_sm(shape.warps * kWarp, kLaneTileOwn + sums + kLaneTileOfWord * words, device);
  const double beside = std::min(std::ceil(blocks / sms), resident);
  Prediction result;
  result.launch =
      kLaneTileLaunch -
      (blocks < kLaneTileFewBlocks ? kLaneTileHalving * std::log2(kLaneTileFewBlocks / blocks) : 0);
  result.waves = std::ceil(blocks / (sms * resident));
  result.k_blocks = static_cast<double>(ceil_div(std::max<Index>(k, 1), Index{shape.tile.k}));
  result.products = beside * shape.warps * sums * shape.k * kLaneTileMultiplyAdd;
  result.feed =
      kLaneTileTurn + kLaneTileTurnOfLoad * (shape.a.loads + shape.b.loads) +
      beside * shape.warps * (lane_tile_load_clocks(shape.a) + lane_tile_load_clocks(shape.b));
  result.k_block = result.products + result.feed;
  result.epilogue = beside * (kLaneTileBlock + kLaneTileStored * shape.sectors);
  result.ends = result.waves;
  result.work = result.waves * (result.k_blocks * result.k_block + result.epilogue);
  // Of D what is there.
  const double elements =
      static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(batch);
  result.memory = operand_bytes(m, n, k, batch, shape.width) / kLaneTileMemory +
                  shape.sectors * elements / (Index{shape.tile.m} * shape.tile.n) / kWritten;
  result.meet = result.waves * kLaneTileAdded * std::min(beside, kLaneTileMostAdding) *
                (shape.parts_of_k - 1) * sums;
  result.clocks = result.launch + std::max(result.work, result.memory) + result.meet;
  return result;
}

/// A thread's part of an operand: so many of its rows.
struct Part {
  int mine, lanes;
  Index extent;
};
LaneTileSide lane_tile_side(const KernelMatrix& matrix, const Part& part, const LaneTile& tile) {
  const bool along_k = matrix.major == Major::k;
  const int of_chunk = elements_of_chunk(matrix.type), width = width_bytes(matrix.type);
  const int run = std::gcd(along_k ? tile.along_k : part.mine, of_chunk);
  const int vector = std::gcd(run, std::max(1, matrix.access_bytes / width));
  const int elements = part.mine * tile.along_k * tile.k_steps;
  return {.along_k = along_k,
          .loads = static_cast<double>(elements) / vector,
          .are_single = vector == 1,
          .sectors = sectors_of_load(along_k, part.lanes, run, part.extent, width)};
}

Stored stored_by(const LaneTile& tile, const KernelProblem& problem) {
  if (problem.b.major == Major::k) return {1, 1};
  const int run = std::gcd(tile.columns, elements_of_chunk(problem.b.type));
  const int together = std::max(1, problem.d.access_bytes / width_bytes(problem.d.type));
  return {std::gcd(run, together), run};
}

LaneTileShape lane_tile_shape(const LaneTile& tile, const KernelProblem& problem) {
  const TileShape block{tile.lanes_m * tile.warps_m * tile.rows,
                        tile.lanes_n * tile.warps_n * tile.columns,
                        tile.parts_of_k * tile.along_k * tile.k_steps};
  const int k = tile.along_k * tile.k_steps;
  return {.warps = tile.warps_m * tile.warps_n * tile.parts_of_k,
          .parts_of_k = tile.parts_of_k,
          .tile = block,
          .rows = tile.rows,
          .columns = tile.columns,
          .k = k,
          .width = width_bytes(problem.a.type),
          .a = lane_tile_side(problem.a, {tile.rows, tile.lanes_m, problem.m.value}, tile),
          .b = lane_tile_side(problem.b, {tile.columns, tile.lanes_n, problem.n.value}, tile),
          .sectors = sectors_of(block, tile.lanes_n, stored_by(tile, problem),
                                width_bytes(problem.d.type))};
}

/// Does all of such an extent of a tile have work, but for less than a half of it?
bool is_filled_by_lanes(int own, int most, Index extent) {
  return own <= most || own < 2 * std::max<Index>(extent, 1);
}

struct LaneTileWarps {
  int m, n, parts_of_k;
};
/// Of a block: those that share out K lie in one row and column.
constexpr std::array kLaneTileWarps{
    LaneTileWarps{1, 1, 1}, LaneTileWarps{2, 2, 1}, LaneTileWarps{4, 1, 1}, LaneTileWarps{1, 4, 1},
    LaneTileWarps{1, 1, 2}, LaneTileWarps{2, 1, 2}, LaneTileWarps{1, 2, 2}, LaneTileWarps{1, 1, 4},
    LaneTileWarps{1, 1, 8}, LaneTileWarps{1, 1, 16}};
constexpr std::array kPowers{1, 2, 4, 8};

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

/// Bits are written by the byte, which lanes of a warp must have whole between them.
bool has_whole_bytes(const LaneTile& tile, const KernelProblem& problem) {
  constexpr int kBitsOfByte = 8;
  return std::ranges::all_of(problem.outputs, [&](const KernelOperand& output) {
    const bool by_rows = order_of(output.matrix) == Order::row;
    const int neighbours = by_rows ? tile.lanes_n * tile.columns : tile.lanes_m * tile.rows;
    return !output.is_bits || neighbours % kBitsOfByte == 0;
  });
}

/// Calls `look` with every sensible tile.
template <class Look>
void for_lane_tiles(const KernelProblem& problem, const Look& look) {
  constexpr int kFewLanes = 4;
  const Index m = problem.m.value, n = problem.n.value;
  const Index k = std::max<Index>(problem.k.value, 1);
  const int width = width_bytes(problem.a.type);
  const bool adds = problem.accumulate != DType::f16;
  const std::vector<int> runs = runs_along_k(problem);
  for (int lanes_m = 1; lanes_m <= kWarp; lanes_m *= 2) {
    const int lanes_n = kWarp / lanes_m;
    if (!is_filled_by_lanes(lanes_m, kFewLanes, m) ||
        !is_filled_by_lanes(lanes_n, 2 * kFewLanes, n))
      continue;
    for (const LaneTileWarps& warps : kLaneTileWarps) {
      if (!is_shared_out(warps.parts_of_k, k, adds)) continue;
      for (const int rows : kPowers) {
        if (!is_filled_by_lanes(lanes_m * warps.m * rows, lanes_m, m)) continue;
        for (const int columns : kPowers) {
          if (!is_filled_by_lanes(lanes_n * warps.n * columns, lanes_n, n) ||
              rows * columns > (warps.parts_of_k > 1 ? kMostSharedSums : kMostSums))
            continue;
          for (const int run : runs)
            for (int steps = 1; steps <= 4; steps *= 2) {
              const Index own = Index{run} * steps;
              if ((rows + columns) * own * width > 4 * kMostWords) break;
              if (own * warps.parts_of_k > 2 * k && (steps > 1 || warps.parts_of_k > 1)) break;
              look(LaneTile{.lanes_m = lanes_m,
                            .lanes_n = lanes_n,
                            .rows = rows,
                            .columns = columns,
                            .warps_m = warps.m,
                            .warps_n = warps.n,
                            .parts_of_k = warps.parts_of_k,
                            .along_k = run,
                            .k_steps = steps});
            }
        }
      }
    }
  }
}

/// Of a dimension along which threads lie: those of the first warp.
int lanes_along(const Layout& threads, int mode) {
  const Layout along = threads[mode];
  int lanes = 0;
  for (Index i = 0; i < size(along); ++i) lanes += along(i) < kWarp ? 1 : 0;
  return lanes;
}

}  // namespace

std::vector<RankedLanes> ranked_lane_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                           size_t most) {
  std::vector<RankedLanes> list;
  for_lane_tiles(problem, [&](const LaneTile& tile) {
    const LaneTileShape shape = lane_tile_shape(tile, problem);
    if (ceil_div(problem.n.value, Index{shape.tile.n}) > kMostBlocksAcross ||
        problem.batch.value > kMostBlocksAcross || !has_whole_bytes(tile, problem))
      return;
    list.push_back({predicted_lane_tile(shape, problem.m.value, problem.n.value, problem.k.value,
                                        problem.batch.value, device)
                        .clocks,
                    tile});
  });
  keep_fastest(list, most);
  return list;
}

double least_lane_clocks(const KernelProblem& problem, const DeviceInfo& device) {
  const double products =
      static_cast<double>(problem.m.value) * static_cast<double>(problem.n.value) *
      static_cast<double>(problem.k.value) * static_cast<double>(problem.batch.value);
  return products / kWarp * kLaneTileMultiplyAdd / std::max(device.sm_count, 1);
}

StraightForm form_of(const LaneTile& tile, const KernelProblem& problem) {
  const int lanes = tile.lanes_m * tile.lanes_n;
  const auto along = [](int threads, int mine, const KernelMatrix& matrix) {
    const int run = matrix.major == Major::mn ? std::gcd(mine, elements_of_chunk(matrix.type)) : 1;
    return spread(threads, run, mine / run);
  };
  return {.atoms = Layout(IntTuple{IntTuple{tile.lanes_m, tile.warps_m},
                                   IntTuple{tile.lanes_n, tile.warps_n}, tile.parts_of_k},
                          IntTuple{IntTuple{tile.lanes_n, lanes}, IntTuple{1, lanes * tile.warps_m},
                                   lanes * tile.warps_m * tile.warps_n}),
          .permutation = Tiler(
              {along(tile.lanes_m * tile.warps_m, tile.rows, problem.a),
               along(tile.lanes_n * tile.warps_n, tile.columns, problem.b),
               Tiler(Layout(IntTuple{tile.parts_of_k, tile.along_k}, IntTuple{tile.along_k, 1}))}),
          .repeat_m = 1,
          .repeat_n = 1,
          .k_steps = tile.k_steps};
}

Prediction lane_prediction(const GemmStep& step, const DeviceInfo& device) {
  const Layout& threads = step.mma.atom_layout();
  const int parts = parts_of_k(step);
  const auto side = [&](const OperandPlan& operand, int own, int lanes, Index extent) {
    const int vector = std::max(operand.vector_elems, 1);
    const int run = std::gcd(std::max(own, 1), elements_of_chunk(operand.type));
    const bool along_k = operand.major == Major::k;
    return LaneTileSide{
        .along_k = along_k,
        .loads = static_cast<double>(size(operand.copy_tv[1])) / vector,
        .are_single = vector == 1,
        .sectors = sectors_of_load(along_k, lanes, run, extent, width_bytes(operand.type))};
  };
  const int rows = held_by_thread(step, 0), columns = held_by_thread(step, 1);
  const LaneTileShape shape{
      .warps = (step.threads + kWarp - 1) / kWarp,
      .parts_of_k = parts,
      .tile = step.tile,
      .rows = rows,
      .columns = columns,
      .k = step.tile.k / std::max(parts, 1),
      .width = width_bytes(step.a.type),
      .a = side(step.a, rows, lanes_along(threads, 0), step.m.value),
      .b = side(step.b, columns, lanes_along(threads, 1), step.n.value),
      .sectors = sectors_of(step.tile, lanes_along(threads, 1),
                            {step.epilogue.vector_elems, step.epilogue.vector_elems},
                            width_bytes(step.epilogue.d_type))};
  return predicted_lane_tile(shape, step.m.value, step.n.value, step.k.value, step.batch.value,
                             device);
}

}  // namespace jute::plan
