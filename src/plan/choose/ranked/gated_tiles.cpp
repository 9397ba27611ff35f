// Halves tiles along the dimension of the operand that has a gate.
#include "plan/choose/ranked/gated_tiles.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
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

WarpgroupTile gated_tile(WarpgroupTile tile, const ShapeMnk& atom, const KernelProblem& problem) {
  if (!problem.gate) return tile;
  const bool along_m = (problem.gate->operand == Operand::a) != tile.swapped;
  if (along_m) {
    tile.m = half_in_units(tile.m, atom.m);
    tile.atoms_m = std::gcd(tile.atoms_m, tile.m / atom.m);
    tile.cluster.n = 1;
  } else {
    const int unit = atom.n * tile.atoms_n;
    tile.n = half_in_units(tile.n, unit);
    tile.cluster.m = 1;
  }
  tile.split_k = 1;
  tile.reduction = SplitK::last_adds;
  tile.width_at_run_time = tile.split_k_at_run_time = false;
  return tile;
}

WarpTile gated_tile(WarpTile tile, const ShapeMnk& atom, const KernelProblem& problem) {
  if (!problem.gate) return tile;
  if (problem.gate->operand == Operand::a)
    tile.m = half_in_units(tile.m, atom.m * tile.warps_m);
  else
    tile.n = half_in_units(tile.n, atom.n * tile.warps_n);
  tile.split_k = 1;
  return tile;
}

ThreadTile gated_tile(ThreadTile tile, const KernelProblem& problem) {
  if (!problem.gate) return tile;
  const bool along_m = problem.gate->operand == Operand::a;
  int &extent = along_m ? tile.m : tile.n, &repeat = along_m ? tile.repeat_m : tile.repeat_n;
  if (repeat % 2 == 0) {
    repeat /= 2;
    extent /= 2;
  }
  tile.split_k = 1;
  return tile;
}

StraightTile gated_tile(StraightTile tile, const KernelProblem& problem) {
  if (!problem.gate) return tile;
  int& repeat = problem.gate->operand == Operand::a ? tile.repeat_m : tile.repeat_n;
  repeat = std::max(repeat / 2, 1);
  return tile;
}

LaneTile gated_tile(LaneTile tile, const KernelProblem& problem) {
  if (!problem.gate) return tile;
  int& lines = problem.gate->operand == Operand::a ? tile.rows : tile.columns;
  if (lines % 2 == 0) lines /= 2;
  return tile;
}

DotTile gated_tile(DotTile tile, const KernelProblem& problem) {
  if (!problem.gate) return tile;
  int& lines = problem.gate->operand == tile.streamed ? tile.repeats : tile.rows;
  if (lines % 2 == 0) lines /= 2;
  return tile;
}

}  // namespace jute::plan
