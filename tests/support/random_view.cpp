// Draws the modes of each dimension, then their order in memory.
#include "support/random_view.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace jute::test {
namespace {

/// A mode of the coordinates while its stride is drawn.
struct Leaf {
  Index extent = 1, stride = 0;
  int axis = -1;  ///< -1: a plain stride
};
using Dimension = std::vector<Leaf>;

/// Divides what is left by primes that divide it, at most so many modes.
Dimension factors(ViewDraw& draw, Index extent, Index most, Index run) {
  Dimension leaves;
  const bool has_run = run > 1 && extent % run == 0;
  Index left = has_run ? extent / run : extent;
  while (static_cast<Index>(leaves.size()) + 1 < most) {
    std::vector<Index> divisors;
    for (const Index divisor : {2, 3, 4, 5, 7, 8})
      if (left % divisor == 0 && left > divisor) divisors.push_back(divisor);
    if (divisors.empty() || draw.one_in(3)) break;
    const Index divisor =
        divisors[static_cast<size_t>(draw.below(static_cast<Index>(divisors.size())))];
    leaves.push_back({divisor});
    left /= divisor;
  }
  leaves.push_back({left});
  if (has_run) leaves.front().extent *= run;
  return leaves;
}

Layout layout_of(const std::vector<Dimension>& dimensions) {
  LayoutBuilder builder;
  const auto put = [&](const Leaf& leaf) {
    if (leaf.axis < 0)
      builder.leaf(leaf.extent, leaf.stride);
    else
      builder.leaf(leaf.extent, leaf.stride, layout::Path(1, static_cast<char32_t>(leaf.axis)));
  };
  builder.open();
  for (const Dimension& dimension : dimensions) {
    if (dimension.size() > 1) builder.open();
    for (const Leaf& leaf : dimension) put(leaf);
    if (dimension.size() > 1) builder.close();
  }
  builder.close();
  return builder.take();
}

std::vector<Dimension> dimensions_of(const View& view) {
  const ViewModes modes = modes_of(view);
  std::vector<Dimension> dimensions;
  for (const auto* list : {&modes.rows, &modes.columns, &modes.batch}) {
    if (list->empty()) continue;
    Dimension dimension;
    for (const ViewMode& mode : *list)
      dimension.push_back({mode.extent, mode.stride, view.box.empty() ? -1 : mode.axis});
    dimensions.push_back(dimension);
  }
  return dimensions;
}

}  // namespace

Index ViewDraw::extent(Index most) {
  constexpr std::array<Index, 14> kAwkward{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 36, 48, 64, 96};
  return one_in(3) ? 1 + below(most)
                   : std::min(most, kAwkward[static_cast<size_t>(below(kAwkward.size()))]);
}

View ViewDraw::view(Index rows, Index columns, Index batch, Oddity oddity, Index run) {
  const bool runs_along_rows = one_in(2);
  std::vector<Dimension> dimensions{
      factors(*this, rows, 1 + below(3), runs_along_rows ? run : 1),
      factors(*this, columns, 1 + below(3), runs_along_rows ? 1 : run),
      factors(*this, batch, 1 + below(2), 1)};
  std::vector<Leaf*> order;
  for (Dimension& dimension : dimensions)
    for (Leaf& leaf : dimension) order.push_back(&leaf);
  shuffle(order);
  Dimension& running = dimensions[runs_along_rows ? 0 : 1];
  if (run > 1) {
    std::erase(order, &running.front());
    order.insert(order.begin(), &running.front());
  }
  const bool is_odd = oddity == Oddity::any;
  Index stride = run > 1 || one_in(2) ? 1 : 1 + below(3);
  Index lowest = 0;
  for (Leaf* leaf : order) {
    const bool may_be_odd = is_odd && leaf != &running.front();
    leaf->stride = stride;
    if (may_be_odd && one_in(8)) leaf->stride = 0;
    if (may_be_odd && one_in(8)) leaf->stride = -leaf->stride;
    if (may_be_odd && one_in(10)) leaf->stride = std::max<Index>(run, leaf->stride / 2);
    lowest += std::min<Index>(0, leaf->stride * (leaf->extent - 1));
    stride = stride * leaf->extent;
    if (one_in(3)) stride += run * below(4);
  }
  View view{layout_of(dimensions)};
  const Index ahead = is_odd && one_in(4) ? run * below(5) : 0;
  if (ahead - lowest > 0) view.origin = {ahead - lowest};
  return view;
}

