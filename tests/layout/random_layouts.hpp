#pragma once
// Random layouts for laws: small, nested, often compact, sometimes broadcast or gapped.
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>

#include <algorithm>
#include <random>

namespace jute::test {

class RandomLayouts {
 public:
  explicit RandomLayouts(unsigned seed) : engine_(seed) {}

  int below(int bound) { return static_cast<int>(engine_() % static_cast<unsigned>(bound)); }

  /// A nested shape with at most `leaves` leaves and a size of at most `largest`.
  IntTuple shape(int leaves, Index largest) {
    static constexpr Index kExtents[] = {1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 16};
    TupleBuilder builder;
    Index room = largest;
    nest(builder, 1 + below(leaves), 0, room, kExtents);
    return builder.take();
  }

  /// Compact in a random order of modes; with gaps, broadcasts or arbitrary strides now and then.
  Layout layout(int leaves = 5, Index largest = 600) {
    const IntTuple extents = shape(leaves, largest);
    const std::vector<Index> sizes = extents.leaves();
    std::vector<std::size_t> order(sizes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), engine_);
    if (below(3) == 0) std::sort(order.begin(), order.end());
    std::vector<Index> strides(sizes.size());
    const int style = below(6);
    Index current = 1;
    for (const std::size_t i : order) {
      strides[i] = style == 0 ? below(20) : current;
      current *= sizes[i];
      if (style == 1 && below(2) == 0) current *= 1 + below(3);
      if (style == 2 && below(3) == 0) strides[i] = 0;
    }
    layout::TupleView view = extents.view();
    view.values = strides.data();
    return Layout(extents, IntTuple(view));
  }

  /// A layout all of whose extents are powers of two and whose modes do not overlap.
  Layout power_of_two_layout(int leaves, int bits) {
    std::vector<int> free_bits(static_cast<std::size_t>(bits));
    for (int i = 0; i < bits; ++i) free_bits[static_cast<std::size_t>(i)] = i;
    std::shuffle(free_bits.begin(), free_bits.end(), engine_);
    std::vector<Layout> modes;
    for (int i = 0; i < leaves && !free_bits.empty(); ++i) {
      modes.emplace_back(IntTuple(2), IntTuple(Index{1} << free_bits.back()));
      free_bits.pop_back();
    }
    return make_layout(modes);
  }

  /// A layout that picks whole digits of the other's domain: some of its modes, in any order.
  Layout tile_of(const Layout& layout) {
    std::vector<Layout> digits;
    Index before = 1;
    for (const Index extent : layout.shape().leaves()) {
      // Part of a mode, from its lowest digits on.
      const Index part = extent % 2 == 0 && below(3) == 0 ? 2 : extent;
      if (below(3) != 0) digits.emplace_back(IntTuple(part), IntTuple(before));
      before *= extent;
    }
    std::shuffle(digits.begin(), digits.end(), engine_);
    if (digits.size() == 1) return digits[0];
    return digits.empty() ? Layout() : make_layout(digits);
  }

  /// Compact in a random order of modes: every offset below its size, once.
  Layout bijection(int leaves, Index largest) {
    const IntTuple extents = shape(leaves, largest);
    return compacted(extents);
  }

  /// A bijection whose extents are powers of two.
  Layout power_of_two_bijection(int bits) {
    std::vector<IntTuple> extents;
    while (bits > 0) {
      const int part = 1 + below(std::min(bits, 3));
      extents.emplace_back(Index{1} << part);
      bits -= part;
    }
    return compacted(IntTuple::tuple(extents));
  }

 private:
  Layout compacted(const IntTuple& extents) {
    std::vector<Index> order(static_cast<std::size_t>(extents.leaf_count()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
    std::shuffle(order.begin(), order.end(), engine_);
    layout::TupleView view = extents.view();
    view.values = order.data();
    return make_ordered_layout(extents, IntTuple(view));
  }

  void nest(TupleBuilder& builder, int leaves, int depth, Index& room,
            std::span<const Index> extents) {
    if (leaves == 1 && (depth == 0 || below(4) != 0)) {
      Index extent = extents[static_cast<std::size_t>(below(static_cast<int>(extents.size())))];
      if (extent > room) extent = 1;
      room /= extent;
      builder.integer(extent);
      return;
    }
    builder.open();
    while (leaves > 0) {
      const int part = depth > 2 ? 1 : 1 + below(leaves);
      nest(builder, depth > 2 ? 1 : part, depth > 2 ? 0 : depth + 1, room, extents);
      leaves -= part;
    }
    builder.close();
  }

  std::mt19937 engine_;
};

}  // namespace jute::test
