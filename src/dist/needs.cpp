// The part of each matrix that a share needs, and the fewest bytes that bring it there.
#include <jute/base/checked.hpp>

#include <algorithm>
#include <map>

#include "dist/derive.hpp"
#include "dist/flat_spread.hpp"

namespace jute::dist {
namespace {

/// Indices that a rank has of both.
class Overlap {
 public:
  Overlap(const Mesh& mesh, const Spread& left, const Spread& right)
      : mesh_(mesh), right_(flat(right)), flat_left_(flat(left)) {}

  Index of(Index rank) {
    const std::vector<Index> at = coordinates(mesh_, rank);
    std::vector<Index> key = at;
    for (std::size_t i = 0; i < key.size(); ++i)
      if (flat_left_.axes[i] == 0 && right_.axes[i] == 0) key[i] = 0;
    const auto [found, is_new] = known_.try_emplace(key);
    if (is_new) found->second = counted(at);
    return found->second;
  }

 private:
  /// Walks over the stretches of both, which ascend.
  Index counted(const std::vector<Index>& at) const {
    const Index left = flat_left_.part_size(at), right = right_.part_size(at);
    Index count = 0, i = 0, j = 0;
    while (i < left && j < right) {
      const Index x = flat_left_.first(at) + flat_left_.local(i);
      const Index y = right_.first(at) + right_.local(j);
      const Index x_end = x + stretch(flat_left_, i, left), y_end = y + stretch(right_, j, right);
      count += std::max<Index>(0, std::min(x_end, y_end) - std::max(x, y));
      if (x_end <= y_end)
        i += x_end - x;
      else
        j += y_end - y;
    }
    return count;
  }
  static Index stretch(const FlatSpread& it, Index place, Index size) {
    return std::min(it.run - place % it.run, size - place);
  }

  const Mesh& mesh_;
  FlatSpread right_, flat_left_;
  std::map<std::vector<Index>, Index> known_;
};

Index size_along(const Mesh& mesh, const std::vector<int>& axes) {
  Index count = 1;
  for (const int axis : axes) count *= mesh.axes[static_cast<std::size_t>(axis)].size;
  return count;
}

}  // namespace

ShareNeeds needs_of(const DistributedProblem& given) {
  const std::span<const Deal> deals = given.share->deals;
  const Problem& problem = given.problem;
  const Spread m = spread(given.mesh, problem.m, Dimension::m, deals);
  const Spread n = spread(given.mesh, problem.n, Dimension::n, deals);
  const Spread k = spread(given.mesh, problem.k, Dimension::k, deals);
  std::vector<int> sums;
  for (const Deal& deal : deals)
    if (deal.dimension == Dimension::k) sums.push_back(axis_of(given.mesh, deal.axis));
  std::ranges::sort(sums);
  return {.a = {{m, k}, {}}, .b = {{n, k}, {}}, .d = {{m, n}, sums}};
}

Distribution part_of_input(const Mesh& mesh, EpilogueExtent extent, const Distribution& d) {
  const Spread one = spread(mesh, 1, Dimension::m, {});
  const bool has_rows = extent == EpilogueExtent::rows || extent == EpilogueExtent::elements;
  const bool has_columns = extent == EpilogueExtent::columns || extent == EpilogueExtent::elements;
  return {{has_rows ? d.dims[0] : one, has_columns ? d.dims[1] : one}, {}};
}

Index missing_elements(const Mesh& mesh, const Distribution& held, const Distribution& needed) {
  Overlap rows(mesh, held.dims[0], needed.dims[0]), columns(mesh, held.dims[1], needed.dims[1]);
  const FlatSpread row = flat(needed.dims[0]), column = flat(needed.dims[1]);
  Index missing = 0;
  for (Index rank = 0; rank < rank_count(mesh); ++rank) {
    const std::vector<Index> at = coordinates(mesh, rank);
    const Index needs = checked_mul(row.part_size(at), column.part_size(at), "elements");
    missing = checked_add(missing, needs - rows.of(rank) * columns.of(rank), "elements");
  }
  return missing;
}

Index least_bytes_of_d(const DistributedProblem& given, const Distribution& made,
                       const Distribution& target) {
  const Problem& problem = given.problem;
  std::vector<int> added;
  for (const int axis : made.sums)
    if (std::ranges::find(target.sums, axis) == target.sums.end()) added.push_back(axis);
  const Index summands = size_along(given.mesh, added);
  const Index width = width_bytes(problem.d.type);
  Distribution plain_made = made, plain_target = target;
  plain_made.sums.clear();
  plain_target.sums.clear();
  if (summands == 1)
    return checked_mul(width, missing_elements(given.mesh, plain_made, plain_target), "bytes");
  // Whoever joins a sum receives or sends a summand; whoever is to have the sum receives it, but
  // for the one that makes it.
  Index copies = 1;
  for (std::size_t axis = 0; axis < given.mesh.axes.size(); ++axis)
    if (target.dims[0].layout[0].flat_stride()[axis] == 0 &&
        target.dims[1].layout[0].flat_stride()[axis] == 0 &&
        std::ranges::find(target.sums, static_cast<int>(axis)) == target.sums.end())
      copies *= given.mesh.axes[axis].size;
  const Index elements = checked_mul(checked_mul(problem.m, problem.n, "D"),
                                     size_along(given.mesh, target.sums), "summands of D");
  return checked_mul(elements, (summands - 1) * width_bytes(*given.wire) + (copies - 1) * width,
                     "bytes");
}

}  // namespace jute::dist
