// Loads, sectors and multiply-adds of lanes, counted from their work.
#include "plan/cost/tiles/direct_amounts.hpp"

#include <algorithm>
#include <cmath>

#include "plan/chip/line.hpp"
#include "plan/chip/residency.hpp"
#include "plan/chip/warp.hpp"
#include "plan/shapes/dot_products.hpp"
#include "plan/shapes/lane_tiles.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

// Registers of a thread beside sums and what it has asked for: addresses, bounds, counters.
constexpr int kOwnOfLane = 32;
constexpr double kBytesOfWord = 4, kBitsAByte = 8;
// Of an element of the large operand, beside a multiply-add for each row: to make of it, and of the
// small one's, what is multiplied.
constexpr int kMadeOfElement = 2;

/// Instructions that start loads.
double dot_instructions(const DotLoads& loads) {
  return static_cast<double>(loads.count) * (loads.are_cut ? 2 : 1);
}

/// Clocks of shared memory's path, on which an SM's loads come: of a chunk for each lane of a warp,
/// of single elements half as many.
double dot_reads(const DotLoads& loads, double smem_bytes) {
  return dot_instructions(loads) * kWarp * kChunk / smem_bytes / (loads.are_single ? 2 : 1);
}

double load_sectors(const LaneLoads& operand) { return operand.loads * operand.sectors; }

}  // namespace

FamilyLaw law_of_lanes(const KernelProblem& problem, const DeviceInfo& device) {
  return law_of(LawFamily::lane_tiles, MmaForm::fma, problem, device);
}
FamilyLaw law_of_dots(const KernelProblem& problem, const DeviceInfo& device) {
  return law_of(LawFamily::dot_products, MmaForm::fma, problem, device);
}

Amounts amounts_of(const LaneTileWork& work, const KernelProblem& problem, const DeviceInfo& device,
                   const FamilyLaw& law) {
  Amounts amounts = amounts_of_tile(work.tile, problem, law);
  const double sums = work.rows * work.columns;
  const double words = (work.rows + work.columns) * work.k * work.width / kBytesOfWord;
  const int matrices =
      work.parts_of_k > 1
          ? 1
          : std::max(matrices_of_block(work.warps * kWarp, work.tile, problem.m.value,
                                       problem.n.value, problem.batch.value, device),
                     1);
  amounts.warps = work.warps * matrices;
  amounts.tiles /= matrices;
  amounts.products *= matrices;
  amounts.elements *= matrices;
  amounts.resident = blocks_of_sm(work.warps * matrices * kWarp, kOwnOfLane + sums + words, device);
  amounts.reads = amounts.warps * (load_sectors(work.a) + load_sectors(work.b));
  amounts.copies = amounts.warps * (work.a.loads + work.b.loads);
  amounts.parts = work.parts_of_k;
  return amounts;
}

Amounts amounts_of(const DotWork& work, const KernelProblem& problem, const DeviceInfo& device,
                   const FamilyLaw& law) {
  const auto at_least_one = [](Index extent) { return std::max<Index>(extent, 1); };
  const Index lines = std::max(problem.m.value, problem.n.value),
              rows = std::min(problem.m.value, problem.n.value), k = problem.k.value;
  const double batch = static_cast<double>(at_least_one(problem.batch.value)),
               row_tiles = static_cast<double>(ceil_div(at_least_one(rows), Index{work.rows}));
  Amounts amounts;
  amounts.tiles =
      static_cast<double>(ceil_div(at_least_one(lines), Index{work.lines})) * row_tiles * batch;
  amounts.k_tiles = static_cast<double>(ceil_div(at_least_one(k), work.k));
  amounts.resident =
      blocks_of_sm(work.threads, static_cast<double>(kOwnOfLane + work.held + work.sums), device);
  amounts.warps = 1.0 * work.threads / kWarp;
  amounts.products = work.threads * static_cast<double>(work.elements) *
                     (work.rows + kMadeOfElement) / law.multiply_adds;
  amounts.reads = amounts.warps * (dot_reads(work.streamed, law.rates.smem_bytes) +
                                   dot_reads(work.kept, law.rates.smem_bytes));
  amounts.copies = amounts.warps * (dot_instructions(work.streamed) + dot_instructions(work.kept));
  amounts.converted = amounts.warps * work.stored.instructions;
  amounts.elements = 1.0 * work.rows * work.lines;
  amounts.parts = std::max(1.0, 1.0 * work.lanes_k / kWarp);
  const double width = width_bytes(problem.a.type);
  const double streamed = static_cast<double>(lines) * static_cast<double>(k) * batch *
                          (work.stored.bits > 0 ? work.stored.bits / kBitsAByte : width);
  const double kept = static_cast<double>(rows) * static_cast<double>(k) * batch * width;
  const double d =
      elements_of_d(lines, rows, problem.batch.value) * width_bits(problem.d.type) / kBitsAByte;
  amounts.memory = std::max((streamed * row_tiles + kept) / law.rates.memory_bytes,
                            (streamed + kept + d) / law.rates.sheet_bytes);
  return amounts;
}

double least_lane_clocks(const KernelProblem& problem, const DeviceInfo& device) {
  const FamilyLaw law = law_of_lanes(problem, device);
  return elements_of_d(problem.m.value, problem.n.value, problem.batch.value) *
         static_cast<double>(problem.k.value) / law.multiply_adds / law.rates.sms *
         std::max(law.of.product, law.rates.of_fastest_clock);
}

double dot_clocks(const DotTile& tile, const KernelProblem& problem, const DeviceInfo& device,
                  const FamilyLaw& law) {
  return by_law(amounts_of(work_of(tile, problem), problem, device, law), {}, law.of, law.rates)
      .clocks;
}

}  // namespace jute::plan
