// Tiles of f64, warps along M, N and K, stages, and what these take.
#include "plan/warp_tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "plan/cost_model.hpp"
#include "plan/draining.hpp"
#include "plan/fastest.hpp"
#include "plan/line.hpp"
#include "plan/overlap.hpp"
#include "plan/parameters.hpp"
#include "plan/thread_tiles.hpp"
#include "plan/warp.hpp"
#include "plan/warps_of_tile.hpp"

namespace jute::plan {
namespace {
/// What other models have names for as well.
namespace of_doubles {

constexpr int kStepOfK = 8;                      // of an instruction
constexpr int kWidth = 8;                        // bytes of an element
constexpr int kPartOfK = kLine / kWidth;         // of a k-tile: a part's
constexpr int kFewestWarps = 4, kMostSums = 64;  // of a block; of a thread
constexpr int kLeastElements = 256;              // of a tile
constexpr double kOwn = 45;                      // registers beside sums and fragments, of two each
constexpr int kRegistersOfSum = 2, kOfRows = 8, kOfColumns = 4;

// Clocks, fitted to 2000 times of 97 problems on an H200: from one kernel to the next; of a block,
// its start and end.
constexpr double kLaunch = 4235, kTile = 301;
// Of an SM, for each warp: an element of its part of the tile in a k-step, a row or column that it
// reads of a stage, how much more if the operand lies along M or N, a copy of a thread.
constexpr double kProduct = 0.0405, kRead = 0.0813, kAlongMn = 1.62, kCopy = 4.67;
// Of an SM: an element of D, one that warps add to others'.
constexpr double kStored = 0.516, kAdded = 0.436;
// Of one block: from asking for a k-tile until it has landed; a row or column that a warp reads in
// a k-step, a copy.
constexpr double kLands = 1362, kTurnOfRead = 4.09, kTurnOfCopy = 10.4;
constexpr double kMemory = 2500;  // bytes in a clock
constexpr double kSharp = 2.24;   // the longest of several decides the more the greater it is

struct Shape {
  TileShape tile;
  int warps_m, warps_n, warps_k;
  int stages;
  double copies;    ///< of a thread, of both operands' k-tile
  double gathered;  ///< rows and columns of a warp, those along M or N by what they take more
  [[nodiscard]] int warps() const { return warps_m * warps_n * warps_k; }
  [[nodiscard]] double rows() const { return static_cast<double>(tile.m) / warps_m; }
  [[nodiscard]] double columns() const { return static_cast<double>(tile.n) / warps_n; }
};

/// Of a thread.
double copies_of(const KernelMatrix& matrix, Index elements, int threads) {
  const int most = elements_in(matrix.access_bytes, matrix.type);
  return std::max(static_cast<double>(elements) / threads / most, 1.0);
}

Shape shape_of(const TileShape& tile, int warps_m, int warps_n, int warps_k, int stages,
               const KernelProblem& problem) {
  Shape shape{tile, warps_m, warps_n, warps_k, stages, 0, 0};
  const int threads = shape.warps() * kWarp;
  shape.copies = copies_of(problem.a, Index{tile.m} * tile.k, threads) +
                 copies_of(problem.b, Index{tile.n} * tile.k, threads);
  const auto more = [](const KernelMatrix& matrix) {
    return matrix.major == Major::mn ? kAlongMn : 1;
  };
  shape.gathered = shape.rows() * more(problem.a) + shape.columns() * more(problem.b);
  return shape;
}

double sums_of_thread(const Shape& shape) { return shape.rows() * shape.columns() / kWarp; }

Index smem_bytes(const Shape& shape) {
  return kWidth * std::max(Index{shape.tile.m + shape.tile.n} * shape.tile.k * shape.stages,
                           Index{shape.tile.m} * shape.tile.n * (shape.warps_k - 1));
}

/// Blocks that an SM has room for.
double resident(const Shape& shape, const DeviceInfo& device) {
  const double registers = kOwn + kRegistersOfSum * sums_of_thread(shape) +
                           shape.rows() / kRowUnit * kOfRows +
                           shape.columns() / kColumnUnit * kOfColumns;
  const auto fit = static_cast<double>(device.smem_bytes_per_sm / smem_bytes(shape));
  return std::clamp(fit, 1.0, blocks_of_sm(shape.warps() * kWarp, registers, device));
}

Prediction predicted(const Shape& shape, const KernelProblem& problem, const DeviceInfo& device) {
  const Index m = problem.m.value, n = problem.n.value, k = problem.k.value,
              batch = problem.batch.value;
  const double blocks = std::max(tiles_of(shape.tile, m, n, batch), 1.0);
  const double of_sm = std::ceil(blocks / std::max(device.sm_count, 1));
  const double elements = static_cast<double>(shape.tile.m) * shape.tile.n;
  const double k_steps = static_cast<double>(shape.tile.k) / kStepOfK / shape.warps_k;
  Prediction result;
  result.launch = kLaunch;
  result.waves = std::ceil(of_sm / std::min(resident(shape, device), of_sm));
  result.k_blocks = static_cast<double>(ceil_div(std::max<Index>(k, 1), Index{shape.tile.k}));
  result.products =
      of_sm / result.waves * shape.warps() *
      (k_steps * (kProduct * shape.rows() * shape.columns() + kRead * shape.gathered) +
       kCopy * shape.copies);
  result.feed = std::max(
      kLands / (shape.stages - 1),
      kTurnOfRead * (shape.rows() + shape.columns()) * k_steps + kTurnOfCopy * shape.copies);
  result.k_block = std::max(result.products, result.feed);
  result.tile = kTile;
  result.ends = result.waves;
  result.epilogue = of_sm / result.waves * (kStored + kAdded * (shape.warps_k - 1)) * elements;
  const double issued = result.waves * (result.k_blocks * result.products + result.epilogue);
  const double turns = result.waves * (result.k_blocks * result.feed + result.tile);
  result.memory = all_bytes(m, n, k, batch, kWidth) / kMemory;
  result.work = std::max(issued, turns);
  const double all = together(issued, turns, result.memory, kSharp);
  result.least = all - std::max(result.work, result.memory);
  result.clocks = result.launch + all;
  return result;
}

/// Is less than a half of the extent past the edge?
bool is_filled(int extent, int unit, Index own) {
  return extent == unit || extent < 2 * std::max<Index>(own, 1);
}

/// Calls `look` with every sensible tile.
template <class Look>
void for_tiles(const KernelProblem& problem, const DeviceInfo& device, const Look& look) {
  constexpr std::array kRows{16, 32, 64, 128};
  constexpr std::array kColumns{8, 16, 32, 64, 128};
  constexpr std::array kWarps{1, 2, 4, 8};
  constexpr std::array kParts{1, 2, 4};
  constexpr std::array kStages{3, 4};
  constexpr int kEnoughBlocks = 2;  // of an SM, whose warps need not share out K as well
  for (const int m : kRows)
    for (const int n : kColumns) {
      if (m * n < kLeastElements || !is_filled(m, kRowUnit, problem.m.value) ||
          !is_filled(n, kColumnUnit, problem.n.value))
        continue;
      const double blocks = tiles_of({m, n}, problem.m.value, problem.n.value, problem.batch.value);
      const bool are_many = blocks > kEnoughBlocks * device.sm_count;
      for (const int warps : kWarps) {
        const std::optional<WarpsOfTile> ways = warps_of_tile(m, n, warps);
        if (!ways || m * n > kMostSums * kWarp * warps) continue;
        for (const int parts : kParts)
          for (const int stages : kStages)
            if (warps * parts >= kFewestWarps && warps * parts <= kWarps.back() &&
                (parts == 1 || !are_many))
              look(shape_of({m, n, kPartOfK * parts}, ways->m, ways->n, parts, stages, problem));
      }
    }
}

}  // namespace of_doubles
}  // namespace

std::vector<RankedWarps> ranked_warp_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                           size_t most) {
  if (problem.a.type != DType::f64 || !may_be_staged(problem, device)) return {};
  std::vector<RankedWarps> list;
  of_doubles::for_tiles(problem, device, [&](const of_doubles::Shape& shape) {
    if (of_doubles::smem_bytes(shape) > device.smem_bytes_per_block) return;
    list.push_back({of_doubles::predicted(shape, problem, device).clocks,
                    {.transfer = Transfer::cp_async,
                     .m = shape.tile.m,
                     .n = shape.tile.n,
                     .k_bytes = shape.tile.k * of_doubles::kWidth,
                     .warps_m = shape.warps_m,
                     .warps_n = shape.warps_n,
                     .stages = shape.stages,
                     .warps_k = shape.warps_k}});
  });
  keep_first_of_fastest(list, most);
  return list;
}

bool is_warp_tile(const GemmStep& step) {
  return step.schedule.main_loop == MainLoop::multistage && step.mma.atom().form == MmaForm::mma &&
         step.a.type == DType::f64;
}

Prediction warp_tile_prediction(const GemmStep& step, const DeviceInfo& device) {
  KernelProblem problem = problem_of(step);
  problem.a.access_bytes = step.a.vector_elems * of_doubles::kWidth;
  problem.b.access_bytes = step.b.vector_elems * of_doubles::kWidth;
  const Layout& atoms = step.mma.atom_layout();
  const auto along = [&](int mode) { return static_cast<int>(size(atoms[mode])); };
  return of_doubles::predicted(
      of_doubles::shape_of(step.tile, along(0), along(1), along(2), step.schedule.stages, problem),
      problem, device);
}

}  // namespace jute::plan
