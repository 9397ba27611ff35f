// Tile, warps, stages and swizzles of the mma.sync kernels.
#include "plan/mma_family.hpp"

#include <algorithm>
#include <array>

#include "plan/gemm_step.hpp"
#include "plan/matrix_read.hpp"
#include "plan/rules.hpp"
#include "plan/smem_map.hpp"
#include "plan/swizzled_layout.hpp"

namespace jute::plan {
namespace {

/// The choice's warps as atoms along (M,N,K); atoms of less than a warp share one.
Layout atoms_of_warps(const MmaAtom& atom, const WarpTile& choice) {
  int m = 1, n = 1;
  while (m * n * threads(atom) < 32) (m > n ? n : m) *= 2;
  return Layout(IntTuple{m * choice.warps_m, n * choice.warps_n, 1});
}

/// Reads matrices where the layout lets it; else gathers, behind a swizzle made for that unless the
/// layout is the caller's.
void choose_read(OperandPlan& operand, bool is_wish, int tile_mn, int tile_k,
                 const Fragment& fragment, const Catalogue& catalogue, Arch arch) {
  const std::optional<MatrixRead> read =
      widest_matrix_read(CopyForm::ldmatrix, catalogue, arch, fragment, operand.smem, operand.type);
  if (read) operand.read_atom = read->atom;
  if (!read && !is_wish)
    operand.smem = swizzled_layout(tile_mn, tile_k, operand.major, operand.type, 32);
}

/// A layout of the caller's may leave too short runs in shared memory.
bool is_async_sized(const OperandPlan& operand) {
  return operand.vector_elems * width_bytes(operand.type) >= 4;
}

}  // namespace

Derived mma_step(const KernelProblem& problem, const Candidate& candidate, const WarpTile& choice,
                 const DeviceInfo& device, const Config& config, const Catalogue& catalogue) {
  GemmStep step = step_for(problem, device, config);
  step.mma =
      TiledMma(candidate.atom, config.atom_layout.value_or(atoms_of_warps(candidate.atom, choice)),
               config.permutation.value_or(Tiler("(_,_,_)")));
  if (Errors errors = mma_rules(step); !errors.empty()) return errors;
  const ShapeMnk unit = tile_shape(step.mma);
  const int row_k = choice.k_bytes / width_bytes(problem.a.type);
  step.tile =
      config.tile.value_or(whole_units({choice.m, choice.n, row_k}, {unit.m, unit.n, 2 * unit.k}));
  step.a.transfer = step.b.transfer = choice.transfer;
  step.schedule.stages = config.stages.value_or(choice.stages);
  if (Errors errors = tile_rules(step, device); !errors.empty()) return errors;
  step.a.smem = config.smem_a.value_or(
      swizzled_layout(step.tile.m, step.tile.k, step.a.major, step.a.type, 16));
  step.b.smem = config.smem_b.value_or(
      swizzled_layout(step.tile.n, step.tile.k, step.b.major, step.b.type, 16));
  if (Errors errors = smem_rules(step, device); !errors.empty()) return errors;
  choose_read(step.a, config.smem_a.has_value(), step.tile.m, step.tile.k,
              fragment(step.mma, Operand::a, step.tile), catalogue, device.arch);
  choose_read(step.b, config.smem_b.has_value(), step.tile.n, step.tile.k,
              fragment(step.mma, Operand::b, step.tile), catalogue, device.arch);
  complete_step(step, problem, device);
  if (choice.transfer == Transfer::cp_async &&
      !(is_async_sized(step.a) && is_async_sized(step.b))) {
    step.a.transfer = step.b.transfer = Transfer::registers;
    complete_step(step, problem, device);
  }
  const Index stages_bytes = smem_end(step, Alive::main_loop);
  if (!config.stages && stages_bytes > device.smem_bytes_per_block) {
    const Index stage_bytes = stages_bytes / step.schedule.stages;
    step.schedule.stages =
        static_cast<int>(std::max<Index>(2, device.smem_bytes_per_block / stage_bytes));
    complete_step(step, problem, device);
  }
  return step;
}

}  // namespace jute::plan
