// Complement: the layout of everything that another leaves out.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/detail/text.hpp>

#include <algorithm>
#include <numeric>

#include "layout/flat_modes.hpp"

namespace jute {

namespace layout {

namespace {

[[noreturn]] void refuse_overlap(const FlatModes& modes, Index stride, Index reached) {
  refuse(ErrorCode::not_injective, "layout", to_string(to_layout(modes)),
         "every coordinate must have an offset of its own: a stride of " + std::to_string(stride) +
             " falls below " + std::to_string(reached) + ", where the smaller strides end",
         std::to_string(reached));
}

}  // namespace

Index ceil_div_size(const TupleView& shape, Index divisor) {
  Index product = 1;
  for (int i = 0; i < shape.leaves; ++i) {
    product = checked_mul(product, ceil_div(shape.values[i], divisor), "cotarget");
    divisor = ceil_div(divisor, shape.values[i]);
  }
  return product;
}

void complement_into(const FlatModes& modes, const TupleView& cotarget, FlatModes& out) {
  const auto push = [&out](Index extent, Index step) {
    if (extent == 1) return;
    Index end = 0;
    if (out.count() > 0 && !__builtin_mul_overflow(out.shape.back(), out.stride.back(), &end) &&
        end == step) {
      out.shape.back() = checked_mul(out.shape.back(), extent, "complement");
    } else {
      out.push(extent, step);
    }
  };
  Index reached = 1;
  if (modes.count() != 1 || modes.stride[0] != 0) {
    InlineVector<int, 32> order;
    for (int i = 0; i < modes.count(); ++i) order.push_back(i);
    // Ties go by position. A stable sort would do the same with a buffer from the heap.
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return modes.stride[a] != modes.stride[b] ? modes.stride[a] < modes.stride[b] : a < b;
    });
    for (const int i : order) {
      if (modes.stride[i] < reached) refuse_overlap(modes, modes.stride[i], reached);
      push(modes.stride[i] / reached, reached);
      reached = checked_mul(modes.stride[i], modes.shape[i], "complement");
    }
  }
  push(ceil_div_size(cotarget, reached), reached);
  if (out.count() == 0) out.push(1, 0);
}

}  // namespace layout

namespace {

Layout complement_of(const Layout& layout, const layout::FlatModes& modes,
                     const layout::TupleView& cotarget) {
  if (!modes.paths.empty()) {
    layout::refuse(ErrorCode::wrong_type, "layout", to_string(layout),
                   "strides must be plain integers where a complement is asked for");
  }
  layout::FlatModes out;
  layout::complement_into(modes, cotarget, out);
  return layout::to_layout(out);
}

}  // namespace

Layout complement(const Layout& layout, const IntTuple& cotarget) {
  const layout::TupleView view = cotarget.view();
  for (int i = 0; i < view.leaves; ++i) {
    if (view.paths != nullptr || view.values[i] < 1) {
      layout::refuse(ErrorCode::out_of_range, "cotarget", to_string(cotarget),
                     "a cotarget must be a shape of positive integers", "1");
    }
  }
  return complement_of(layout, layout::filtered(layout.view()), view);
}

Layout complement(const Layout& layout) {
  const layout::FlatModes modes = layout::filtered(layout.view());
  const IntTuple cotarget(layout::cosize_of(modes));
  return complement_of(layout, modes, cotarget.view());
}

}  // namespace jute
