// Products, reads, copies and rows of each family, counted from its work.
#include "plan/cost/tiles/staged_amounts.hpp"

#include <algorithm>
#include <cmath>

#include "plan/chip/line.hpp"
#include "plan/chip/residency.hpp"
#include "plan/chip/warp.hpp"
#include "plan/cost/feed_cost.hpp"
#include "plan/shapes/thread_groups.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/warp_groups.hpp"
#include "plan/shapes/warp_tiles.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

// Registers that a thread has beside sums, fragments and what is on its way, as ptxas gives them:
// bench/results/2026-11-29-one-law.md.
constexpr double kOwnRegisters = 45;
constexpr int kOfRows = 8, kOfColumns = 4;  // of fragments of 16 rows, of 8 columns
constexpr int kProducers = 4;               // warps
// Of what memory gives, of operands whose rows begin inside chunks:
// bench/results/2026-11-29-one-law.md.
constexpr double kOfNarrow = 0.75;

/// Bytes of elements of A and of B in memory.
struct InMemory {
  double a, b;
};
InMemory in_memory(const KernelProblem& problem) {
  const double width = width_bytes(problem.a.type);
  return {width, width};
}
InMemory in_memory(const WarpTileWork& work, const KernelProblem& problem) {
  constexpr double kByteBits = 8;
  const InMemory plain = in_memory(problem);
  const auto bytes = [](const CopiedByWarps& copied, double otherwise) {
    return copied.stored.bits == 0 ? otherwise : copied.stored.bits / kByteBits;
  };
  return {bytes(work.a, plain.a), bytes(work.b, plain.b)};
}

/// Blocks, k-tiles and what memory moves, which are alike in all families.
Amounts amounts_of_tile(const TileShape& tile, const KernelProblem& problem, const FamilyLaw& law,
                        const InMemory& element) {
  const Index m = problem.m.value, n = problem.n.value, k = problem.k.value,
              batch = problem.batch.value;
  const int width = width_bytes(problem.a.type);
  Amounts amounts;
  amounts.tiles = std::max(tiles_of(tile, m, n, batch), 1.0);
  amounts.k_tiles = std::ceil(static_cast<double>(std::max<Index>(k, 1)) / tile.k);
  amounts.products = 1.0 * tile.m * tile.n * tile.k / law.multiply_adds;
  amounts.elements = 1.0 * tile.m * tile.n;
  const double loaded =
      amounts.tiles * (tile.m * element.a + tile.n * element.b) * static_cast<double>(k);
  const auto less = [&](Index lines, double bytes) {
    return static_cast<double>(lines) * static_cast<double>(k * batch) * (width - bytes);
  };
  const auto more = [&](const KernelMatrix& matrix, Index lines) {
    const double bytes = static_cast<double>(lines) * static_cast<double>(k * batch) * width;
    return matrix.ld.value * width % kChunk != 0 ? bytes * (1 / kOfNarrow - 1) : 0;
  };
  const double bytes = all_bytes(m, n, k, batch, width) + more(problem.a, m) + more(problem.b, n) -
                       less(m, element.a) - less(n, element.b);
  // Where D is wider than A and B it counts as much as they, at the rate that none exceeds.
  const double least = operand_bytes(m, n, k, batch, width) - less(m, element.a) -
                       less(n, element.b) +
                       elements_of_d(m, n, batch) * width_bits(problem.d.type) / 8;
  amounts.memory = std::max(
      {bytes / law.rates.memory_bytes, loaded / law.rates.l2_bytes, least / law.rates.sheet_bytes});
  return amounts;
}

/// Clocks of shared memory in which stored elements are read from a stage and written to another.
double converting_reads(const WarpTileWork& work, const KernelProblem& problem,
                        const FamilyLaw& law) {
  constexpr double kByteBits = 8;
  const auto bytes = [&](const CopiedByWarps& copied, int mn) {
    const double of_element = width_bytes(problem.a.type) + copied.stored.bits / kByteBits;
    return copied.stored.bits == 0 ? 0 : of_element * mn * work.tile.k;
  };
  if (work.transfer != Transfer::cp_async) return 0;
  return (bytes(work.a, work.tile.m) + bytes(work.b, work.tile.n)) / law.rates.smem_bytes;
}

double resident(double of_smem, int threads, double registers, const DeviceInfo& device) {
  return std::clamp(std::floor(of_smem), 1.0, blocks_of_sm(threads, registers, device));
}

double sm_bytes(const DeviceInfo& device) { return static_cast<double>(device.smem_bytes_per_sm); }

}  // namespace

