// Functions of the algebra: coalescing, composition, complement, inverses, common parts, casts.
#include <jute/base/checked.hpp>
#include <jute/layout/cast.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/modes.hpp>

#include "expr/on_domain.hpp"

#include <numeric>

namespace jute::expr {

namespace {

Value coalesce_of(const Arguments& args) {
  return on_domain(args, 0, [&](const Layout& layout) {
    return args.count() > 1 ? coalesce(layout, args.tuple(1)) : coalesce(layout);
  });
}
Value filter_of(const Arguments& args) {
  return on_domain(args, 0, [&](const Layout& layout) {
    return args.count() > 1 ? filter(layout, args.tuple(1)) : filter(layout);
  });
}
Value filter_zeros_of(const Arguments& args) {
  return on_domain(args, 0, [](const Layout& layout) { return filter_zeros(layout); });
}

/// outer ∘ offset ∘ inner, kept as it stands.
Value composition_with_offset(const Arguments& args) {
  const Index offset = args.integer(1);
  if (args.is<Swizzle>(0)) return composition(args.swizzle(0), offset, args.layout(2));
  if (args.is<Swizzle>(2)) return ChainedLayout{args.layout(0), offset, args.swizzle(2)};
  return ChainedLayout{args.layout(0), offset, args.layout(2)};
}

Value composition_of(const Arguments& args) {
  if (args.count() == 3) return composition_with_offset(args);
  if (args.is<Swizzle>(0)) {
    if (args.is<Swizzle>(1)) return composition(args.swizzle(0), args.swizzle(1));
    return composition(args.swizzle(0), args.layout(1));
  }
  if (args.is<Swizzle>(1)) return composition(args.layout(0), args.swizzle(1));
  if (const auto* right = std::get_if<ComposedLayout>(&args[1])) {
    return composition(args.layout(0), *right);
  }
  return on_domain(args, 0,
                   [&](const Layout& layout) { return composition(layout, args.tiler(1)); });
}

Value with_shape_of(const Arguments& args) {
  return on_domain(args, 0,
                   [&](const Layout& layout) { return with_shape(layout, args.tuple(1)); });
}

Value complement_of(const Arguments& args) {
  const Layout& layout = domain_of(args, 0);
  if (args.count() == 1) {
    return args.is<Layout>(0) ? complement(layout) : complement(layout, cosize(layout));
  }
  if (args.is<IntTuple>(1)) return complement(layout, args.tuple(1));
  return complement(layout, domain_of(args, 1).shape());
}

template <class OfLayout, class OfComposed>
Value inverse(const Arguments& args, OfLayout&& of_layout, OfComposed&& of_composed) {
  if (args.is<Swizzle>(0)) return args.swizzle(0);  // its own inverse
  if (args.is<Layout>(0)) return of_layout(args.layout(0));
  if (const auto* composed = std::get_if<ComposedLayout>(&args[0])) return of_composed(*composed);
  const auto* chained = std::get_if<ChainedLayout>(&args[0]);
  if (chained == nullptr) args.refuse(0, "a layout");
  const Layout outer = of_layout(chained->outer);
  const Index offset = checked_mul(-1, chained->offset, "offset");
  if (const auto* swizzle = std::get_if<Swizzle>(&chained->inner)) {
    return composition(*swizzle, offset, outer);
  }
  return ChainedLayout{of_layout(std::get<Layout>(chained->inner)), offset, outer};
}
Value right_inverse_of(const Arguments& args) {
  return inverse(
      args, [](const Layout& layout) { return right_inverse(layout); },
      [](const ComposedLayout& layout) { return right_inverse(layout); });
}
Value left_inverse_of(const Arguments& args) {
  return inverse(
      args, [](const Layout& layout) { return left_inverse(layout); },
      [](const ComposedLayout& layout) { return left_inverse(layout); });
}

Value max_common_vector_of(const Arguments& args) {
  return max_common_vector(args.composed(0), args.composed(1));
}
Value max_common_layout_of(const Arguments& args) {
  return max_common_layout(args.composed(0), args.composed(1));
}

Value make_swizzle_of(const Arguments& args) {
  if (args.count() == 3) return Swizzle(args.mode(0), args.mode(1), args.mode(2));
  return make_swizzle(args.integer(0), args.integer(1));
}
/// A plain layout has, as in CuTe, the swizzle Sw<0,4,3>.
Value swizzle_portion_of(const Arguments& args) {
  return args.is<Layout>(0) ? Swizzle(0, 4, 3) : args.composed(0).swizzle();
}
Value nonswizzle_portion_of(const Arguments& args) { return args.composed(0).layout(); }

template <class Cast>
Value cast(const Arguments& args, Cast&& to) {
  if (args.is<Swizzle>(0)) return to(args.swizzle(0));
  if (args.is<Layout>(0)) return to(args.layout(0));
  const auto* composed = std::get_if<ComposedLayout>(&args[0]);
  if (composed == nullptr) args.refuse(0, "a layout");
  return to(*composed);
}
/// Says what the result of counting in units of `n` elements keeps silent.
void remark_lost_order(const Arguments& args, Index n) {
  const auto* composed = std::get_if<ComposedLayout>(&args[0]);
  const Swizzle swizzle = args.is<Swizzle>(0)   ? args.swizzle(0)
                          : composed != nullptr ? composed->swizzle()
                                                : Swizzle();
  if (keeps_runs(swizzle, n)) return;
  args.remark(to_string(swizzle) + " moves elements within units of " + std::to_string(n) +
              ": where each unit lies is right, the order within it is lost.");
}

Value upcast_of(const Arguments& args) {
  Value result =
      cast(args, [&](const auto& value) { return Value(upcast(value, args.integer(1))); });
  remark_lost_order(args, args.integer(1));
  return result;
}
Value downcast_of(const Arguments& args) {
  return cast(args, [&](const auto& value) { return downcast(value, args.integer(1)); });
}
Value recast_layout_of(const Arguments& args) {
  const Index from = args.integer(1), to = args.integer(2);
  Value result =
      cast(args, [&](const auto& value) { return Value(recast_layout(value, from, to)); });
  remark_lost_order(args, to / std::gcd(from, to));
  return result;
}

constexpr Function kAlgebraFunctions[] = {
    {"coalesce", 1, 2, coalesce_of, "coalesce(L[,profile])",
     "The same function with as few modes as possible."},
    {"filter", 1, 2, filter_of, "filter(L[,profile])", "Without broadcast modes, coalesced."},
    {"filter_zeros", 1, 1, filter_zeros_of, "filter_zeros(L)", "Broadcast modes get extent 1."},
    {"composition", 2, 3, composition_of, "composition(A,B) | composition(Sw[,offset],L)",
     "First B, then A."},
    {"with_shape", 2, 2, with_shape_of, "with_shape(L,shape)",
     "The same offsets under another shape."},
    {"complement", 1, 2, complement_of, "complement(L[,cotarget])",
     "What a layout leaves out of a range of offsets."},
    {"right_inverse", 1, 1, right_inverse_of, "right_inverse(L)", "R with L(R(i)) = i."},
    {"left_inverse", 1, 1, left_inverse_of, "left_inverse(L)",
     "R with R(L(i)) = i, for an injective L."},
    {"max_common_vector", 2, 2, max_common_vector_of, "max_common_vector(A,B)",
     "How many elements are contiguous in both layouts."},
    {"max_common_layout", 2, 2, max_common_layout_of, "max_common_layout(A,B)",
     "Which coordinates are contiguous in both layouts."},
    {"make_swizzle", 2, 3, make_swizzle_of,
     "make_swizzle(source_mask,target_mask) | make_swizzle(bits,base,shift)",
     "The swizzle between two bit fields."},
    {"get_swizzle_portion", 1, 1, swizzle_portion_of, "get_swizzle_portion(L)",
     "The swizzle before a layout."},
    {"get_nonswizzle_portion", 1, 1, nonswizzle_portion_of, "get_nonswizzle_portion(L)",
     "The layout behind a swizzle."},
    {"upcast", 2, 2, upcast_of, "upcast(L,N)", "Counts in units of N elements."},
    {"downcast", 2, 2, downcast_of, "downcast(L,N)", "Counts in N-ths of an element."},
    {"recast_layout", 3, 3, recast_layout_of, "recast_layout(L,old_bits,new_bits)",
     "Counts in elements of another width."},
};

}  // namespace

std::span<const Function> algebra_functions() { return kAlgebraFunctions; }

}  // namespace jute::expr
