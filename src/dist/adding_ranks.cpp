// Who adds summands of D: copies of it share the work.
#include <jute/base/error.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include "dist/derive.hpp"

namespace jute::dist {
namespace {

/// None: a block is no multiple of what it is cut into.
std::optional<Distribution> d_placed(const DistributedProblem& problem,
                                     const Placement& placement) {
  try {
    return distribution(
        problem.mesh, placement,
        {NamedExtent{Dimension::m, problem.problem.m}, {Dimension::n, problem.problem.n}});
  } catch (const Exception&) {
    return std::nullopt;
  }
}

}  // namespace

Distribution adding_ranks(const DistributedProblem& problem, const Distribution& target,
                          const std::vector<int>& added) {
  const Placement& placement = problem.placements.d;
  if (placement.layout) return target;
  Placement finer = placement;
  for (const int axis : added) {
    const MeshAxis& along = problem.mesh.axes[static_cast<std::size_t>(axis)];
    if (std::ranges::find(placement.deals, along.name, &Deal::axis) != placement.deals.end())
      continue;
    const bool by_rows = largest_part(problem.mesh, target.dims[0]) >= 2 * along.size;
    const std::array order{by_rows ? Dimension::m : Dimension::n,
                           by_rows ? Dimension::n : Dimension::m};
    for (const Dimension dimension : order) {
      finer.deals.push_back({dimension, along.name, 0});
      if (d_placed(problem, finer)) break;
      finer.deals.pop_back();
    }
  }
  return d_placed(problem, finer).value();
}

}  // namespace jute::dist
