// Composition: one layout applied after another.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/detail/text.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "layout/flat_modes.hpp"
#include "layout/magnitude.hpp"
#include "layout/unzip.hpp"

namespace jute {

namespace layout {

namespace {

/// One mode extent:step of the right side as it is spread over the modes of the left.
struct Rest {
  Index extent;
  Index step;
};

[[noreturn]] void refuse_stride(const LayoutView& lhs, Index extent, Index step, Index curr) {
  const Index nearest = std::max<Index>(curr, step / curr * curr);
  refuse(ErrorCode::not_divisible, "rhs.stride", std::to_string(step),
         "the stride of " + std::to_string(extent) + ":" + std::to_string(step) +
             " must be a multiple of the extent " + std::to_string(curr) + " that it passes in " +
             text_of(lhs),
         std::to_string(nearest));
}

[[noreturn]] void refuse_shape(const LayoutView& lhs, Rest rest, Index taken) {
  refuse(ErrorCode::not_divisible, "rhs.shape", std::to_string(rest.extent),
         "the extent of " + std::to_string(rest.extent) + ":" + std::to_string(rest.step) +
             " must be a multiple of the " + std::to_string(taken) +
             " elements that it takes from a mode of " + text_of(lhs),
         std::to_string(std::max<Index>(taken, rest.extent / taken * taken)));
}

void scale_into(const LayoutView& lhs, int mode, Rest rest, FlatModes& out) {
  out.push(rest.extent, checked_mul(rest.step, lhs.stride[mode], "stride"));
  if (lhs.paths != nullptr) out.paths.push_back(lhs.paths[mode]);
}

/// Largest digit that the right side reaches in each leaf mode of the left. Where it exceeds the
/// extent, digits carry and the composed function is no layout.
using Digits = InlineVector<Index, 32>;

[[noreturn]] void refuse_carry(const LayoutView& lhs, Rest rest, int mode) {
  refuse(ErrorCode::not_divisible, "rhs.stride", std::to_string(rest.step),
         "the modes of rhs together must stay inside mode " + std::to_string(mode) + " of " +
             text_of(lhs) + ", or pass it in whole steps: their sum carries into the next one",
         std::to_string(lhs.shape[mode]));
}

/// Takes what mode i of the left holds of `rest`: elements that lie less than the extent apart.
void take_from_mode(const LayoutView& lhs, int i, Index available, Rest& rest, Index* digits,
                    FlatModes& out) {
  const Index taken = std::min(available, rest.extent);
  if (rest.extent % taken != 0) refuse_shape(lhs, rest, taken);
  scale_into(lhs, i, {taken, rest.step}, out);
  rest.extent /= taken;
  if (digits == nullptr) return;
  digits[i] = checked_add(digits[i], checked_mul(taken - 1, rest.step, "offset"), "offset");
  if (digits[i] >= lhs.shape[i]) refuse_carry(lhs, rest, i);
  if (rest.extent != 1 && lhs.shape[i] % rest.step != 0) {
    refuse_stride(lhs, rest.extent * taken, rest.step, lhs.shape[i]);
  }
}

/// Spreads one mode of the right side over the modes of the left; `digits` belongs to these, or is
/// null where carries are let through.
void compose_mode(const LayoutView& lhs, Rest rest, Index* digits, FlatModes& out) {
  for (int i = 0; i + 1 < lhs.leaves; ++i) {
    const Index curr = lhs.shape[i];
    if (rest.step >= curr) {  // passes the whole mode
      if (rest.step % curr != 0) refuse_stride(lhs, rest.extent, rest.step, curr);
      rest.step /= curr;
      continue;
    }
    const Index step = magnitude(rest.step);
    const Index available = step == 1 ? curr : ceil_div(curr, step);
    if (available != 1 && rest.extent != 1) take_from_mode(lhs, i, available, rest, digits, out);
    rest.step = (step <= curr ? 1 : ceil_div(step, curr)) * (rest.step < 0 ? -1 : 1);
    // Further modes change nothing; so each mode of the right visits at most some 128 of the left.
    if (rest.extent == 1 && (out.count() > 0 || magnitude(rest.step) == 1)) break;
  }
  if (rest.extent != 1 || out.count() == 0) scale_into(lhs, lhs.leaves - 1, rest, out);
}

void compose_leaf(const LayoutView& lhs, Index extent, Index step, Index* digits,
                  LayoutBuilder& out) {
  if (step == 0) return out.leaf(extent, 0);
  if (lhs.is_leaf()) {
    return out.leaf(extent, checked_mul(step, lhs.stride[0], "stride"),
                    lhs.paths == nullptr ? Path{} : lhs.paths[0]);
  }
  FlatModes modes;
  compose_mode(lhs, {extent, step}, digits, modes);
  write_modes(modes, out);
}

/// The modes of the left side, as unit vectors name them.
class ModeTree {
 public:
  explicit ModeTree(const LayoutView& view) : view_(view) {
    if (view.is_leaf()) return;
    for (Modes modes(view); !modes.done();) modes_.emplace_back(modes.next());
  }
  [[nodiscard]] const LayoutView& at(const Path& path) const {
    const ModeTree* tree = this;
    for (const char32_t index : path) {
      if (tree->view_.is_leaf() && index == 0) continue;
      if (index >= tree->modes_.size()) {
        refuse(ErrorCode::out_of_range, "rhs.stride", "@" + std::to_string(index),
               "a unit vector must name a mode of the left side " + text_of(tree->view_));
      }
      tree = &tree->modes_[index];
    }
    return tree->view_;
  }

