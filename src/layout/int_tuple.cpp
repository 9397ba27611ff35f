// Nested tuples of integers: construction, access, hashing.
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/detail/text.hpp>
#include <jute/layout/int_tuple.hpp>

#include <ostream>
#include <string>

namespace jute {

using layout::Node;
using layout::Path;
using layout::TupleView;

IntTuple::IntTuple() {
  nodes_.push_back(Node::open);
  nodes_.push_back(Node::close);
}

IntTuple::IntTuple(Index value) {
  nodes_.push_back(Node::leaf);
  values_.push_back(value);
}

IntTuple::IntTuple(std::initializer_list<IntTuple> modes) {
  TupleBuilder builder;
  builder.open();
  for (const IntTuple& mode : modes) builder.append(mode.view());
  builder.close();
  *this = builder.take();
}

IntTuple::IntTuple(std::string_view text) {
  layout::Cursor cursor{text};
  *this = layout::read_int_tuple(cursor, "tuple");
  layout::expect_end(cursor, "tuple");
}

IntTuple::IntTuple(const TupleView& view) {
  nodes_.append(view.nodes.data(), static_cast<int>(view.nodes.size()));
  values_.append(view.values, view.leaves);
  if (view.paths == nullptr) return;
  paths_.assign(view.paths, view.paths + view.leaves);
  bool plain = true;
  for (const Path& path : paths_) plain = plain && path.empty();
  if (plain) paths_.clear();  // equal tuples have one representation
}

IntTuple IntTuple::wildcard() {
  TupleBuilder builder;
  builder.wildcard();
  return builder.take();
}

IntTuple IntTuple::basis(Index value, const std::vector<int>& path) {
  if (path.size() > static_cast<std::size_t>(layout::kMaxDepth)) {
    layout::refuse(ErrorCode::too_deep, "path", std::to_string(path.size()) + " indices",
                   "a unit vector must name a mode at most 64 deep", "64");
  }
  Path inwards;
  for (auto index = path.rbegin(); index != path.rend(); ++index) {
    if (*index < 0 || *index > layout::kMostModeIndex) {
      layout::refuse(ErrorCode::out_of_range, "path", std::to_string(*index),
                     "a mode index must lie in [0, " + std::to_string(layout::kMostModeIndex) + "]",
                     std::to_string(*index < 0 ? 0 : layout::kMostModeIndex));
    }
    inwards.push_back(static_cast<char32_t>(*index));
  }
  TupleBuilder builder;
  builder.leaf(value, inwards);
  return builder.take();
}

IntTuple IntTuple::tuple(const std::vector<IntTuple>& modes) {
  TupleBuilder builder;
  builder.open();
  for (const IntTuple& mode : modes) builder.append(mode.view());
  builder.close();
  return builder.take();
}

IntTuple IntTuple::operator[](int mode) const {
  if (mode >= 0) {
    int i = 0;
    for (layout::Modes modes(view()); !modes.done(); ++i) {
      const TupleView child = modes.next();
      if (i == mode) return IntTuple(child);
    }
  }
  layout::refuse(
      ErrorCode::out_of_range, "mode", std::to_string(mode),
      "a mode index must lie in [0, " + std::to_string(rank()) + ")",
      rank() == 0 ? std::nullopt : std::optional(std::to_string(mode < 0 ? 0 : rank() - 1)));
}

std::vector<IntTuple> IntTuple::modes() const {
  std::vector<IntTuple> result;
  for (layout::Modes walk(view()); !walk.done();) result.emplace_back(walk.next());
  return result;
}

Index IntTuple::value() const {
  if (is_tuple() || is_wildcard()) {
    layout::refuse(ErrorCode::wrong_type, "tuple", to_string(*this), "it must be an integer");
  }
  return values_[0];
}

std::vector<Index> IntTuple::leaves() const { return {values_.begin(), values_.end()}; }

void TupleBuilder::open() {
  if (++depth_ > layout::kMaxDepth) {
    layout::refuse(ErrorCode::too_deep, "tuple", "depth " + std::to_string(depth_),
                   "tuples must nest at most 64 deep", "64");
  }
  tuple_.nodes_.push_back(Node::open);
}

void TupleBuilder::close() {
  --depth_;
  tuple_.nodes_.push_back(Node::close);
}

void TupleBuilder::integer(Index value) {
  tuple_.nodes_.push_back(Node::leaf);
  tuple_.values_.push_back(value);
  if (!tuple_.paths_.empty()) tuple_.paths_.emplace_back();
}

void TupleBuilder::wildcard() { leaf(0, Path{layout::kWildcardMark}); }

void TupleBuilder::leaf(Index value, const Path& path) {
  if (path.empty()) return integer(value);
  tuple_.nodes_.push_back(Node::leaf);
  tuple_.paths_.resize(static_cast<std::size_t>(tuple_.values_.size()));
  tuple_.values_.push_back(value);
  tuple_.paths_.push_back(path);
}

void TupleBuilder::append(const TupleView& view) {
  int leaf_at = 0;
  for (const Node node : view.nodes) {
    switch (node) {
      case Node::open:
        open();
        break;
      case Node::close:
        close();
        break;
      case Node::leaf:
        if (view.paths == nullptr) {
          integer(view.values[leaf_at]);
        } else {
          leaf(view.values[leaf_at], view.paths[leaf_at]);
        }
        ++leaf_at;
        break;
    }
  }
}

std::string to_string(const IntTuple& tuple) {
  std::string text;
  layout::write(tuple.view(), text);
  return text;
}

std::ostream& operator<<(std::ostream& out, const IntTuple& tuple) {
  return out << to_string(tuple);
}

}  // namespace jute

std::size_t std::hash<jute::IntTuple>::operator()(const jute::IntTuple& tuple) const noexcept {
  const jute::layout::TupleView view = tuple.view();
  std::size_t result = std::hash<std::string_view>{}(
      {reinterpret_cast<const char*>(view.nodes.data()), view.nodes.size()});
  for (int i = 0; i < view.leaves; ++i) {
    result = result * 0x9E3779B97F4A7C15ULL + static_cast<std::size_t>(view.values[i]);
    if (view.paths != nullptr) result ^= std::hash<std::u32string>{}(view.paths[i]);
  }
  return result;
}
