// Tile, threads and shared memory of the thread-FMA kernels.
#include "plan/derive/fma_family.hpp"

#include <algorithm>
#include <bit>

#include "base/format.hpp"
#include "plan/chip/warp.hpp"
#include "plan/derive/drain/slices.hpp"
#include "plan/derive/gemm_step.hpp"
#include "plan/derive/operand/stage_layout.hpp"
#include "plan/rules/mma_rules.hpp"
#include "plan/rules/smem_rules.hpp"
#include "plan/rules/tile_rules.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/thread_tiling.hpp"

namespace jute::plan {
namespace {

Error threads_of_tile(const TileShape& tile, const Tile& mine) {
  const auto near = [&](int extent, int of_thread, int most) {
    return static_cast<int>(std::bit_floor(
        static_cast<std::uint64_t>(std::clamp(extent, std::min(8 * of_thread, most), most))));
  };
  return broken("tile", base::format("{}x{}x{}", tile.m, tile.n, tile.k),
                base::format("the tile's threads, one for each {}x{} elements, must fill whole "
                             "warps and be at most 1024",
                             rows_of(mine), columns_of(mine)),
                base::format("{}x{}x{}", near(tile.m, rows_of(mine), mine.m),
                             near(tile.n, columns_of(mine), mine.n), std::max(tile.k, 1)));
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

Derived fma_step(const KernelProblem& problem, const Candidate& candidate, const DeviceInfo& device,
                 const Config& config) {
  const Tile& mine = candidate.tile;
  GemmStep step = step_for(problem, candidate.family, device, config);
  step.tile = config.tile.value_or(open_tile(problem, mine));
  step.schedule.stages = config.stages.value_or(mine.stages);
  step.schedule.split_k = config.split_k.value_or(mine.split_k);
  step.schedule.whole_tiles = wished_whole_tiles(config, mine.whole_tiles);
  for (OperandPlan* operand : {&step.a, &step.b})
    set_transfer(*operand, row_of(candidate.family).transfer);
  if (Errors errors = bound_rules(step, device); config.tile && !errors.empty()) return errors;
  int threads_m = std::max(1, step.tile.m / rows_of(mine));
  int threads_n = std::max(1, step.tile.n / columns_of(mine));
  if (config.atom_layout) {
    const int most = limits(device.arch).threads_per_block;
    const TiledMma atoms(candidate.atom, *config.atom_layout);
    threads_m = static_cast<int>(bounded_size(atoms.atom_layout()[0].view(), most));
    threads_n = static_cast<int>(bounded_size(atoms.atom_layout()[1].view(), most));
  }
  step.mma =
      TiledMma(candidate.atom,
               config.atom_layout.value_or(thread_layout(threads_m, threads_n, mine.groups_k)),
               config.permutation.value_or(
                   Tiler({spread(threads_m, mine.vector, mine.repeat_m),
                          spread(threads_n, mine.vector, mine.repeat_n), Tiler::wildcard()})));
  if (Errors errors = mma_rules(step); !errors.empty()) {
    // The caller chose the tile that the threads follow from.
    if (config.tile && !config.atom_layout && errors.front().operand == "atom_layout")
      return Errors{threads_of_tile(step.tile, mine)};
    return errors;
  }
  if (!config.tile) step.tile = whole_units(step.tile, tile_shape(step.mma));
  if (Errors errors = tile_rules(step, device); !errors.empty()) return errors;
  const auto padded = [&](Operand which, int tile_mn, const KernelMatrix& matrix) {
    return staged(step, which, padded_layout(tile_mn, step.tile.k, matrix.type, matrix.major));
  };
  its_stage(step.a).smem = config.smem_a.value_or(padded(Operand::a, step.tile.m, problem.a));
  its_stage(step.b).smem = config.smem_b.value_or(padded(Operand::b, step.tile.n, problem.b));
  if (Errors errors = smem_rules(step, device); !errors.empty()) return errors;
  complete_step(step, problem, device);
  // Two blocks of 256 threads leave 128 registers a thread: enough only when few accesses are in
  // flight, that is when all are 16 bytes wide.
  if (is_wide(step.a) && is_wide(step.b) && step.threads <= 256) step.schedule.blocks_per_sm = 2;
  // For Blackwell the assembler spills from those 128 when it sees a whole k-tile at once.
  if (step.schedule.blocks_per_sm == 2 && device.arch.number >= 100)
    step.schedule.unrolled_k_steps = mine.k_bytes / width_bytes(problem.a.type) / 2;
  return step;
}

}  // namespace jute::plan
