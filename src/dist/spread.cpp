// One dimension over the mesh: from deals to a layout, and how long its parts are.
#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/format.hpp"
#include "dist/flat_spread.hpp"

namespace jute {
namespace dist {

FlatSpread flat(const Spread& spread) {
  const std::vector<Index> shape = spread.layout.flat_shape();
  const std::vector<Index> stride = spread.layout.flat_stride();
  const auto axes = static_cast<std::ptrdiff_t>(spread.layout[0].flat_shape().size());
  FlatSpread result{.extent = spread.extent,
                    .axes = {stride.begin(), stride.begin() + axes},
                    .shape = {shape.begin() + axes, shape.end()},
                    .stride = {stride.begin() + axes, stride.end()}};
  Index together = 0;  // what every part's runs are multiples of
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool is_run = i >= static_cast<std::size_t>(axes) && stride[i] == 1;
    if (shape[i] > 1) together = std::gcd(together, is_run ? shape[i] : std::abs(stride[i]));
  }
  for (const Index extent : result.shape) result.places *= extent;
  const bool has_run = !result.stride.empty() && result.stride.front() == 1;
  result.run = has_run && together > 0 ? together : 1;
  return result;
}

Index FlatSpread::part_size(std::span<const Index> coordinates) const {
  const Index begin = first(coordinates);
  if (begin + local(places - 1) < extent) return places;
  Index low = 0, high = places - 1;  // the first place that is past the extent
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (begin + local(middle) < extent)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

namespace {

/// A dimension that is being cut, the widest part first.
struct Cut {
  std::size_t axis;
  Index ranks, block;
};

std::vector<Cut> cuts(const Mesh& mesh, Dimension dimension, std::span<const Deal> deals) {
  std::vector<Cut> result;
  std::set<std::string> seen;
  for (const Deal& deal : deals) {
    if (deal.dimension != dimension) continue;
    const auto axis = static_cast<std::size_t>(axis_of(mesh, deal.axis));
    if (!seen.insert(deal.axis).second)
      jute::refuse(ErrorCode::illegal_config, std::string(name(dimension)), to_string(deal),
                   "an axis must cut a dimension once");
    result.push_back({axis, mesh.axes[axis].size, deal.block});
  }
  return result;
}

/// The unit of each cut: its parts must be multiples, so that the next one divides them.
std::vector<Index> units(const std::vector<Cut>& all) {
  std::vector<Index> result(all.size() + 1, 1);
  for (std::size_t i = all.size(); i-- > 0;) {
    const Cut& cut = all[i];
    if (cut.block % result[i + 1] != 0)
      jute::refuse(
          ErrorCode::not_divisible, "block", std::to_string(cut.block),
          base::format("a block must be a multiple of what it is cut into ({})", result[i + 1]),
          std::to_string(std::max<Index>(1, cut.block / result[i + 1]) * result[i + 1]));
    result[i] = checked_mul(cut.ranks, cut.block > 0 ? cut.block : result[i + 1], "part");
  }
  return result;
}

}  // namespace
}  // namespace dist

Spread spread(const Mesh& mesh, Index extent, Dimension dimension, std::span<const Deal> deals) {
  const std::vector<dist::Cut> cuts = dist::cuts(mesh, dimension, deals);
  const std::vector<Index> units = dist::units(cuts);
  std::vector<Index> axes(mesh.axes.size(), 0);
  std::vector<std::pair<Index, Index>> rounds;  // how many, from one to the next
  Index part = std::max<Index>(1, extent);
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const Index ranks = cuts[i].ranks, block = cuts[i].block;
    if (block == 0) {
      part = checked_mul(ceil_div(ceil_div(part, ranks), units[i + 1]), units[i + 1], "part");
    } else {
      const Index period = checked_mul(block, ranks, "blocks");
      if (part > period) rounds.emplace_back(ceil_div(part, period), period);
      part = block;
    }
    axes[cuts[i].axis] = part;
    (void)checked_mul(part, ranks, "parts");
  }
  LayoutBuilder builder;
  builder.open();
  if (axes.size() != 1) builder.open();
  for (std::size_t i = 0; i < axes.size(); ++i) builder.leaf(mesh.axes[i].size, axes[i]);
  if (axes.size() != 1) builder.close();
  if (!rounds.empty()) builder.open();
  builder.leaf(part, 1);
  for (auto round = rounds.rbegin(); round != rounds.rend(); ++round)
    builder.leaf(round->first, round->second);
  if (!rounds.empty()) builder.close();
  builder.close();
  return {extent, builder.take()};
}

Index part_size(const Spread& spread, std::span<const Index> coordinates) {
  return dist::flat(spread).part_size(coordinates);
}

Index index_at(const Spread& spread, std::span<const Index> coordinates, Index place) {
  const dist::FlatSpread flat = dist::flat(spread);
  return flat.first(coordinates) + flat.local(place);
}

Index largest_part(const Mesh& mesh, const Spread& spread) {
  const dist::FlatSpread flat = dist::flat(spread);
  Index most = 0;
  for (Index rank = 0; rank < rank_count(mesh); ++rank)
    most = std::max(most, flat.part_size(coordinates(mesh, rank)));
  return most;
}

}  // namespace jute
