// Tile, warps, stages and swizzles of the mma.sync kernels.
#include "plan/derive/mma_family.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <algorithm>
#include <utility>

#include "plan/derive/block/smem_map.hpp"
#include "plan/derive/drain/slices.hpp"
#include "plan/derive/gemm_step.hpp"
#include "plan/derive/operand/matrix_read.hpp"
#include "plan/derive/operand/stage_layout.hpp"
#include "plan/derive/operand/swizzled_layout.hpp"
#include "plan/rules/mma_rules.hpp"
#include "plan/rules/smem_rules.hpp"
#include "plan/rules/tile_rules.hpp"
#include "plan/shapes/warp_tiles.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

/// The choice's warps as atoms along (M,N,K).
Layout atoms_of_warps(const MmaAtom& atom, const Tile& choice) {
  const WarpsOfTile one = atoms_of_warp(atom);
  return Layout(IntTuple{one.m * choice.groups_m, one.n * choice.groups_n, choice.groups_k});
}

/// Bytes that lie along M or N come from matrix loads as pairs of lines: an atom's 8 or 16 lines
/// are then every other line of 16, so that both of a pair belong to the same thread. Or as they
/// come.
Tiler pairs_along(const Layout& atoms, int atom_mn, const OperandPlan& operand, int tile_mn) {
  const Index count = size(atoms);
  const bool pairs = width_bits(operand.type) == 8 && operand.major == Major::mn &&
                     (atom_mn == 8 || atom_mn == 16) && tile_mn % (16 * count) == 0;
  if (!pairs) return Tiler::wildcard();
  return atom_mn == 16 ? Tiler(Layout(IntTuple{8, 2, count}, IntTuple{2, 1, 16}))
                       : Tiler(Layout(IntTuple{8, count, 2}, IntTuple{2, 16, 1}));
}
TiledMma in_pairs(const TiledMma& mma, const GemmStep& step, const TileShape& tile) {
  const Layout& atoms = mma.atom_layout();
  const ShapeMnk& shape = mma.atom().shape;
  return TiledMma(mma.atom(), atoms,
                  Tiler({pairs_along(atoms[0], shape.m, step.a, tile.m),
                         pairs_along(atoms[1], shape.n, step.b, tile.n), Tiler::wildcard()}));
}

/// The layout of a stage of mma.sync's operands.
ComposedLayout usual_layout(const OperandPlan& operand, int tile_mn, int tile_k,
                            const Tiler& pairs) {
  ComposedLayout usual = swizzled_layout(tile_mn, tile_k, operand.major, operand.type, 16);
  if (pairs.kind() == Tiler::Kind::wildcard || operand.major == Major::k || tile_k % 16 != 0)
    return usual;
  // Eight lanes, for pairs, point at rows 0, 1, 4, 5, 8, 9, 12 and 13 of K: as neighbours in memory
  // the swizzle spreads them over all banks.
  const Index row = usual.layout()[1].flat_stride().front();
  const IntTuple in_turn{row, 8 * row, 2 * row};
  return {usual.swizzle(), 0,
          make_layout({usual.layout()[0], Layout(IntTuple{IntTuple{2, 2, 4}, tile_k / 16},
                                                 IntTuple{in_turn, 16 * row})})};
}

/// Reads matrices where the layout lets it; else gathers, behind a swizzle made for that unless the
/// layout is the caller's.
void choose_read(OperandPlan& operand, const std::optional<ComposedLayout>& wish,
                 const GemmStep& step, Operand which, const Catalogue& catalogue, Arch arch) {
  const std::optional<MatrixRead> read = widest_matrix_read(
      CopyForm::ldmatrix, catalogue, arch, fragment(step.mma, which, multiplied(step)),
      stage_of(operand).smem, operand.type);
  if (read) its_fragments(operand).atom = read->atom;
  if (read || wish) return;
  const ComposedLayout tile = swizzled_layout(which == Operand::a ? step.tile.m : step.tile.n,
                                              step.tile.k, operand.major, operand.type, 32);
  its_stage(operand).smem = staged(step, which, tile);
}

/// Bytes of shared memory that more stages do not take: of what is converted ahead of products.
Index converted_bytes(const GemmStep& step) {
  Index bytes = 0;
  for (const auto& [name, operand] : {std::pair("a", &step.a), std::pair("b", &step.b)})
    if (has_stored_stages(*operand)) bytes += smem_region(step, name).bytes;
  return bytes;
}

}  // namespace

Derived mma_step(const KernelProblem& problem, const Candidate& candidate, const DeviceInfo& device,
                 const Config& config, const Catalogue& catalogue) {
  const Tile& choice = candidate.tile;
  GemmStep step = step_for(problem, candidate.family, device, config);
  step.mma =
      TiledMma(candidate.atom, config.atom_layout.value_or(atoms_of_warps(candidate.atom, choice)),
               config.permutation.value_or(Tiler("(_,_,_)")));
  if (Errors errors = mma_rules(step); !errors.empty()) return errors;
  const int row_k = within_blocks(problem, choice.k_bytes / width_bytes(problem.a.type));
  const TileShape wanted = config.tile.value_or(TileShape{choice.m, choice.n, row_k});
  if (!config.permutation) step.mma = in_pairs(step.mma, step, wanted);
  const ShapeMnk unit = tile_shape(step.mma);
  // Fragments are read for two instructions along K at a time; for one where K has no more, and no
  // k-tile is read ahead.
  const bool is_one = is_one_instruction(candidate.family, unit.k, problem);
  step.tile = config.tile.value_or(is_one ? whole_units({wanted.m, wanted.n, 1}, unit)
                                          : whole_units(wanted, {unit.m, unit.n, 2 * unit.k}));
  if (step.a.scales || step.b.scales) step.promote_every_k = step.tile.k;
  for (OperandPlan* operand : {&step.a, &step.b})
    set_transfer(*operand, row_of(candidate.family).transfer);
  step.schedule.stages = config.stages.value_or(choice.stages);
  step.schedule.split_k = config.split_k.value_or(choice.split_k);
  step.schedule.whole_tiles = wished_whole_tiles(config, choice.whole_tiles);
  if (Errors errors = tile_rules(step, device); !errors.empty()) return errors;
  const std::vector<Tiler>& permutation = step.mma.permutation().modes();
  its_stage(step.a).smem = config.smem_a.value_or(
      staged(step, Operand::a, usual_layout(step.a, step.tile.m, step.tile.k, permutation[0])));
  its_stage(step.b).smem = config.smem_b.value_or(
      staged(step, Operand::b, usual_layout(step.b, step.tile.n, step.tile.k, permutation[1])));
  if (Errors errors = smem_rules(step, device); !errors.empty()) return errors;
  choose_read(step.a, config.smem_a, step, Operand::a, catalogue, device.arch);
  choose_read(step.b, config.smem_b, step, Operand::b, catalogue, device.arch);
  complete_step(step, problem, device);
  const Index stages_bytes = smem_end(step, Alive::main_loop);
  if (!config.stages && stages_bytes > device.smem_bytes_per_block) {
    const Index once = converted_bytes(step);
    const Index stage_bytes = (stages_bytes - once) / step.schedule.stages;
    step.schedule.stages = static_cast<int>(
        std::max<Index>(2, std::max<Index>(device.smem_bytes_per_block - once, 0) / stage_bytes));
    complete_step(step, problem, device);
  }
  return step;
}

}  // namespace jute::plan
