#pragma once
// The nesting of a tuple without its integers.
#include <jute/base/export.hpp>
#include <jute/layout/detail/inline_vector.hpp>

#include <span>
#include <string>
#include <vector>

namespace jute {
namespace JUTE_API layout {

/// Nesting deeper than this is refused everywhere, so that recursion over a tuple is bounded.
inline constexpr int kMaxDepth = 64;
/// The largest index of a mode in a unit vector.
inline constexpr int kMostModeIndex = 0xFFFF;

/// One node of a profile in preorder.
enum class Node : std::uint8_t { leaf, open, close };

/// `((4,8),2)` has the nodes open open leaf leaf close leaf close. One byte a node: two profiles
/// are congruent exactly when their bytes are equal.
using Profile = InlineVector<Node, 64>;

/// The indices of a unit vector from the outermost mode inwards: `1@0@2` has the path {2, 0}. Empty
/// for a plain integer; {kWildcardMark} for `_`.
using Path = std::u32string;
inline constexpr char32_t kWildcardMark = 0xFFFFFFFF;
[[nodiscard]] inline bool is_wildcard(const Path& path) {
  return path.size() == 1 && path[0] == kWildcardMark;
}

/// A borrowed tuple: a whole one or a mode of it.
struct TupleView {
  std::span<const Node> nodes;
  const std::int64_t* values = nullptr;
  const Path* paths = nullptr;  ///< null when every leaf is a plain integer
  int leaves = 0;

  /// A tuple has two brackets at least; a value that was moved from has no nodes.
  [[nodiscard]] bool is_leaf() const { return nodes.size() == 1; }
  [[nodiscard]] bool is_tuple() const { return !is_leaf(); }
  [[nodiscard]] bool is_wildcard() const {
    return is_leaf() && paths != nullptr && layout::is_wildcard(paths[0]);
  }
  [[nodiscard]] bool is_basis() const {
    return is_leaf() && paths != nullptr && !paths[0].empty() && !layout::is_wildcard(paths[0]);
  }
  [[nodiscard]] bool is_integer() const {
    return is_leaf() && (paths == nullptr || paths[0].empty());
  }
  [[nodiscard]] std::int64_t value() const { return values[0]; }
};

/// A borrowed layout: shape and stride share one profile; only strides have paths.
struct LayoutView {
  std::span<const Node> nodes;
  const std::int64_t* shape = nullptr;
  const std::int64_t* stride = nullptr;
  const Path* paths = nullptr;
  int leaves = 0;

  [[nodiscard]] bool is_leaf() const { return nodes.size() == 1; }
  [[nodiscard]] TupleView shape_view() const { return {nodes, shape, nullptr, leaves}; }
  [[nodiscard]] TupleView stride_view() const { return {nodes, stride, paths, leaves}; }
};

/// Nodes of the subtree that starts at `nodes[0]`, and its leaves.
struct Subtree {
  int nodes = 0;
  int leaves = 0;
};
[[nodiscard]] inline Subtree subtree(std::span<const Node> nodes) {
  Subtree extent;
  int depth = 0;
  do {
    switch (nodes[static_cast<std::size_t>(extent.nodes++)]) {
      case Node::leaf:
        ++extent.leaves;
        break;
      case Node::open:
        ++depth;
        break;
      case Node::close:
        --depth;
        break;
    }
  } while (depth > 0);
  return extent;
}

/// Walks the modes of a view: the children of a tuple, or a leaf itself once.
template <class View>
class Modes {
 public:
  explicit Modes(const View& view) : rest_(view) {
    if (view.nodes.size() > 1) {
      rest_.nodes = rest_.nodes.subspan(1, rest_.nodes.size() - 2);
    }
  }
  [[nodiscard]] bool done() const { return rest_.nodes.empty(); }
  /// The next mode; moves on.
  View next() {
    const Subtree extent = subtree(rest_.nodes);
    View mode = rest_;
    mode.nodes = rest_.nodes.first(static_cast<std::size_t>(extent.nodes));
    mode.leaves = extent.leaves;
    rest_.nodes = rest_.nodes.subspan(static_cast<std::size_t>(extent.nodes));
    rest_.leaves -= extent.leaves;
    advance(rest_, extent.leaves);
    return mode;
  }

 private:
  static void advance(TupleView& view, int leaves) {
    view.values += leaves;
    if (view.paths != nullptr) view.paths += leaves;
  }
  static void advance(LayoutView& view, int leaves) {
    view.shape += leaves;
    view.stride += leaves;
    if (view.paths != nullptr) view.paths += leaves;
  }
  View rest_;
};
template <class View>
Modes(const View&) -> Modes<View>;

template <class View>
[[nodiscard]] int rank(const View& view) {
  if (view.is_leaf()) return 1;
  int count = 0;
  for (Modes modes(view); !modes.done(); modes.next()) ++count;
  return count;
}

[[nodiscard]] inline bool same_nodes(std::span<const Node> left, std::span<const Node> right) {
  return left.size() == right.size() && std::memcmp(left.data(), right.data(), left.size()) == 0;
}

}  // namespace layout
}  // namespace jute
