// Rearranges the modes of tuples and layouts.
#include <jute/layout/algebra.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/modes.hpp>

#include <algorithm>

#include "layout/flat_modes.hpp"

namespace jute {

namespace {

using layout::LayoutView;
using layout::Modes;
using layout::Node;
using layout::TupleView;

// Each operation is written once, for tuples and for layouts.
template <class Value>
struct ModeParts;
template <>
struct ModeParts<IntTuple> {
  using View = TupleView;
  using Builder = TupleBuilder;
};
template <>
struct ModeParts<Layout> {
  using View = LayoutView;
  using Builder = LayoutBuilder;
};

template <class Value>
std::vector<typename ModeParts<Value>::View> modes_of(const Value& value) {
  std::vector<typename ModeParts<Value>::View> views;
  for (Modes modes(value.view()); !modes.done();) views.push_back(modes.next());
  return views;
}

int depth_of(std::span<const Node> nodes) {
  int depth = 0;
  int deepest = 0;
  for (const Node node : nodes) {
    if (node == Node::open) deepest = std::max(deepest, ++depth);
    if (node == Node::close) --depth;
  }
  return deepest;
}

[[noreturn]] void refuse_range(int begin, int end, int rank) {
  layout::refuse(ErrorCode::out_of_range, "modes",
                 "[" + std::to_string(begin) + "," + std::to_string(end) + ")",
                 "a range of modes must lie in [0," + std::to_string(rank) + ") and hold a mode",
                 "[0," + std::to_string(rank) + ")");
}

void require_mode(int mode, std::size_t rank) {
  if (mode >= 0 && static_cast<std::size_t>(mode) < rank) return;
  layout::refuse(ErrorCode::out_of_range, "mode", std::to_string(mode),
                 "a mode index must lie in [0, " + std::to_string(rank) + ")",
                 std::to_string(mode < 0 || rank == 0 ? 0 : rank - 1));
}

template <class Value>
Value select_modes(const Value& value, const std::vector<int>& wanted) {
  const auto modes = modes_of(value);
  typename ModeParts<Value>::Builder builder;
  builder.open();
  for (const int mode : wanted) {
    require_mode(mode, modes.size());
    builder.append(modes[static_cast<std::size_t>(mode)]);
  }
  builder.close();
  return builder.take();
}

template <class Value>
Value take_modes(const Value& value, int begin, int end) {
  const auto modes = modes_of(value);
  const int rank = static_cast<int>(modes.size());
  if (begin < 0 || begin >= end || end > rank) refuse_range(begin, end, rank);
  typename ModeParts<Value>::Builder builder;
  builder.open();
  for (int i = begin; i < end; ++i) builder.append(modes[static_cast<std::size_t>(i)]);
  builder.close();
  return builder.take();
}

template <class Value>
Value group_modes(const Value& value, int begin, int end) {
  const auto modes = modes_of(value);
  const int rank = static_cast<int>(modes.size());
  if (begin < 0 || begin > end || end > rank) refuse_range(begin, end, rank);
  typename ModeParts<Value>::Builder builder;
  builder.open();
  for (int i = 0; i < rank; ++i) {
    if (i == begin && begin < end) builder.open();
    builder.append(modes[static_cast<std::size_t>(i)]);
    if (i + 1 == end && begin < end) builder.close();
  }
  builder.close();
  return builder.take();
}

enum class ModeSide { back, front };

template <class Value>
Value pad_modes(const Value& value, int rank, const Value& mode, ModeSide side) {
  const int given = value.rank();
  if (rank == given) return value;
  constexpr int kMost = 1 << 16;
  if (rank < given || rank > kMost) {
    layout::refuse(
        ErrorCode::out_of_range, "rank", std::to_string(rank),
        "the new rank must be at least the rank of " + to_string(value) + " and at most 65536",
        std::to_string(rank < given ? given : kMost));
  }
  typename ModeParts<Value>::Builder builder;
  builder.open();
  const auto pad = [&] {
    for (int i = given; i < rank; ++i) builder.append(mode.view());
  };
  if (side == ModeSide::front) pad();
  for (Modes modes(value.view()); !modes.done();) builder.append(modes.next());
  if (side == ModeSide::back) pad();
  builder.close();
  return builder.take();
}

template <class Value>
Value replace_mode(const Value& value, int index, const Value& mode) {
  const auto modes = modes_of(value);
  require_mode(index, modes.size());
  if (value.is_leaf()) return mode;
  typename ModeParts<Value>::Builder builder;
  builder.open();
  for (std::size_t i = 0; i < modes.size(); ++i) {
    builder.append(static_cast<int>(i) == index ? mode.view() : modes[i]);
  }
  builder.close();
  return builder.take();
}

template <class Value>
Value flatten_modes(const Value& value) {
  if (value.is_leaf()) return value;
  auto view = value.view();
  layout::InlineVector<Node, 64> nodes;
  nodes.push_back(Node::open);
  for (int i = 0; i < view.leaves; ++i) nodes.push_back(Node::leaf);
  nodes.push_back(Node::close);
  view.nodes = {nodes.data(), static_cast<std::size_t>(nodes.size())};
  return Value(view);
}

/// The modes of a flat value, handed out from the left as the profile asks for them.
template <class View>
void unflatten_into(Modes<View>& flat, const TupleView& profile, auto& builder) {
  if (profile.is_leaf()) {
    builder.append(flat.next());
    return;
  }
  builder.open();
  for (Modes modes(profile); !modes.done();) unflatten_into(flat, modes.next(), builder);
  builder.close();
}

template <class Value>
Value unflatten_modes(const Value& value, const IntTuple& profile) {
  if (profile.leaf_count() != value.rank()) {
    layout::refuse(ErrorCode::not_congruent, "profile", to_string(profile),
                   "the profile must have as many leaves as " + to_string(value) + " has modes");
  }
  Modes flat(value.view());
  typename ModeParts<Value>::Builder builder;
  unflatten_into(flat, profile.view(), builder);
  return builder.take();
}

}  // namespace

int depth(const IntTuple& tuple) { return depth_of(tuple.view().nodes); }
int depth(const Layout& layout) { return depth_of(layout.view().nodes); }

IntTuple flatten(const IntTuple& tuple) { return flatten_modes(tuple); }
Layout flatten(const Layout& layout) { return flatten_modes(layout); }

IntTuple unflatten(const IntTuple& flat, const IntTuple& profile) {
  return unflatten_modes(flat, profile);
}
Layout unflatten(const Layout& flat, const IntTuple& profile) {
  return unflatten_modes(flat, profile);
}

IntTuple select(const IntTuple& tuple, const std::vector<int>& modes) {
  return select_modes(tuple, modes);
}
Layout select(const Layout& layout, const std::vector<int>& modes) {
  return select_modes(layout, modes);
}

IntTuple take(const IntTuple& tuple, int begin, int end) { return take_modes(tuple, begin, end); }
Layout take(const Layout& layout, int begin, int end) { return take_modes(layout, begin, end); }

IntTuple group(const IntTuple& tuple, int begin, int end) { return group_modes(tuple, begin, end); }
Layout group(const Layout& layout, int begin, int end) { return group_modes(layout, begin, end); }

IntTuple append(const IntTuple& tuple, int rank, const IntTuple& mode) {
  return pad_modes(tuple, rank, mode, ModeSide::back);
}
Layout append(const Layout& layout, int rank, const Layout& mode) {
  return pad_modes(layout, rank, mode, ModeSide::back);
}
IntTuple prepend(const IntTuple& tuple, int rank, const IntTuple& mode) {
  return pad_modes(tuple, rank, mode, ModeSide::front);
}
Layout prepend(const Layout& layout, int rank, const Layout& mode) {
  return pad_modes(layout, rank, mode, ModeSide::front);
}

IntTuple replace(const IntTuple& tuple, int index, const IntTuple& mode) {
  return replace_mode(tuple, index, mode);
}
Layout replace(const Layout& layout, int index, const Layout& mode) {
  return replace_mode(layout, index, mode);
}

IntTuple reverse(const IntTuple& tuple) {
  if (tuple.is_leaf()) return tuple;
  std::vector<IntTuple> modes = tuple.modes();
  std::reverse(modes.begin(), modes.end());
  return IntTuple::tuple(modes);
}

Layout zip(const Layout& a, const Layout& b) {
  LayoutBuilder builder;
  builder.open();
  if (a.is_leaf()) {
    builder.open();
    builder.append(a.view());
    builder.append(b.view());
    builder.close();
    builder.close();
    return builder.take();
  }
  if (b.is_leaf() || a.rank() != b.rank()) {
    layout::refuse(ErrorCode::not_congruent, "layout", to_string(b),
                   "zipped layouts must have the same number of modes as " + to_string(a));
  }
  Modes firsts(a.view());
  Modes seconds(b.view());
  while (!firsts.done()) {
    builder.open();
    builder.append(firsts.next());
    builder.append(seconds.next());
    builder.close();
  }
  builder.close();
  return builder.take();
}

Layout zip(const Layout& layout) {
  if (layout.is_leaf()) return layout;
  const std::vector<LayoutView> modes = modes_of(layout);
  const bool whole = !modes.empty() && modes.front().is_leaf();
  std::vector<std::vector<LayoutView>> rows;
  for (const LayoutView& mode : modes) {
    rows.emplace_back();
    if (whole) {
      rows.back().push_back(mode);
      continue;
    }
    if (!mode.is_leaf()) {
      for (Modes parts(mode); !parts.done();) rows.back().push_back(parts.next());
    }
    if (rows.back().size() == rows.front().size()) continue;
    layout::refuse(ErrorCode::not_congruent, "layout", to_string(layout),
                   "all of its modes must have as many modes as the first");
  }
  LayoutBuilder builder;
  builder.open();
  for (std::size_t i = 0; !rows.empty() && i < rows.front().size(); ++i) {
    builder.open();
    for (const std::vector<LayoutView>& row : rows) builder.append(row[i]);
    builder.close();
  }
  builder.close();
  return builder.take();
}

Layout make_layout(const std::vector<Layout>& modes) {
  LayoutBuilder builder;
  builder.open();
  for (const Layout& mode : modes) builder.append(mode.view());
  builder.close();
  return builder.take();
}

ComposedLayout flatten(const ComposedLayout& layout) {
  return composition(layout.swizzle(), layout.offset(), flatten(layout.layout()));
}
ComposedLayout take(const ComposedLayout& layout, int begin, int end) {
  return composition(layout.swizzle(), layout.offset(), take(layout.layout(), begin, end));
}
ComposedLayout group(const ComposedLayout& layout, int begin, int end) {
  return composition(layout.swizzle(), layout.offset(), group(layout.layout(), begin, end));
}
ComposedLayout append(const ComposedLayout& layout, int rank, const Layout& mode) {
  return composition(layout.swizzle(), layout.offset(), append(layout.layout(), rank, mode));
}

}  // namespace jute