View ViewDraw::padded_view(Index rows, Index columns, Index batch) {
  std::vector<Dimension> dimensions{
      factors(*this, rows, 2, 1), factors(*this, columns, 2, 1), {{batch}}};
  const int axes = 2 + static_cast<int>(below(2));
  std::vector<Index> extents(static_cast<size_t>(axes)), origin(static_cast<size_t>(axes));
  for (Dimension& dimension : dimensions)
    for (Leaf& leaf : dimension) {
      leaf.axis = static_cast<int>(below(axes));
      leaf.stride = 1 + below(2);
      extents[static_cast<size_t>(leaf.axis)] += leaf.stride * (leaf.extent - 1);
    }
  View view{layout_of(dimensions)};
  Index stride = 1;
  for (int axis = axes - 1; axis >= 0; --axis) {
    const Index reach = extents[static_cast<size_t>(axis)] + 1;
    const Index extent = std::max<Index>(1, reach - below(3));
    view.box.insert(view.box.begin(), {extent, stride});
    origin[static_cast<size_t>(axis)] = -below(2);
    stride *= extent;
  }
  view.origin = origin;
  view.outside = OutsideBox::zero;
  return view;
}

View ViewDraw::in_other_words(const View& view) {
  std::vector<Dimension> dimensions = dimensions_of(view);
  View result = view;
  const bool gets_box = view.box.empty() && one_in(2);
  for (Dimension& dimension : dimensions) {
    Dimension other;
    for (const Leaf& leaf : dimension) {
      if (one_in(4)) other.push_back({1, below(100), leaf.axis});
      const Index part = leaf.extent % 2 == 0 ? 2 : leaf.extent % 3 == 0 ? 3 : 1;
      if (part > 1 && one_in(2)) {
        other.push_back({part, leaf.stride, leaf.axis});
        other.push_back({leaf.extent / part, leaf.stride * part, leaf.axis});
      } else {
        other.push_back(leaf);
      }
    }
    dimension = other;
  }
  if (gets_box) {
    // Each stride becomes steps of a dimension of its own, all inside its extent.
    result.box.clear();
    result.origin.clear();
    for (Dimension& dimension : dimensions)
      for (Leaf& leaf : dimension) {
        const Index size = std::max<Index>(1, std::abs(leaf.stride)), last = leaf.extent - 1;
        leaf.axis = static_cast<int>(result.box.size());
        result.box.push_back({leaf.extent, size});
        result.origin.push_back(leaf.stride < 0 ? last : 0);
        leaf.stride = leaf.stride < 0 ? -1 : leaf.stride > 0 ? 1 : 0;
      }
    Index origin = view.origin.empty() ? 0 : view.origin.front();
    for (size_t axis = 0; axis < result.box.size(); ++axis)
      origin -= result.origin[axis] * result.box[axis].stride;
    result.box.push_back({origin + 1, 1});
    result.origin.push_back(origin);
  }
  result.coordinates = layout_of(dimensions);
  return result;
}

View ViewDraw::with_other_numbers(const View& view) {
  std::vector<Dimension> dimensions = dimensions_of(view);
  std::vector<Leaf*> order;
  for (Dimension& dimension : dimensions) {
    std::vector<Index> extents;
    for (const Leaf& leaf : dimension) extents.push_back(leaf.extent);
    shuffle(extents);
    for (std::size_t i = 0; i < dimension.size(); ++i) dimension[i].extent = extents[i];
    for (Leaf& leaf : dimension) order.push_back(&leaf);
  }
  shuffle(order);
  Index stride = 1 + below(3);
  for (Leaf* leaf : order) {
    leaf->stride = stride;
    stride = stride * leaf->extent + below(3);
  }
  View other = view;
  other.coordinates = layout_of(dimensions);
  other.origin = {below(4)};
  return other;
}

}  // namespace jute::test
