// Tile, threads and shared memory of the thread-FMA kernels.
#include "plan/fma_family.hpp"

#include <algorithm>
#include <bit>

#include "base/format.hpp"
#include "plan/gemm_step.hpp"

namespace jute::plan {
namespace {

/// What one thread multiplies in a k-step: `vector` neighbours, `repeats` times, along M and N.
struct ThreadTile {
  int vector, repeats, k;
};
ThreadTile thread_tile(DType accumulate) {
  return accumulate == DType::f64 ? ThreadTile{2, 2, 8} : ThreadTile{4, 2, 8};
}

/// 128 unless a literal extent fits a smaller power of two.
int tile_extent(const Extent& extent, int largest) {
  if (!extent.baked || extent.value >= largest) return largest;
  const auto needed = static_cast<std::uint64_t>(std::max<Index>(extent.value, 1));
  return std::max(static_cast<int>(std::bit_ceil(needed)), 32);
}

std::string atom_name(const KernelProblem& problem) {
  const auto cute = [](DType type) { return std::string(value_type(type).cute); };
  const std::string a = cute(problem.a.type), b = cute(problem.b.type);
  const std::string c = cute(problem.accumulate);
  return a == c && b == c ? base::format("UniversalFMA<{}>", c)
                          : base::format("UniversalFMA<{},{},{},{}>", c, a, b, c);
}

/// Warps of 8 threads along N where there are as many: their stores then fill whole sectors.
Layout thread_layout(int threads_m, int threads_n) {
  const int lanes_n = std::min(8, threads_n),
            lanes_m = std::max(1, std::min(32 / lanes_n, threads_m));
  const int warps_m = threads_m / lanes_m, warps_n = threads_n / lanes_n;
  const int lanes = lanes_m * lanes_n;
  return Layout(IntTuple{IntTuple{lanes_m, warps_m}, IntTuple{lanes_n, warps_n}, 1},
                IntTuple{IntTuple{lanes_n, lanes}, IntTuple{1, lanes * warps_m}, 0});
}

/// threads × (vector, repeats) along one dimension, a thread's vectors a whole row of threads
/// apart.
Tiler spread(int threads, const ThreadTile& tile) {
  return Layout(IntTuple{threads, tile.vector, tile.repeats},
                IntTuple{tile.vector, 1, threads * tile.vector});
}

/// (mn, k) contiguous along mn, so that a thread reads its vector in one access; a row is padded by
/// 16 bytes, so that a transposing store does not hit one bank.
ComposedLayout padded_layout(int tile_mn, int tile_k, DType type, Major major) {
  const int pad = major == Major::k ? std::max(1, 16 / width_bytes(type)) : 0;
  return Layout(IntTuple{tile_mn, tile_k}, IntTuple{1, tile_mn + pad});
}

bool is_wide(const OperandPlan& operand) {
  return operand.vector_elems * width_bytes(operand.type) == 16;
}

}  // namespace

GemmStep fma_step(const KernelProblem& problem, const DeviceInfo& device, const Config& config,
                  const Catalogue& catalogue) {
  const ThreadTile mine = thread_tile(problem.accumulate);
  const int per_thread = mine.vector * mine.repeats;
  GemmStep step = step_for(problem, device, config);
  const int largest = problem.accumulate == DType::f64 ? 64 : 128;
  step.tile = config.tile.value_or(
      TileShape{tile_extent(problem.m, largest), tile_extent(problem.n, largest), mine.k});
  const int threads_m = std::max(1, step.tile.m / per_thread);
  const int threads_n = std::max(1, step.tile.n / per_thread);
  const MmaAtom atom = catalogue.mma(config.mma_atom.value_or(atom_name(problem)));
  step.mma = TiledMma(atom, config.atom_layout.value_or(thread_layout(threads_m, threads_n)),
                      config.permutation.value_or(Tiler(
                          {spread(threads_m, mine), spread(threads_n, mine), Tiler::wildcard()})));
  step.stages = config.stages.value_or(2);
  step.a.smem = config.smem_a.value_or(
      padded_layout(step.tile.m, step.tile.k, problem.a.type, problem.a.major));
  step.b.smem = config.smem_b.value_or(
      padded_layout(step.tile.n, step.tile.k, problem.b.type, problem.b.major));
  complete_step(step, problem, device);
  // Two blocks of 256 threads leave 128 registers a thread: enough only when few accesses are in
  // flight, that is when all are 16 bytes wide.
  if (is_wide(step.a) && is_wide(step.b) && step.threads <= 256) step.blocks_per_sm = 2;
  // For Blackwell the assembler spills from those 128 when it sees a whole k-tile at once.
  if (step.blocks_per_sm == 2 && device.arch.number >= 100) step.unrolled_k_steps = mine.k / 2;
  return step;
}

}  // namespace jute::plan
