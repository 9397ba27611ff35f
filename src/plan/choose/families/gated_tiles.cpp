// Halves tiles along the dimension of the operand that has a gate.
#include "plan/choose/families/gated_tiles.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>
#include <numeric>

namespace jute::plan {
namespace {

/// Half of it, at least one unit.
int half_in_units(int extent, int unit) {
  const auto half = std::max(ceil_div(Index{extent} / 2, Index{unit}), Index{1}) * unit;
  return static_cast<int>(half);
}

}  // namespace

KernelProblem whole_product(const KernelProblem& problem) {
  KernelProblem whole = problem;
  if (!problem.gate) return whole;
  Extent& extent = problem.gate->operand == Operand::a ? whole.m : whole.n;
  extent.value *= 2;
  whole.gate.reset();
  return whole;
}

Config for_whole_product(const Config& config, const KernelProblem& problem) {
  Config whole = config;
  if (whole.tile) whole.tile = multiplied(*whole.tile, problem.gate);
  return whole;
}

namespace {

/// A tile of the whole product, along whichever dimension the halves lie.
struct Halved {
  const ShapeMnk& atom;
  const GatedHalves& gate;
};

/// Whole instructions of a producer's consumers.
Tile halve_groups(Tile tile, const Halved& by) {
  const bool along_m = (by.gate.operand == Operand::a) != tile.swapped;
  if (along_m) {
    tile.m = half_in_units(tile.m, by.atom.m);
    tile.groups_m = std::gcd(tile.groups_m, tile.m / by.atom.m);
    tile.cluster.n = 1;
  } else {
    tile.n = half_in_units(tile.n, by.atom.n * tile.groups_n);
    tile.cluster.m = 1;
  }
  tile.reduction = SplitK::last_adds;
  tile.width_at_run_time = tile.split_k_at_run_time = false;
  return tile;
}

/// Whole instructions of every warp.
Tile halve_warps(Tile tile, const Halved& by) {
  if (by.gate.operand == Operand::a)
    tile.m = half_in_units(tile.m, by.atom.m * tile.groups_m);
  else
    tile.n = half_in_units(tile.n, by.atom.n * tile.groups_n);
  return tile;
}

/// Parts that a thread, a lane or a warp has of it, and the tile with those.
Tile halve_parts(Tile tile, bool along_m) {
  int &extent = along_m ? tile.m : tile.n, &parts = along_m ? tile.repeat_m : tile.repeat_n;
  if (parts % 2 == 0) {
    parts /= 2;
    extent /= 2;
  }
  return tile;
}
Tile halve_repeats(Tile tile, const Halved& by) {
  return halve_parts(tile, by.gate.operand == Operand::a);
}
/// Lines of a lane, which are N's here, or rows.
Tile halve_dots(Tile tile, const Halved& by) {
  return halve_parts(tile, by.gate.operand != tile.streamed);
}

Tile as_it_is(Tile tile, const Halved& /*takes no halves*/) { return tile; }

/// In the order of families.
using Halve = Tile (*)(Tile, const Halved&);
constexpr std::array<Halve, kFamilies.size()> kHalve{
    halve_groups,  halve_groups,  halve_groups,  halve_warps, halve_warps, halve_repeats,
    halve_repeats, halve_repeats, halve_repeats, halve_dots,  as_it_is,    as_it_is};

}  // namespace

Tile gated_tile(Family family, const Tile& tile, const ShapeMnk& atom,
                const KernelProblem& problem) {
  if (!problem.gate) return tile;
  Tile half = kHalve.at(static_cast<size_t>(family))(tile, {atom, *problem.gate});
  half.split_k = 1;
  half.whole_tiles = 0;
  return half;
}

}  // namespace jute::plan
