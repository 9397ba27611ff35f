// Turns of chunks that lanes ask for, in clocks of kernels on an H200.
#include "plan/cost/tiles/dot_cost.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "plan/chip/line.hpp"
#include "plan/chip/residency.hpp"
#include "plan/chip/warp.hpp"
#include "plan/cost/overlap.hpp"
#include "plan/shapes/dot_products.hpp"
#include "plan/values/block_threads.hpp"

namespace jute::plan {
namespace {

// Clocks of an H200: from one kernel to the next,
// until the first chunks have come, later where rows have elements beside those; a turn, of chunks
// that are asked for and come, and for each load of a lane.
constexpr double kDotLaunch = 200, kDotStart = 280, kEnds = 645, kDotTurn = 650,
                 kDotTurnOfLoad = 12.5;

// Of f32, timed apart, the first chunks of which were there sooner; turns of single elements take
// so many times as long.
constexpr double kLaunchOfF32 = 380, kSinglesOfF32 = 1.5;
constexpr double kDotMemory = 3600;  // bytes that memory gives in a clock

// Of work, turns and memory what is less hides in what is more, but for some of it.
constexpr double kOverlap = 1.57;
constexpr double kDotBlock = 21;  // of a block, of those of an SM

// Instructions of a warp: to ask for a chunk in each lane, or for a single element; to cut a chunk
// out of two; for an element of a chunk, beside one for each row. An SM starts so many in a clock,
// and gives a warp the chunks that it asks for, or twice as many single elements, in so many.
constexpr double kAsk = 4.6, kAskSingle = 5.7, kCut = 4.9, kElement = 2.75, kIssued = 3,
                 kAccess = 4.5;

// Until lanes have added their sums, two by two, each of them.
constexpr double kShuffle = 351, kShuffled = 2.7;
constexpr int kOwnWords = 20;  // registers of a thread beside operands and sums

/// Of a warp, to start so many loads, and of an SM, to give it what they ask for.
double instructions_of(const DotLoads& loads) {
  return static_cast<double>(loads.count) *
         ((loads.are_single ? kAskSingle : kAsk) + (loads.are_cut ? kCut : 0));
}

double loads_in(const DotLoads& loads) {
  return static_cast<double>(loads.count) * (loads.are_cut ? 2 : 1);
}

double accesses_of(const DotLoads& loads) {
  return static_cast<double>(loads.count) * (loads.are_single ? 0.5 : loads.are_cut ? 2 : 1);
}

}  // namespace

Prediction predicted(const DotWork& work, Index lines, Index rows, Index k, Index batch, int width,
                     const DeviceInfo& device, const RowScale& scale) {
  const auto blocks = static_cast<double>(ceil_div(std::max<Index>(lines, 1), work.lines) *
                                          ceil_div(std::max<Index>(rows, 1), work.rows) *
                                          std::max<Index>(batch, 1));
  const int sms = std::max(device.sm_count, 1);
  const double resident =
      blocks_of_sm(work.threads, static_cast<double>(kOwnWords + work.held + work.sums), device);
  Prediction result;
  const bool is_f32 = width == width_bytes(DType::f32);
  result.launch = is_f32 ? kLaunchOfF32 : kDotLaunch;
  result.start = (is_f32 ? 0 : kDotStart) + (work.has_ends ? kEnds : 0);
  result.waves = std::ceil(blocks / (sms * resident));
  result.k_blocks = static_cast<double>(ceil_div(std::max<Index>(k, 1), work.k));
  const double instructions =
      instructions_of(work.streamed) + instructions_of(work.kept) +
      static_cast<double>(work.elements) * (kElement + work.rows * scale.threads) +
      work.stored.instructions;
  const double accesses = (accesses_of(work.streamed) + accesses_of(work.kept)) * kAccess;
  const double of_sm = std::ceil(blocks / sms), warps = work.threads / kWarp;
  result.products = of_sm * warps * std::max(instructions / kIssued, accesses) / result.waves;
  result.feed = kDotTurn + kDotTurnOfLoad * (loads_in(work.streamed) + loads_in(work.kept));
  result.k_block = std::max(result.products, result.feed);
  // The first turn is part of the start.
  const double slow = is_f32 && singles_of(work) > 0 ? kSinglesOfF32 : 1;
  const double turns = slow * result.feed * result.waves * result.k_blocks - kDotTurn;
  const double issued = slow * result.waves * result.k_blocks * result.products + of_sm * kDotBlock;
  result.work = std::max(turns, issued);
  const double element_bytes = work.stored.bits > 0 ? work.stored.bits / 8.0 : width;
  const double bytes = static_cast<double>(lines) * static_cast<double>(k) * element_bytes *
                       static_cast<double>(batch) *
                       static_cast<double>(ceil_div(std::max<Index>(rows, 1), work.rows));
  result.memory = bytes / (kDotMemory * scale.memory);
  const int steps = std::bit_width(static_cast<unsigned>(work.lanes_k)) - 1;
  result.reduction = steps * (kShuffle + kShuffled * static_cast<double>(work.sums));
  const double all = together(turns, issued, result.memory, kOverlap);
  result.least = all - std::max(result.work, result.memory);
  result.clocks = result.launch + result.start + all + result.reduction;
  hold_above_least(result, scale);
  return result;
}

Prediction predicted(const DotTile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  return predicted(tile, problem, device, row_scale(problem, MmaForm::fma, device));
}

Prediction predicted(const DotTile& tile, const KernelProblem& problem, const DeviceInfo& device,
                     const RowScale& scale) {
  const DotSides sides = sides_of(problem, tile.streamed);
  return predicted(work_of(tile, problem), sides.lines, sides.rows, problem.k.value,
                   problem.batch.value, width_bytes(sides.streamed.type), device, scale);
}

}  // namespace jute::plan
