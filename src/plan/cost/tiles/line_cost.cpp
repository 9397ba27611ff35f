// Turns of chunks, sums that meet and memory, in clocks of kernels on an H200.
#include "plan/cost/tiles/line_cost.hpp"

#include <jute/plan/values/line_chunks.hpp>

#include <algorithm>
#include <cmath>

#include "plan/chip/warp.hpp"
#include "plan/cost/overlap.hpp"

namespace jute::plan {
namespace {

/// What kernels take, in clocks of an H200: from one to the next; until a block's first loads have
/// come, and from its last to D.
struct LineConstants {
  double launch, block;
  double turn, turn_load;               ///< of a chain of loads; for each of a lane
  double turn_kept, turn_kept_apart;    ///< for each of the kept operand, along K, or of rows apart
  double chunk, end, kept, kept_apart;  ///< of an SM: a warp's load
  double instruction;                   ///< of an SM, of a warp
  double memory;                        ///< bytes that memory gives in a clock
  double overlap;                       ///< what is less hides in what is more, but for some of it
  double of_block, of_sum;              ///< of an SM: a block; a sum of a thread that meets others
};

// Fitted to 1000 times of 150 problems, within 8 to 13 %:
// bench/results/2026-11-27-one-to-four-rows.md.
constexpr LineConstants kOfTensorCores{1400, 1900, 474,   62,   15,   9.9, 11.9, 0,
                                       1.95, 1.35, 0.027, 2700, 1.72, 0,   112};

constexpr LineConstants kOfTensorCores32{2260, 784, 858,   23.5, 0,    0, 0,   0,
                                         0,    0,   0.694, 2500, 1.75, 0, 54.6};

constexpr LineConstants kOf16Bits{1400, 1330,  857,  11.7, 49.7, 30.8, 0,  0.989,
                                  1.16, 0.994, 0.29, 2070, 2.36, 797,  106};

constexpr LineConstants kOf32Bits{1400,  1260, 1060,  68.7, 1.36, 5.55, 1.47, 1.79,
                                  0.155, 0,    0.235, 2440, 1.6,  0,    179};

/// What the model of straight kernels expects of such problems, where the chip has tensor cores for
/// the types: clocks more, and more of each.
constexpr double kOthersAhead = 3500, kOthersSlow = 1.15, kOthersSlow32 = 1.25,
                 kHiddenLaunch = 3400;

/// Of an instruction's rows; what more of them take, of the clocks of a turn.
constexpr int kRowsOfOne = 16;
constexpr double kMoreRows = 1.15;

/// Of a warp in a turn.
double line_instructions(const LineWork& work) {
  const LineLoads loads = line_loads(work);
  if (work.by_threads)
    return loads.chunks * (4 + work.of_chunk * (1 + work.rows)) + loads.ends * (3 + work.rows) +
           loads.kept * 3;
  return loads.chunks * (12 + work.rows / 8.0) + loads.ends * 4 + loads.kept * 3;
}

/// On the scale of the model of kernels beside which it stands.
Prediction as_others_say(Prediction of, double slow) {
  of.launch += kOthersAhead;
  of.clocks += kOthersAhead;
  for (double* clocks : {&of.launch, &of.start, &of.products, &of.feed, &of.k_block, &of.work,
                         &of.memory, &of.least, &of.reduction, &of.clocks})
    *clocks /= slow;
  of.launch -= kHiddenLaunch;
  of.clocks -= kHiddenLaunch;
  return of;
}

}  // namespace

Prediction predicted(const LineWork& work, Index lines, Index rows, Index k, Index batch,
                     const DeviceInfo& device, const RowScale& scale) {
  const bool is_wide = work.width == width_bytes(DType::f32);
  const LineConstants& of = work.by_threads ? (is_wide ? kOf32Bits : kOf16Bits)
                                            : (is_wide ? kOfTensorCores32 : kOfTensorCores);
  const auto tiles_along = [](Index extent, int tile) {
    return static_cast<double>(ceil_div(std::max<Index>(extent, 1), Index{tile}));
  };
  const double row_tiles = tiles_along(rows, work.rows), batches = static_cast<double>(batch);
  const double blocks = tiles_along(lines, work.lines) * row_tiles * batches;
  const double sms = std::max(device.sm_count, 1), of_sm = std::ceil(blocks / sms);
  const LineLoads loads = line_loads(work);
  const bool is_apart = !work.is_kept_along_k && rows > 1;
  const double rows_there = static_cast<double>(std::min<Index>(rows, work.rows));
  const double slowness = !work.by_threads && work.rows > kRowsOfOne ? kMoreRows : 1;
  Prediction result;
  result.launch = of.launch;
  result.start = of.block;
  result.waves = std::ceil(blocks / (sms * line_blocks(work, device)));
  result.k_blocks = tiles_along(k, work.k);
  result.products = slowness * of_sm * work.warps *
                    (loads.chunks * of.chunk + loads.ends * work.lanes_k * of.end +
                     loads.kept * (is_apart ? of.kept_apart : of.kept) +
                     line_instructions(work) * of.instruction) /
                    result.waves;
  result.feed = slowness * (of.turn + of.turn_load * (loads.chunks + loads.ends) +
                            loads.kept * (is_apart ? of.turn_kept_apart : of.turn_kept));
  result.k_block = std::max(result.products, result.feed);
  const double turns = result.waves * (of.block + result.k_blocks * result.feed);
  result.reduction = of_sm * (of.of_block + of.of_sum * rows_there * work.lines / kWarp);
  const double issued = result.waves * result.k_blocks * result.products + result.reduction;
  result.memory = static_cast<double>(lines) * static_cast<double>(k) * work.width * batches *
                  row_tiles / (of.memory * scale.memory);
  result.work = std::max(turns, issued);
  const double all = together(turns, issued, result.memory, of.overlap);
  result.least = all - std::max(result.work, result.memory);
  result.clocks = result.launch + all;
  if (!work.is_f32) result = as_others_say(result, is_wide ? kOthersSlow32 : kOthersSlow);
  hold_above_least(result, scale);
  return result;
}

}  // namespace jute::plan
