// Which tiles are shared, and what their kernels know of a problem's numbers.
#include "plan/shapes/generic_tiles.hpp"

#include <array>
#include <numeric>
#include <utility>

#include "plan/shapes/warpgroup_ways.hpp"

namespace jute::plan {
namespace {

// The fewest with which the model loses little on random problems of all orders:
// bench/results/2026-11-22-kernels-shared.md.
// clang-format off
constexpr std::array kGroups{
    SharedTile{ 64, 128, 1, true},
    SharedTile{128, 112, 1, true},
    SharedTile{128, 192, 2},
    SharedTile{128, 256, 1, true},
    SharedTile{128, 128},
    SharedTile{ 64,   8, 1, true},
    SharedTile{128, 192, 2, true},
    SharedTile{ 64,   8},
    SharedTile{ 64,  40, 1, true},
    SharedTile{ 64,  64},
    SharedTile{ 64,  16},
};
// Warps that store rows of D share nothing with other blocks; likewise,
// bench/results/2026-11-25-suite-random-shared.md.
constexpr std::array kGroupsByRows{
    SharedTile{192, 128},
    SharedTile{ 64,  64},
    SharedTile{ 64,   8},
};
constexpr std::array kStraight{
    Tile{.repeat_n = 2},
    Tile{.groups_k = 8, .repeat_n = 2},
    Tile{.groups_k = 8, .k_steps = 4},
};
// clang-format on

}  // namespace

std::span<const SharedTile> shared_group_tiles(const KernelProblem& problem) {
  if (is_by_any_rows({}, problem)) return kGroupsByRows;
  return kGroups;
}

std::span<const Tile> shared_straight_tiles() { return kStraight; }

bool is_generic_dot(const Tile& tile) { return tile.repeat_n == 1; }

KernelProblem with_shared_numbers(KernelProblem problem) {
  constexpr Index kMostElements = 16;  // of an access
  for (Extent* extent : {&problem.m, &problem.n, &problem.k, &problem.a.ld, &problem.b.ld})
    if (std::exchange(extent->baked, false))
      extent->multiple_of = static_cast<int>(std::gcd(extent->value, kMostElements));
  return problem;
}

void keep_needed_multiples(GemmStep& step) {
  const auto along = [](const OperandPlan& operand, Major major) {
    const bool is_read = transfer_of(operand) != Transfer::tma && !straight_of(operand).shifted &&
                         !straight_of(operand).from_chunk;
    return is_read && operand.major == major ? operand.vector_elems : 1;
  };
  const EpiloguePlan& out = step.epilogue;
  const auto stored = [&](Order order) { return out.d_order == order ? out.vector_elems : 1; };
  const auto keep = [](Extent& extent, int of) {
    extent.multiple_of = !extent.baked && is_multiple(extent, of) ? of : 1;
  };
  keep(step.m, std::max(along(step.a, Major::mn), stored(Order::col)));
  keep(step.n, std::max(along(step.b, Major::mn), stored(Order::row)));
  keep(step.k, std::max(along(step.a, Major::k), along(step.b, Major::k)));
  for (Extent* ld : {&step.a.ld, &step.b.ld}) keep(*ld, 1);
}

}  // namespace jute::plan
