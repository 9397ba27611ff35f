// Null space, common vectors and alignment of layouts.
#include "layout/flat_modes.hpp"
#include "layout/refusal.hpp"

#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/modes.hpp>

#include <numeric>

namespace jute {

namespace {

using layout::FlatModes;
using layout::LayoutView;

/// The first mode of a(b's inverse) after coalescing: what both layouts run through together.
/// Beyond it the composition need not be a layout.
Layout common_run(const Layout& a, const Layout& inverse_of_b) {
  LayoutBuilder common;
  layout::compose_views(a.view(), inverse_of_b.view(), layout::Carries::ignored, common);
  return coalesce(common.take())[0];
}

bool is_unit_stride(const Layout& leaf) {
  return leaf.is_leaf() && leaf.is_plain() && leaf.view().stride[0] == 1;
}

}  // namespace

Layout domain_distribute(const IntTuple& shape, Index n) {
  if (n < 1) {
    layout::refuse(ErrorCode::out_of_range, "n", std::to_string(n),
                   "the number to distribute must be at least 1", "1");
  }
  const IntTuple flat = flatten(shape);
  const IntTuple strides = compact_major(flat, CompactOrder::left);
  LayoutBuilder builder;
  builder.open();
  for (int i = 0; i < flat.leaf_count(); ++i) {
    const Index part = std::gcd(flat.view().values[i], n);
    n /= part;
    builder.leaf(part, strides.view().values[i]);
  }
  builder.close();
  return coalesce(builder.take());
}

Layout nullspace(const Layout& layout) {
  const LayoutView view = layout.view();
  FlatModes modes;
  Index current = 1;
  for (int i = 0; i < view.leaves; ++i) {
    const bool zero = view.stride[i] == 0 && (view.paths == nullptr || view.paths[i].empty());
    if (zero) modes.push(view.shape[i], view.shape[i] == 1 ? 0 : current);
    current = checked_mul(current, view.shape[i], "size");
  }
  return modes.count() == 0 ? Layout() : layout::to_layout(modes);
}

Layout max_common_layout(const Layout& a, const Layout& b) {
  const Layout inverse = right_inverse(b);
  const Layout run = common_run(a, inverse);
  return is_unit_stride(run) ? composition(inverse, run) : Layout();
}

Index max_common_vector(const Layout& a, const Layout& b) {
  const Layout run = common_run(a, right_inverse(b));
  return is_unit_stride(run) ? run.view().shape[0] : 1;
}

Index max_alignment(const Layout& layout) {
  const Layout flat = coalesce(layout);
  const Layout permuted = logical_divide(flat, right_inverse(flat));
  const Layout rest = permuted[1];
  Index alignment = size(permuted[0]);
  for (int i = 0; i < rest.view().leaves; ++i) {
    alignment = std::gcd(alignment, rest.view().stride[i]);
  }
  return alignment;
}

}  // namespace jute
