// Lanes along M and N, warps along all three, and what loads, products and sums of them take.
#include "plan/lane_tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "plan/draining.hpp"
#include "plan/parameters.hpp"
#include "plan/thread_tiling.hpp"
#include "plan/warp.hpp"

namespace jute::plan {
namespace {

constexpr int kChunkBytes = 16, kSectorBytes = 32;
// Clocks on the scale of the other kernels' model, fitted to times of f32 kernels on an H200. From
// one kernel to the next; sooner where a grid has fewer blocks than these, for each halving.
constexpr double kLaunch = 990, kFewBlocks = 16, kHalving = 310;
// A turn of loads, and each load of a thread.
constexpr double kTurn = 402, kTurnOfLoad = 18;
// Of an SM: a multiply-add of a warp, a warp's load by how many rows along K it reads, and along M
// or N; one that brings a single element.
constexpr double kMultiplyAdd = 0.58, kLoadAlongK = 2.38, kLoadOfRow = 0.41, kLoadAlongMn = 0.595,
                 kSingle = 0.244;
constexpr double kFromCache = 165;  // bytes of whole sectors that an SM has in a clock
// Until groups that share out K have left their sums, and for each that is added to one of the
// first group's, by the blocks of an SM that add at once.
constexpr double kMeet = 194, kAdded = 12.7, kMostAdding = 4;
constexpr double kBlock = 208, kStored = 0.225;  // of an SM: a block, an element of D
constexpr double kMemory = 2660;                 // bytes in a clock
// Registers of a thread beside sums, and for each word of a fragment.
constexpr double kOwn = 36, kOfWord = 0.84;
constexpr int kMostWords = 64;  // of a thread's fragments
constexpr int kMostSums = 32;   // of a thread, and of one that shares K with others
constexpr int kMostSharedSums = 16;
constexpr int kMostWarps = 16;        // of a block
constexpr Index kMostAcross = 65535;  // blocks along the second and third axis of a grid

int elements_of_chunk(DType type) { return std::max(1, kChunkBytes / width_bytes(type)); }

/// What a thread loads of an operand in a turn.
struct Side {
  bool along_k;
  double loads;
  bool are_single;  ///< elements
  int rows;         ///< lanes of a warp that read rows of their own
};
double clocks_of(const Side& side) {
  const double one = side.along_k ? kLoadAlongK + kLoadOfRow * side.rows : kLoadAlongMn;
  return side.loads * one * (side.are_single ? kSingle : 1);
}

struct Shape {
  int warps, parts_of_k;
  TileShape tile;        ///< k of a turn
  int rows, columns, k;  ///< of a thread
  int width;
  Side a, b;
};

/// Bytes of whole sectors that a turn of a block reads.
double bytes_of(const Side& side, Index mn, Index k, int width) {
  const auto across = static_cast<double>(side.along_k ? mn : k);
  const auto along = static_cast<double>((side.along_k ? k : mn) * width);
  return across * std::max<double>(along, kSectorBytes);
}

Prediction predicted(const Shape& shape, Index m, Index n, Index k, Index batch,
                     const DeviceInfo& device) {
  const double blocks = tiles_of(shape.tile, m, n, batch);
  const int sms = std::max(device.sm_count, 1);
  const int sums = shape.rows * shape.columns;
  const double words = (shape.rows + shape.columns) * shape.k * shape.width / 4.0;
  const double resident = blocks_of_sm(shape.warps * kWarp, kOwn + sums + kOfWord * words, device);
  const double beside = std::min(std::ceil(blocks / sms), resident);
  Prediction result;
  result.launch = kLaunch - kHalving * std::log2(std::max(kFewBlocks / blocks, 1.0));
  result.waves = std::ceil(blocks / (sms * resident));
  result.k_blocks = static_cast<double>(ceil_div(std::max<Index>(k, 1), Index{shape.tile.k}));
  result.products = beside * shape.warps * sums * shape.k * kMultiplyAdd;
  result.feed = kTurn + kTurnOfLoad * (shape.a.loads + shape.b.loads) +
                beside * shape.warps * (clocks_of(shape.a) + clocks_of(shape.b)) +
                beside *
                    (bytes_of(shape.a, shape.tile.m, shape.tile.k, shape.width) +
                     bytes_of(shape.b, shape.tile.n, shape.tile.k, shape.width)) /
                    kFromCache;
  result.k_block = result.products + result.feed;
  result.epilogue = beside * (kBlock + kStored * shape.tile.m * shape.tile.n);
  result.ends = result.waves;
  result.work = result.waves * (result.k_blocks * result.k_block + result.epilogue);
  result.memory =
      (operand_bytes(m, n, k, batch, shape.width) +
       static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(batch) * shape.width) /
      kMemory;
  if (shape.parts_of_k > 1)
    result.meet = result.waves *
                  (kMeet + kAdded * std::min(beside, kMostAdding) * (shape.parts_of_k - 1) * sums);
  result.clocks = result.launch + std::max(result.work, result.memory) + result.meet;
  return result;
}

Side side_of(const KernelMatrix& matrix, int mine, int lanes, const LaneTile& tile) {
  const bool along_k = matrix.major == Major::k;
  const int of_chunk = elements_of_chunk(matrix.type);
  const int run = along_k ? std::gcd(tile.along_k, of_chunk) : std::gcd(mine, of_chunk);
  const int vector = std::gcd(run, std::max(1, matrix.access_bytes / width_bytes(matrix.type)));
  const int elements = mine * tile.along_k * tile.k_steps;
  return {.along_k = along_k,
          .loads = static_cast<double>(elements) / vector,
          .are_single = vector == 1,
          .rows = lanes};
}

Shape shape_of(const LaneTile& tile, const KernelProblem& problem) {
  const int k = tile.along_k * tile.k_steps;
  return {.warps = tile.warps_m * tile.warps_n * tile.parts_of_k,
          .parts_of_k = tile.parts_of_k,
          .tile = {tile.lanes_m * tile.warps_m * tile.rows,
                   tile.lanes_n * tile.warps_n * tile.columns, tile.parts_of_k * k},
          .rows = tile.rows,
          .columns = tile.columns,
          .k = k,
          .width = width_bytes(problem.a.type),
          .a = side_of(problem.a, tile.rows, tile.lanes_m, tile),
          .b = side_of(problem.b, tile.columns, tile.lanes_n, tile)};
}

/// Does all of such an extent of a tile have work, but for less than a half of it?
bool is_filled(int own, int most, Index extent) {
  return own <= most || own < 2 * std::max<Index>(extent, 1);
}

struct Warps {
  int m, n, parts_of_k;
};
/// Of a block: those that share out K lie in one row and column.
constexpr std::array kWarps{Warps{1, 1, 1}, Warps{2, 1, 1}, Warps{1, 2, 1}, Warps{2, 2, 1},
                            Warps{4, 1, 1}, Warps{1, 4, 1}, Warps{1, 1, 2}, Warps{2, 1, 2},
                            Warps{1, 2, 2}, Warps{1, 1, 4}, Warps{1, 1, 8}, Warps{1, 1, 16}};
constexpr std::array kPowers{1, 2, 4, 8};

/// Neighbours along K that a thread takes: a chunk of what lies along K.
std::vector<int> runs_along_k(const KernelProblem& problem) {
  if (problem.a.major == Major::k || problem.b.major == Major::k)
    return {std::max(elements_of_chunk(problem.a.type), elements_of_chunk(problem.b.type))};
  return {1, 2, 4};
}

/// Calls `look` with every sensible tile.
template <class Look>
void for_tiles(const KernelProblem& problem, const Look& look) {
  constexpr int kFewLanes = 4;
  const Index m = problem.m.value, n = problem.n.value;
  const Index k = std::max<Index>(problem.k.value, 1);
  const int width = width_bytes(problem.a.type);
  const bool adds = problem.accumulate != DType::f16;
  const std::vector<int> runs = runs_along_k(problem);
  for (int lanes_m = 1; lanes_m <= kWarp; lanes_m *= 2) {
    const int lanes_n = kWarp / lanes_m;
    if (!is_filled(lanes_m, kFewLanes, m) || !is_filled(lanes_n, 2 * kFewLanes, n)) continue;
    for (const Warps& warps : kWarps) {
      if (warps.parts_of_k > k || (warps.parts_of_k > 1 && !adds)) continue;
      for (const int rows : kPowers) {
        if (!is_filled(lanes_m * warps.m * rows, lanes_m, m)) continue;
        for (const int columns : kPowers) {
          if (!is_filled(lanes_n * warps.n * columns, lanes_n, n) ||
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
  for_tiles(problem, [&](const LaneTile& tile) {
    const Shape shape = shape_of(tile, problem);
    if (ceil_div(problem.n.value, Index{shape.tile.n}) > kMostAcross ||
        problem.batch.value > kMostAcross)
      return;
    list.push_back({predicted(shape, problem.m.value, problem.n.value, problem.k.value,
                              problem.batch.value, device)
                        .clocks,
                    tile});
  });
  const size_t kept = std::min(most, list.size());
  std::ranges::partial_sort(list, list.begin() + static_cast<std::ptrdiff_t>(kept), {},
                            &RankedLanes::clocks);
  list.resize(kept);
  return list;
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
  const auto mine = [&](int mode, int extent) {
    return extent / std::max(static_cast<int>(size(threads[mode])), 1);
  };
  const auto side = [&](const OperandPlan& operand, int lanes) {
    const int vector = std::max(operand.vector_elems, 1);
    return Side{.along_k = operand.major == Major::k,
                .loads = static_cast<double>(size(operand.copy_tv[1])) / vector,
                .are_single = vector == 1,
                .rows = lanes};
  };
  const Shape shape{.warps = (step.threads + kWarp - 1) / kWarp,
                    .parts_of_k = parts,
                    .tile = step.tile,
                    .rows = mine(0, step.tile.m),
                    .columns = mine(1, step.tile.n),
                    .k = step.tile.k / std::max(parts, 1),
                    .width = width_bytes(step.a.type),
                    .a = side(step.a, lanes_along(threads, 0)),
                    .b = side(step.b, lanes_along(threads, 1))};
  return predicted(shape, step.m.value, step.n.value, step.k.value, step.batch.value, device);
}

}  // namespace jute::plan
