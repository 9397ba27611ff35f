// Vectors that two layouts have in common, and alignment.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/modes.hpp>

#include <numeric>

#include "layout/flat_modes.hpp"

namespace jute {

namespace {

void require_plain(const Layout& layout, const char* operand) {
  if (layout.is_plain()) return;
  layout::refuse(ErrorCode::wrong_type, operand, to_string(layout),
                 "strides must be plain integers where contiguous elements are asked for");
}

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

Layout max_common_layout(const Layout& a, const Layout& b) {
  require_plain(b, "b");
  const Layout inverse = right_inverse(b);
  const Layout run = common_run(a, inverse);
  return is_unit_stride(run) ? composition(inverse, run) : Layout();
}

Index max_common_vector(const Layout& a, const Layout& b) {
  require_plain(b, "b");
  const Layout run = common_run(a, right_inverse(b));
  return is_unit_stride(run) ? run.view().shape[0] : 1;
}

Index max_alignment(const Layout& layout) {
  require_plain(layout, "layout");
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
