// Counts that all families have.
#include "plan/shapes/tile_block.hpp"

#include <algorithm>
#include <cstdint>

#include "plan/chip/line.hpp"

namespace jute::plan {
namespace {

double pitch_of(const KernelMatrix& matrix, int width) {
  if (matrix.major == Major::k) return 0;
  return static_cast<double>(std::clamp<Index>(matrix.ld.value * width, 1, kLine));
}

double rows_there(Index extent) {
  constexpr Index kRowsOfLoad = 8;
  return static_cast<double>(std::clamp<Index>(extent, 1, kRowsOfLoad));
}

}  // namespace

void set_loads(Block& block, const BothAccesses& accesses, const KernelProblem& problem) {
  block.a_loads = accesses.a.loads, block.b_loads = accesses.b.loads;
  block.a_rows = rows_there(problem.m.value), block.b_rows = rows_there(problem.n.value);
  block.copies = block.begins_with = block.warps * (block.a_loads + block.b_loads);
}

double rows_begin(const KernelMatrix& matrix, int width) {
  constexpr auto kMost = std::uint64_t{8 * kLine};
  const std::uint64_t bytes = static_cast<std::uint64_t>(matrix.ld.value * width) | kMost;
  return static_cast<double>(bytes & (~bytes + 1));
}

Block block_of_tile(const TileShape& tile, const KernelProblem& problem) {
  const int width = width_bytes(problem.a.type);
  Block block;
  block.m = tile.m, block.n = tile.n, block.k = tile.k;
  block.products = block.m * block.n * block.k;
  block.width = block.a_bytes = block.b_bytes = width;
  constexpr double kBits = 8;
  block.d_bytes = width_bits(problem.d.type) / kBits;
  block.a_begins = rows_begin(problem.a, width), block.b_begins = rows_begin(problem.b, width);
  block.a_pitch = pitch_of(problem.a, width), block.b_pitch = pitch_of(problem.b, width);
  return block;
}

Block with_matrices(Block block, int matrices) {
  block.matrices = matrices;
  block.threads *= matrices;
  block.warps *= matrices;
  block.products *= matrices;
  return block;
}

}  // namespace jute::plan
