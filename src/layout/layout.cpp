// Layouts: construction, evaluation, size, hashing.
#include <jute/base/checked.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/detail/text.hpp>
#include <jute/layout/layout.hpp>

#include <ostream>
#include <string>

#include "layout/legal_shape.hpp"

namespace jute {

using layout::LayoutView;
using layout::Node;
using layout::Path;
using layout::TupleView;

namespace {

void refuse_coordinate(const std::string& coordinate, const LayoutView& view) {
  std::string shape;
  layout::write(view.shape_view(), shape);
  layout::refuse(ErrorCode::not_congruent, "coordinate", coordinate,
                 "a coordinate must be weakly congruent with the shape " + shape);
}

void refuse_unit_vectors(const LayoutView& view) {
  std::string stride;
  layout::write(view.stride_view(), stride);
  layout::refuse(ErrorCode::wrong_type, "stride", stride,
                 "strides must be plain integers where an offset is asked for");
}

void require_natural(Index coordinate) {
  if (coordinate < 0) {
    layout::refuse(ErrorCode::out_of_range, "coordinate", std::to_string(coordinate),
                   "a coordinate must not be negative", "0");
  }
}

Index offset_of(const LayoutView& view, Index coordinate) {
  require_natural(coordinate);
  Index offset = 0;
  for (int i = 0; i < view.leaves; ++i) {
    Index digit = coordinate;
    if (i + 1 < view.leaves) {
      digit = coordinate % view.shape[i];
      coordinate /= view.shape[i];
    }
    offset = checked_add(offset, checked_mul(digit, view.stride[i], "offset"), "offset");
  }
  return offset;
}

Index offset_of(const LayoutView& view, const TupleView& coordinate) {
  if (coordinate.is_integer()) return offset_of(view, coordinate.value());
  if (coordinate.is_leaf() || view.is_leaf()) {
    refuse_coordinate(to_string(IntTuple(coordinate)), view);
  }
  Index offset = 0;
  layout::Modes modes(view);
  layout::Modes digits(coordinate);
  while (!modes.done() && !digits.done()) {
    const LayoutView mode = modes.next();
    offset = checked_add(offset, offset_of(mode, digits.next()), "offset");
  }
  if (modes.done() != digits.done()) refuse_coordinate(to_string(IntTuple(coordinate)), view);
  return offset;
}

}  // namespace

Layout::Layout() {
  nodes_.push_back(Node::leaf);
  shape_.push_back(1);
  stride_.push_back(0);
}

namespace {

/// The strides of the compact layout; nothing where the shape has none.
std::optional<std::string> nearest_stride(const IntTuple& shape) {
  try {
    return to_string(compact_major(shape, CompactOrder::left));
  } catch (const Exception&) {
    return std::nullopt;
  }
}

}  // namespace

Layout::Layout(const IntTuple& shape, const IntTuple& stride) {
  const TupleView extents = shape.view();
  const TupleView steps = stride.view();
  if (!layout::same_nodes(extents.nodes, steps.nodes)) {
    layout::refuse(ErrorCode::not_congruent, "stride", to_string(stride),
                   "the stride must be congruent with the shape " + to_string(shape),
                   nearest_stride(shape));
  }
  LayoutBuilder builder;
  int leaf = 0;
  for (const Node node : extents.nodes) {
    if (node == Node::open) builder.open();
    if (node == Node::close) builder.close();
    if (node != Node::leaf) continue;
    if (extents.paths != nullptr && !extents.paths[leaf].empty()) {
      layout::refuse(ErrorCode::wrong_type, "shape", to_string(shape),
                     "the extents of a shape must be plain integers");
    }
    if (extents.values[leaf] < 1) {
      layout::refuse(ErrorCode::out_of_range, "shape", to_string(shape),
                     "every extent of a shape must be at least 1", layout::nearest_shape(shape));
    }
    if (steps.paths != nullptr && layout::is_wildcard(steps.paths[leaf])) {
      layout::refuse(ErrorCode::wrong_type, "stride", to_string(stride),
                     "strides must be integers, not wildcards");
    }
    builder.leaf(extents.values[leaf], steps.values[leaf],
                 steps.paths == nullptr ? Path{} : steps.paths[leaf]);
    ++leaf;
  }
  *this = builder.take();
}

Layout::Layout(std::string_view text) {
  layout::Cursor cursor{text};
  *this = layout::read_layout(cursor, "layout");
  layout::expect_end(cursor, "layout");
}

Layout::Layout(const LayoutView& view) {
  nodes_.append(view.nodes.data(), static_cast<int>(view.nodes.size()));
  shape_.append(view.shape, view.leaves);
  stride_.append(view.stride, view.leaves);
  if (view.paths == nullptr) return;
  paths_.assign(view.paths, view.paths + view.leaves);
  bool plain = true;
  for (const Path& path : paths_) plain = plain && path.empty();
  if (plain) paths_.clear();
}

Layout Layout::operator[](int mode) const {
  if (mode >= 0) {
    int i = 0;
    for (layout::Modes modes(view()); !modes.done(); ++i) {
      const LayoutView child = modes.next();
      if (i == mode) return Layout(child);
    }
  }
  layout::refuse(
      ErrorCode::out_of_range, "mode", std::to_string(mode),
      "a mode index must lie in [0, " + std::to_string(rank()) + ")",
      rank() == 0 ? std::nullopt : std::optional(std::to_string(mode < 0 ? 0 : rank() - 1)));
}

std::vector<Index> Layout::flat_shape() const { return {shape_.begin(), shape_.end()}; }

std::vector<Index> Layout::flat_stride() const {
  if (!is_plain()) refuse_unit_vectors(view());
  return {stride_.begin(), stride_.end()};
}

Index Layout::operator()(Index coordinate) const {
  if (!is_plain()) refuse_unit_vectors(view());
  return offset_of(view(), coordinate);
}

Index Layout::operator()(const IntTuple& coordinate) const {
  if (!is_plain()) refuse_unit_vectors(view());
  return offset_of(view(), coordinate.view());
}

Index Layout::operator()(Index i, Index j) const {
  if (!is_plain()) refuse_unit_vectors(view());
  const LayoutView whole = view();
  layout::Modes modes(whole);
  if (whole.is_leaf() || modes.done()) {
    refuse_coordinate("(" + std::to_string(i) + "," + std::to_string(j) + ")", whole);
  }
  const Index first = offset_of(modes.next(), i);
  if (modes.done()) {
    refuse_coordinate("(" + std::to_string(i) + "," + std::to_string(j) + ")", whole);
  }
  const Index second = offset_of(modes.next(), j);
  if (!modes.done()) {
    refuse_coordinate("(" + std::to_string(i) + "," + std::to_string(j) + ")", whole);
  }
  return checked_add(first, second, "offset");
}

void LayoutBuilder::open() {
  if (++depth_ > layout::kMaxDepth) {
    layout::refuse(ErrorCode::too_deep, "layout", "depth " + std::to_string(depth_),
                   "layouts must nest at most 64 deep", "64");
  }
  layout_.nodes_.push_back(Node::open);
}

void LayoutBuilder::close() {
  --depth_;
  layout_.nodes_.push_back(Node::close);
}

void LayoutBuilder::leaf(Index shape, Index stride) {
  layout_.nodes_.push_back(Node::leaf);
  layout_.shape_.push_back(shape);
  layout_.stride_.push_back(stride);
  if (!layout_.paths_.empty()) layout_.paths_.emplace_back();
}

void LayoutBuilder::leaf(Index shape, Index stride, const Path& path) {
  if (!path.empty()) layout_.paths_.resize(static_cast<std::size_t>(layout_.shape_.size()));
  const bool plain = path.empty();
  layout_.nodes_.push_back(Node::leaf);
  layout_.shape_.push_back(shape);
  layout_.stride_.push_back(stride);
  if (!plain || !layout_.paths_.empty()) layout_.paths_.push_back(path);
}

void LayoutBuilder::append(const LayoutView& view) {
  for (int depth = depth_; const Node node : view.nodes) {
    if (node == Node::close) --depth;
    if (node == Node::open && ++depth > layout::kMaxDepth) {
      depth_ = layout::kMaxDepth;
      open();  // refuses
    }
  }
  if (view.paths != nullptr) {
    layout_.paths_.resize(static_cast<std::size_t>(layout_.shape_.size()));
    layout_.paths_.insert(layout_.paths_.end(), view.paths, view.paths + view.leaves);
  }
  layout_.nodes_.append(view.nodes.data(), static_cast<int>(view.nodes.size()));
  layout_.shape_.append(view.shape, view.leaves);
  layout_.stride_.append(view.stride, view.leaves);
  if (!layout_.paths_.empty()) {
    layout_.paths_.resize(static_cast<std::size_t>(layout_.shape_.size()));
  }
}

void LayoutBuilder::append_modes(const LayoutView& view) {
  for (layout::Modes modes(view); !modes.done();) append(modes.next());
}

Layout LayoutBuilder::take() {
  bool plain = true;
  for (const Path& path : layout_.paths_) plain = plain && path.empty();
  if (plain) layout_.paths_.clear();  // equal layouts have one representation
  return std::move(layout_);
}

Index size(const LayoutView& view) {
  Index product = 1;
  for (int i = 0; i < view.leaves; ++i) product = checked_mul(product, view.shape[i], "size");
  return product;
}

Index size(const Layout& layout) { return size(layout.view()); }

Index size(const IntTuple& shape) {
  if (!shape.is_plain()) {
    layout::refuse(ErrorCode::wrong_type, "shape", to_string(shape),
                   "the extents of a shape must be plain integers");
  }
  const TupleView view = shape.view();
  Index product = 1;
  for (int i = 0; i < view.leaves; ++i) product = checked_mul(product, view.values[i], "size");
  return product;
}

std::string to_string(const Layout& layout) {
  std::string text;
  layout::write(layout.view(), text);
  return text;
}

std::ostream& operator<<(std::ostream& out, const Layout& layout) {
  return out << to_string(layout);
}

}  // namespace jute

std::size_t std::hash<jute::Layout>::operator()(const jute::Layout& layout) const noexcept {
  const jute::layout::LayoutView view = layout.view();
  std::size_t result = std::hash<std::string_view>{}(
      {reinterpret_cast<const char*>(view.nodes.data()), view.nodes.size()});
  for (int i = 0; i < view.leaves; ++i) {
    result = result * 0x9E3779B97F4A7C15ULL + static_cast<std::size_t>(view.shape[i]);
    result = result * 0x9E3779B97F4A7C15ULL + static_cast<std::size_t>(view.stride[i]);
    if (view.paths != nullptr) result ^= std::hash<std::u32string>{}(view.paths[i]);
  }
  return result;
}
