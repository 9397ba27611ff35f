// Loads, sectors and multiply-adds of lanes, counted from their work.
#include "plan/cost/tiles/direct_amounts.hpp"

#include <algorithm>
#include <cmath>

#include "plan/chip/line.hpp"
#include "plan/chip/residency.hpp"
#include "plan/chip/warp.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/tiles/straight_cost.hpp"
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

/// Of a warp's load of fragments: a sector of each of eight rows along K, whole ones of four rows
/// of K along M or N. Rows that the problem lacks are not loaded; longer elements take as many
/// more.
double load_sectors(const StraightLoads& operand, int width) {
  constexpr double kRows = 8, kRowsOfK = 4;
  const double there = std::clamp<double>(static_cast<double>(operand.extent), 1, kRows);
  const double sectors = operand.major == Major::k ? there : kRowsOfK * (1 + there / kRows) / 2;
  return static_cast<double>(operand.loads) * sectors * std::max(width / kBytesOfWord, 1.0);
}

/// What D's stores count of a group's sums. A fragment has neighbours along N: stored one by one,
/// elements narrower than a word leave each word to two instructions, for so many times the clocks.
double stores_of(const StraightWork& work, const KernelProblem& problem) {
  constexpr double kWordsInParts = 4;
  const bool are_narrow = width_bits(problem.d.type) < kBytesOfWord * kBitsAByte;
  return are_narrow && !work.stores_together ? kWordsInParts : 1;
}

/// Times the clocks of memory, which rests while all blocks of an SM multiply: the fewer there are,
/// the more often, and by so small a part of its clocks where there is one.
double with_rests(double resident) {
  constexpr double kPartOfOne = 4;
  return 1 + 1 / (kPartOfOne * resident * resident);
}

/// Of a launch, what is felt by blocks whose loads go out as they begin: the fourth root of what
/// those are of as many as an SM answers before their latency is over.
double felt_beginning(const Amounts& amounts, const ChipRates& rates) {
  constexpr double kAtOnce = 64;  // of warps, of an SM
  const double of_sm = amounts.tiles * amounts.copies / rates.sms;
  return std::sqrt(std::sqrt(std::min(of_sm / kAtOnce, 1.0)));
}

/// Blocks of a tile each as blocks of so many matrices of a batch.
void set_matrices(Amounts& amounts, int matrices) {
  amounts.warps *= matrices;
  amounts.tiles /= matrices;
  amounts.products *= matrices;
  amounts.elements *= matrices;
}

}  // namespace

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
  amounts.warps = work.warps;
  set_matrices(amounts, matrices);
  amounts.resident = blocks_of_sm(work.warps * matrices * kWarp, kOwnOfLane + sums + words, device);
  amounts.reads = amounts.warps * (load_sectors(work.a) + load_sectors(work.b));
  amounts.copies = amounts.warps * (work.a.loads + work.b.loads);
  amounts.parts = work.parts_of_k;
  amounts.begin = felt_beginning(amounts, law.rates);
  return amounts;
}

Amounts amounts_of(const StraightWork& work, const KernelProblem& problem, const DeviceInfo& device,
                   const FamilyLaw& law) {
  const Index m = problem.m.value, n = problem.n.value, batch = problem.batch.value;
  Amounts amounts = amounts_of_tile(work.tile, problem, law);
  const int threads = std::max(work.threads, kWarp);
  const bool is_alone = work.parts_of_k > 1 || work.is_generic;
  const int matrices =
      is_alone ? 1 : std::max(matrices_of_block(threads, work.tile, m, n, batch, device), 1);
  amounts.warps = std::ceil(1.0 * work.threads / kWarp);
  set_matrices(amounts, matrices);
  amounts.resident = blocks_of_sm(threads * matrices, straight_registers(work), device);
  amounts.reads =
      amounts.warps * (load_sectors(work.a, work.width) + load_sectors(work.b, work.width));
  amounts.copies = amounts.warps * static_cast<double>(work.a.loads + work.b.loads);
  amounts.parts = work.parts_of_k - 1 + stores_of(work, problem);
  amounts.begin = felt_beginning(amounts, law.rates);
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
  amounts.memory *= with_rests(amounts.resident);
  amounts.warps = 1.0 * work.threads / kWarp;
  amounts.products = work.threads * static_cast<double>(work.elements) *
                     (work.rows + kMadeOfElement) / law.multiply_adds;
  amounts.reads = amounts.warps * (dot_reads(work.streamed, law.rates.smem_bytes) +
                                   dot_reads(work.kept, law.rates.smem_bytes));
  amounts.copies = amounts.warps * (dot_instructions(work.streamed) + dot_instructions(work.kept));
  amounts.converted = amounts.warps * work.stored.instructions;
  amounts.parts = std::max(1.0, 1.0 * work.lanes_k / kWarp);
  amounts.begin = felt_beginning(amounts, law.rates);
  return amounts;
}

Amounts amounts_of(const LineWork& work, const KernelProblem& problem, const DeviceInfo& device,
                   const FamilyLaw& law) {
  Amounts amounts = amounts_of_streams(streams_of(problem, work.width), work.lines, work.rows,
                                       work.k, problem.d.type, law.rates);
  const LineLoads loads = line_loads(work);
  amounts.resident = line_blocks(work, device);
  amounts.memory *= with_rests(amounts.resident);
  amounts.warps = work.warps;
  amounts.products = 1.0 * work.lines * work.k *
                     (work.rows + (work.by_threads ? kMadeOfElement : 0)) / law.multiply_adds;
  // Ends of lines and the other operand come element by element.
  amounts.reads = amounts.warps * (loads.chunks + (loads.ends + loads.kept) / 2) * kWarp * kChunk /
                  law.rates.smem_bytes;
  amounts.copies = amounts.warps * (loads.chunks + loads.ends + loads.kept);
  amounts.parts = work.warps;
  amounts.begin = felt_beginning(amounts, law.rates);
  return amounts;
}

double least_lane_clocks(const KernelProblem& problem, const DeviceInfo& device) {
  const FamilyLaw law = law_of(Family::lane_tiles, MmaForm::fma, problem, device);
  return elements_of_d(problem.m.value, problem.n.value, problem.batch.value) *
         static_cast<double>(problem.k.value) / law.multiply_adds / law.rates.sms *
         std::max(law.of.product, law.rates.of_fastest_clock);
}

double straight_clocks(const StraightWork& work, const KernelProblem& problem,
                       const DeviceInfo& device, const FamilyLaw& law) {
  if (work.stored.bits > 0)
    return stored_prediction(work, problem.m.value, problem.n.value, problem.k.value,
                             problem.batch.value, device)
        .clocks;
  return by_law(amounts_of(work, problem, device, law), {}, law.of, law.rates).clocks;
}

double dot_clocks(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device,
                  const FamilyLaw& law) {
  const DotWork work = dot_work(tile, problem);
  return by_law(amounts_of(work, problem, device, law), {}, law.of, law.rates).clocks *
         (work.stored.bits > 0 ? fitted::kDotsOfStored : 1);
}

}  // namespace jute::plan
