// From the words of a placement to which rank has which elements.
#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>
#include <jute/dist/distribution.hpp>
#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <set>

#include "base/format.hpp"
#include "dist/flat_spread.hpp"

namespace jute {
namespace {

[[noreturn]] void refuse_placement(const Placement& placement, std::string rule,
                                   std::optional<std::string> nearest = {}) {
  jute::refuse(ErrorCode::illegal_config, "placement", to_string(placement), std::move(rule),
               std::move(nearest));
}

/// A layout's leaves, shared out between rows and columns.
class LeafSorter {
 public:
  LeafSorter(const Placement& placement, const std::array<NamedExtent, 2>& dims)
      : placement_(placement), dims_(dims) {}

  /// The dimension that a stride walks along, 0 or 1, and the stride there; 2 where it is 0.
  struct Along {
    int dim = 0;
    Index stride = 0;
  };
  [[nodiscard]] Along along(Index extent, Index stride) const {
    const Index rows = dims_[0].extent;
    if (stride == 0 || extent == 1) return {2, 0};
    if (stride > 0 && checked_mul(stride, extent - 1, "rows") < rows) return {0, stride};
    if (stride > 0 && stride % rows == 0) return {1, stride / rows};
    refuse_placement(
        placement_,
        base::format("each of its modes must walk along rows (strides below {}) or along columns "
                     "(multiples of {}): {}:{} does not",
                     rows, rows, extent, stride));
  }

 private:
  const Placement& placement_;
  const std::array<NamedExtent, 2>& dims_;
};

/// Ranks by axes.
Layout by_axes(const Mesh& mesh, const Placement& placement) {
  const Layout ranks = (*placement.layout)[0];
  if (size(ranks) != rank_count(mesh))
    refuse_placement(placement, base::format("its first mode must have an extent for {} ranks",
                                             rank_count(mesh)));
  try {
    return with_shape(ranks, shape(mesh));
  } catch (const Exception&) {
    refuse_placement(placement, base::format("its first mode must fit the mesh's axes {}",
                                             to_string(shape(mesh))));
  }
}

/// (axes, part) -> index of one dimension.
Spread sorted_spread(const Mesh& mesh, const Placement& placement,
                     const std::array<NamedExtent, 2>& dims, int dim) {
  const LeafSorter sorter(placement, dims);
  const Layout ranks = by_axes(mesh, placement), part = (*placement.layout)[1];
  LayoutBuilder builder;
  builder.open();
  if (mesh.axes.size() != 1) builder.open();
  const std::vector<Index> axes = ranks.flat_stride();
  for (std::size_t i = 0; i < mesh.axes.size(); ++i) {
    const auto along = sorter.along(mesh.axes[i].size, axes[i]);
    builder.leaf(mesh.axes[i].size, along.dim == dim ? along.stride : 0);
  }
  if (mesh.axes.size() != 1) builder.close();
  builder.open();
  int leaves = 0;
  const std::vector<Index> shape = part.flat_shape(), stride = part.flat_stride();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto along = sorter.along(shape[i], stride[i]);
    if (along.dim == 2 && shape[i] > 1)
      refuse_placement(placement, "a part must name each of its elements once: no stride of 0");
    if (along.dim != dim) continue;
    builder.leaf(shape[i], along.stride);
    ++leaves;
  }
  if (leaves == 0) builder.leaf(1, 1);
  builder.close();
  builder.close();
  return {dims[static_cast<std::size_t>(dim)].extent, builder.take()};
}

/// Checks a spread from outside: each index is there, and no other.
void check_cover(const Placement& placement, const Spread& spread, Dimension dimension) {
  if (cosize(spread.layout) > spread.extent)
    refuse_placement(placement, base::format("it must name no index of {} past {}", name(dimension),
                                             spread.extent - 1));
  Index named = 1;
  const std::vector<Index> shape = spread.layout.flat_shape();
  const std::vector<Index> stride = spread.layout.flat_stride();
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (stride[i] != 0) named = checked_mul(named, shape[i], "elements");
  if (named != spread.extent || size(right_inverse(spread.layout)) < spread.extent)
    refuse_placement(
        placement,
        base::format("each of the {} indices of {} must be on one rank, or copied along whole axes",
                     spread.extent, name(dimension)));
}

void check_words(const Mesh& mesh, const Placement& placement,
                 const std::array<NamedExtent, 2>& dims) {
  std::set<int> used;
  const auto use = [&](const std::string& axis) {
    if (!used.insert(axis_of(mesh, axis)).second)
      refuse_placement(placement, base::format("axis {} must serve once", axis));
  };
  for (const Deal& deal : placement.deals) {
    if (deal.dimension != dims[0].dimension && deal.dimension != dims[1].dimension)
      refuse_placement(placement,
                       base::format("it must be cut along {} or {}", name(dims[0].dimension),
                                    name(dims[1].dimension)),
                       base::format("{}@{}", name(dims[0].dimension), deal.axis));
    use(deal.axis);
  }
  for (const std::string& axis : placement.sums) use(axis);
}

}  // namespace

Distribution distribution(const Mesh& mesh, const Placement& placement,
                          const std::array<NamedExtent, 2>& dims) {
  Distribution result;
  if (placement.layout) {
    const Layout& layout = *placement.layout;
    if (layout.rank() != 2 || !layout.is_plain())
      refuse_placement(placement, "its modes must be two, (rank, local)");
    if (dims[0].extent == 0 || dims[1].extent == 0)
      refuse_placement(placement, "it must be words where the matrix is empty", "all");
    for (const int dim : {0, 1}) {
      const auto at = static_cast<std::size_t>(dim);
      result.dims[at] = sorted_spread(mesh, placement, dims, dim);
      check_cover(placement, result.dims[at], dims[at].dimension);
    }
    return result;
  }
  check_words(mesh, placement, dims);
  for (const std::size_t dim : {0U, 1U})
    result.dims[dim] = spread(mesh, dims[dim].extent, dims[dim].dimension, placement.deals);
  for (const std::string& axis : placement.sums) result.sums.push_back(axis_of(mesh, axis));
  return result;
}

Layout rank_layout(const Distribution& distribution) {
  const Layout& rows = distribution.dims[0].layout;
  const Layout& columns = distribution.dims[1].layout;
  const Index height = cosize(rows);
  const auto scaled = [&](const Layout& mode, Index by, LayoutBuilder& builder) {
    const std::vector<Index> shape = mode.flat_shape(), stride = mode.flat_stride();
    if (shape.size() != 1) builder.open();
    for (std::size_t i = 0; i < shape.size(); ++i)
      builder.leaf(shape[i], checked_mul(stride[i], by, "element"));
    if (shape.size() != 1) builder.close();
  };
  LayoutBuilder builder;
  builder.open();
  const std::vector<Index> sizes = rows[0].flat_shape();
  const std::vector<Index> row = rows[0].flat_stride(), column = columns[0].flat_stride();
  if (sizes.size() != 1) builder.open();
  for (std::size_t i = 0; i < sizes.size(); ++i)
    builder.leaf(sizes[i], checked_add(row[i], checked_mul(column[i], height, "element")));
  if (sizes.size() != 1) builder.close();
  builder.open();
  scaled(rows[1], 1, builder);
  scaled(columns[1], height, builder);
  builder.close();
  builder.close();
  return builder.take();
}

}  // namespace jute
