// The layout of a fragment: its values together, the rest in the order of the model.
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/modes.hpp>

#include "layout/flat_modes.hpp"
#include "layout/legal_shape.hpp"

namespace jute {

Layout make_fragment_like(const Layout& layout) {
  if (layout.rank() < 2) return Layout(layout.shape());
  const Layout first = layout[0];
  const Layout block(first.shape(), compact_major(filter_zeros(first).shape(), CompactOrder::left));
  const int rank = layout.rank();
  return tiled_product(
      block, make_ordered_layout(take(layout.shape(), 1, rank), take(layout.stride(), 1, rank)));
}

}  // namespace jute