 private:
  LayoutView view_;
  std::vector<ModeTree> modes_;
};

/// The nesting of the coordinates that strides on unit vectors produce.
struct CoProfile {
  bool is_tuple = false;
  std::vector<CoProfile> modes;

  void add(const Path& path, std::size_t at = 0) {
    if (at == path.size()) return;
    is_tuple = true;
    if (modes.size() <= path[at]) modes.resize(path[at] + 1);
    modes[path[at]].add(path, at + 1);
  }
  void write(TupleBuilder& out) const {
    if (!is_tuple) return out.integer(0);
    out.open();
    for (const CoProfile& mode : modes) mode.write(out);
    out.close();
  }
};

IntTuple coprofile(const LayoutView& layout) {
  CoProfile profile;
  for (int i = 0; i < layout.leaves; ++i) profile.add(layout.paths[i]);
  TupleBuilder builder;
  profile.write(builder);
  return builder.take();
}

}  // namespace

void compose_into(const LayoutView& lhs, const LayoutView& rhs, Carries carries,
                  LayoutBuilder& out) {
  Digits digits;
  if (carries == Carries::refused) digits.resize(lhs.leaves);
  std::optional<ModeTree> named;
  if (rhs.paths != nullptr) named.emplace(lhs);
  int leaf = 0;
  for (const Node node : rhs.nodes) {
    switch (node) {
      case Node::open:
        out.open();
        break;
      case Node::close:
        out.close();
        break;
      case Node::leaf: {
        const LayoutView& mode = named && rhs.stride[leaf] != 0 ? named->at(rhs.paths[leaf]) : lhs;
        Index* const of_mode = digits.empty() ? nullptr : digits.data() + (mode.shape - lhs.shape);
        compose_leaf(mode, rhs.shape[leaf], rhs.stride[leaf], of_mode, out);
        ++leaf;
        break;
      }
    }
  }
}

void compose_views(const LayoutView& lhs, const LayoutView& rhs, Carries carries,
                   LayoutBuilder& out) {
  // CuTe's answer as it stands: partitions of coordinates rely on more than what is a layout.
  if (lhs.paths != nullptr) carries = Carries::ignored;
  if (rhs.paths != nullptr) {
    const ModeTree modes(lhs);
    for (int i = 0; i < rhs.leaves; ++i) (void)modes.at(rhs.paths[i]);  // refuses one too many
    LayoutBuilder left;
    coalesce_by_profile(lhs, coprofile(rhs).view(), LastUnit::keep, left);
    const Layout by_mode = left.take();
    return compose_into(by_mode.view(), rhs, carries, out);
  }
  const FlatModes modes = coalesced(lhs, LastUnit::keep);
  const FlatNodes nodes(modes.count());
  compose_into(view_of(modes, nodes.span()), rhs, carries, out);
}

namespace {

void compose_tiler(const LayoutView& lhs, const Tiler& rhs, LayoutBuilder& out) {
  switch (rhs.kind()) {
    case Tiler::Kind::wildcard:
      return out.append(lhs);
    case Tiler::Kind::layout:
      return compose_views(lhs, rhs.layout().view(), Carries::refused, out);
    case Tiler::Kind::extent: {
      static constexpr Node kLeaf = Node::leaf;
      const Index extent = rhs.extent();
      const Index step = 1;
      return compose_views(lhs, {{&kLeaf, 1}, &extent, &step, nullptr, 1}, Carries::refused, out);
    }
    case Tiler::Kind::tuple:
      break;
  }
  out.open();
  Modes modes(lhs);
  for (const Tiler& tiler : rhs.modes()) {
    if (modes.done()) refuse_long_tiler(rhs, lhs);
    compose_tiler(modes.next(), tiler, out);
  }
  out.close();
}

}  // namespace
}  // namespace layout

Layout composition(const Layout& lhs, const Layout& rhs) {
  LayoutBuilder builder;
  layout::compose_views(lhs.view(), rhs.view(), layout::Carries::refused, builder);
  return builder.take();
}

Layout composition(const Layout& lhs, const Tiler& rhs) {
  LayoutBuilder builder;
  layout::compose_tiler(lhs.view(), rhs, builder);
  return builder.take();
}

Layout with_shape(const Layout& layout, const IntTuple& shape) {
  return composition(layout, Layout(shape));
}

std::optional<Layout> try_composition(const Layout& lhs, const Layout& rhs) {
  try {
    return composition(lhs, rhs);
  } catch (const Exception&) {
    return std::nullopt;
  }
}

}  // namespace jute
