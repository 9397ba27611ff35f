// Loads, sectors and multiply-adds of lanes, counted from their work.
#include "plan/cost/tiles/direct_amounts.hpp"

#include <algorithm>
#include <cmath>

#include "plan/chip/line.hpp"
#include "plan/chip/residency.hpp"
#include "plan/chip/warp.hpp"
#include "plan/shapes/dot_products.hpp"
#include "plan/shapes/lane_tiles.hpp"
#include "plan/shapes/line_tiles.hpp"
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
FamilyLaw law_of_lines(bool by_threads, const KernelProblem& problem, const DeviceInfo& device) {
  return by_threads ? law_of(LawFamily::line_threads, MmaForm::fma, problem, device)
                    : law_of(LawFamily::line_warps, MmaForm::mma, problem, device);
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

namespace {

/// A product that reads one operand, the larger, in lines, and the rows of the other for each tile.
struct Streams {
  Index lines, rows, k, batch;
  double streamed_bytes, width;  ///< of an element
};
Streams streams_of(const KernelProblem& problem, double streamed_bytes) {
  const auto at_least_one = [](Index extent) { return std::max<Index>(extent, 1); };
  return {at_least_one(std::max(problem.m.value, problem.n.value)),
          at_least_one(std::min(problem.m.value, problem.n.value)),
          at_least_one(problem.k.value),
          at_least_one(problem.batch.value),
          streamed_bytes,
          static_cast<double>(width_bytes(problem.a.type))};
}

/// Blocks, k-tiles and what memory moves of a tile of so many lines, rows and k.
Amounts amounts_of_streams(const Streams& streams, Index lines, Index rows, Index k, DType d,
                           const ChipRates& rates) {
  const auto row_tiles = static_cast<double>(ceil_div(streams.rows, rows)),
             batch = static_cast<double>(streams.batch), of_k = static_cast<double>(streams.k);
  Amounts amounts;
  amounts.tiles = static_cast<double>(ceil_div(streams.lines, lines)) * row_tiles * batch;
  amounts.k_tiles = static_cast<double>(ceil_div(streams.k, k));
  amounts.elements = static_cast<double>(rows * lines);
  const double streamed =
      static_cast<double>(streams.lines) * of_k * batch * streams.streamed_bytes;
  const double kept = static_cast<double>(streams.rows) * of_k * batch * streams.width;
  const double stored =
      elements_of_d(streams.lines, streams.rows, streams.batch) * width_bits(d) / kBitsAByte;
  amounts.memory = std::max((streamed * row_tiles + kept) / rates.memory_bytes,
                            (streamed + kept + stored) / rates.sheet_bytes);
  return amounts;
}

}  // namespace

Amounts amounts_of(const DotWork& work, const KernelProblem& problem, const DeviceInfo& device,
                   const FamilyLaw& law) {
  const double width = width_bytes(problem.a.type);
  Amounts amounts = amounts_of_streams(
      streams_of(problem, work.stored.bits > 0 ? work.stored.bits / kBitsAByte : width), work.lines,
      work.rows, work.k, problem.d.type, law.rates);
  amounts.resident =
      blocks_of_sm(work.threads, static_cast<double>(kOwnOfLane + work.held + work.sums), device);
  amounts.warps = 1.0 * work.threads / kWarp;
  amounts.products = work.threads * static_cast<double>(work.elements) *
                     (work.rows + kMadeOfElement) / law.multiply_adds;
  amounts.reads = amounts.warps * (dot_reads(work.streamed, law.rates.smem_bytes) +
                                   dot_reads(work.kept, law.rates.smem_bytes));
  amounts.copies = amounts.warps * (dot_instructions(work.streamed) + dot_instructions(work.kept));
  amounts.converted = amounts.warps * work.stored.instructions;
  amounts.parts = std::max(1.0, 1.0 * work.lanes_k / kWarp);
  return amounts;
}

Amounts amounts_of(const LineWork& work, const KernelProblem& problem, const DeviceInfo& device,
                   const FamilyLaw& law) {
  Amounts amounts = amounts_of_streams(streams_of(problem, work.width), work.lines, work.rows,
                                       work.k, problem.d.type, law.rates);
  const LineLoads loads = line_loads(work);
  amounts.resident = line_blocks(work, device);
  amounts.warps = work.warps;
  amounts.products = 1.0 * work.lines * work.k *
                     (work.rows + (work.by_threads ? kMadeOfElement : 0)) / law.multiply_adds;
  // Ends of lines and the other operand come element by element.
  amounts.reads = amounts.warps * (loads.chunks + (loads.ends + loads.kept) / 2) * kWarp * kChunk /
                  law.rates.smem_bytes;
  amounts.copies = amounts.warps * (loads.chunks + loads.ends + loads.kept);
  amounts.parts = work.warps;
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
