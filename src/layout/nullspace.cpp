// The coordinates that a layout maps to zero.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/modes.hpp>

#include <numeric>

#include "layout/flat_modes.hpp"

namespace jute {

using layout::FlatModes;
using layout::LayoutView;

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

}  // namespace jute