FamilyLaw law_of(Family family, MmaForm form, const KernelProblem& problem,
                 const DeviceInfo& device) {
  return {chip_rates(device), coefficients_of(family, width_bytes(problem.a.type), device),
          multiply_adds(device, form, problem.a.type, problem.accumulate)};
}

Amounts amounts_of_tile(const TileShape& tile, const KernelProblem& problem, const FamilyLaw& law) {
  return amounts_of_tile(tile, problem, law, in_memory(problem));
}

Amounts amounts_of(const WarpTileWork& work, const KernelProblem& problem, const DeviceInfo& device,
                   const FamilyLaw& law) {
  Amounts amounts = amounts_of_tile(work.tile, problem, law, in_memory(work, problem));
  const double registers =
      kOwnRegisters + staged_by_thread(work, problem) +
      (work.scaled > 0 ? 2 : 1) * sum_registers(problem) * sums_of_thread(work) +
      work.rows() / kRowUnit * kOfRows + work.columns() / kColumnUnit * kOfColumns;
  amounts.resident = resident(sm_bytes(device) / static_cast<double>(smem_bytes(work, problem)),
                              work.warps() * kWarp, registers, device);
  amounts.warps = work.warps();
  amounts.reads = amounts.warps * (work.rows() + work.columns()) * work.tile.k / work.warps_k *
                      width_bytes(problem.a.type) / law.rates.smem_bytes +
                  converting_reads(work, problem, law);
  amounts.copies = amounts.warps * (work.a.copies + work.b.copies);
  amounts.converted =
      amounts.warps * (work.a.stored.instructions + work.b.stored.instructions + work.scaled);
  amounts.ahead = work.stages - 1;
  amounts.parts = work.warps_k;
  return amounts;
}

Amounts amounts_of(const WarpGroupWork& work, const KernelProblem& problem,
                   const DeviceInfo& device, const FamilyLaw& law) {
  Amounts amounts = amounts_of_tile({work.m, work.n, work.k}, problem, law, in_memory(problem));
  const int threads = kWarp * (work.warps() + kProducers);
  const double bytes = 1.0 * (work.m + work.n) * kLine * work.stages;
  amounts.resident = std::max(1.0, std::min(std::floor(sm_bytes(device) / bytes),
                                            std::floor(1.0 * device.threads_per_sm / threads)));
  amounts.warps = work.warps();
  // Along M or N elements are read one by one, in two accesses for each.
  const auto times = [](const KernelMatrix& matrix) { return matrix.major == Major::k ? 1 : 2; };
  const double rows = 1.0 * work.m / work.warps_m, columns = 1.0 * work.n / work.warps_n;
  amounts.reads = amounts.warps * (rows * times(problem.a) + columns * times(problem.b)) * work.k *
                  width_of(problem) / law.rates.smem_bytes;
  amounts.copies = work.m + work.n;
  amounts.boxes = clocks_of_boxes({work.m, work.n, work.k}, problem, device);
  amounts.ahead = work.stages - 1;
  return amounts;
}

Amounts amounts_of(const ThreadTileWork& work, const KernelProblem& problem,
                   const DeviceInfo& device, const FamilyLaw& law) {
  Amounts amounts = amounts_of_tile(work.tile, problem, law, in_memory(problem));
  const double registers =
      kOwnRegisters + work.rows * work.columns + 2 * (work.rows + work.columns);
  amounts.resident = resident(sm_bytes(device) / static_cast<double>(smem_bytes(work)),
                              work.threads, registers, device);
  amounts.warps = 1.0 * work.threads / kWarp;
  amounts.reads = amounts.warps * (work.rows + work.columns) * work.tile.k / work.parts_of_k /
                  kThreadTileVector;
  // Copies across K go element by element to rows of their own.
  const auto copied = [](const CopiedByThreads& some) {
    return some.count * (some.across ? 2 : 1);
  };
  amounts.copies = amounts.warps * (copied(work.a) + copied(work.b));
  amounts.ahead = work.stages - 1;
  amounts.parts = work.parts_of_k;
  return amounts;
}

Amounts amounts_of(const ThreadGroupWork& work, const KernelProblem& problem,
                   const DeviceInfo& device, const FamilyLaw& law) {
  Amounts amounts = amounts_of_tile({work.m, work.n, work.k}, problem, law, in_memory(problem));
  amounts.warps = work.warps;
  amounts.reads = amounts.warps * (work.rows + work.columns) * work.k / kThreadTileVector;
  amounts.copies = work.m + work.n;
  amounts.boxes = clocks_of_boxes({work.m, work.n, work.k}, problem, device);
  amounts.ahead = kThreadGroupStages - 1;
  return amounts;
}

}  // namespace jute::plan
