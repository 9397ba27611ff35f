// Functions that make layouts and strides.
#include "expr/on_domain.hpp"

#include <jute/layout/coordinates.hpp>

#include <array>

namespace jute::expr {

namespace {

constexpr std::array<std::string_view, 2> kOrders{"left", "right"};

CompactOrder order_of(const Arguments& args, int i) {
  return args.choice(i, kOrders) == 0 ? CompactOrder::left : CompactOrder::right;
}

Value make_layout_of(const Arguments& args) {
  if (args.is<IntTuple>(0)) {
    if (args.count() == 1) return Layout(args.tuple(0));
    if (args.count() > 2) args.refuse(0, "a layout, like the others");
    if (args.is<Word>(1)) return make_layout(args.tuple(0), order_of(args, 1));
    return Layout(args.tuple(0), args.tuple(1));
  }
  std::vector<Layout> modes;
  for (int i = 0; i < args.count(); ++i) modes.push_back(args.layout(i));
  return make_layout(modes);
}

Value make_ordered_layout_of(const Arguments& args) {
  return make_ordered_layout(args.tuple(0), args.tuple(1));
}
Value make_layout_like_of(const Arguments& args) { return make_layout_like(args.layout(0)); }

/// Registers know no swizzle: a fragment is like the inner layout.
Value make_fragment_like_of(const Arguments& args) {
  if (args.is<IntTuple>(0)) return Layout(args.tuple(0));
  return make_fragment_like(domain_of(args, 0));
}
Value make_identity_layout_of(const Arguments& args) { return make_identity_layout(args.tuple(0)); }
Value compact_major_of(const Arguments& args) {
  return compact_major(args.tuple(0), order_of(args, 1),
                       args.count() > 2 ? args.tuple(2) : IntTuple(1));
}

Value compact_order_of(const Arguments& args) {
  return compact_order(args.tuple(0), args.tuple(1));
}

constexpr Function kConstructionFunctions[] = {
    {"make_layout", 1, kAnyNumber, make_layout_of,
     "make_layout(shape[,stride|left|right]) | make_layout(L,...)",
     "A layout of a shape and strides, or of layouts as modes."},
    {"make_ordered_layout", 2, 2, make_ordered_layout_of, "make_ordered_layout(shape,order)",
     "Compact, modes in the order given."},
    {"make_layout_like", 1, 1, make_layout_like_of, "make_layout_like(L)",
     "Compact, modes in the order of the strides."},
    {"make_fragment_like", 1, 1, make_fragment_like_of, "make_fragment_like(L)",
     "A register layout for a tile: mode 0 contiguous."},
    {"make_identity_layout", 1, 1, make_identity_layout_of, "make_identity_layout(shape)",
     "Maps each coordinate to itself."},
    {"compact_major", 2, 3, compact_major_of, "compact_major(shape,left|right[,start])",
     "Strides of a compact layout."},
    {"compact_order", 2, 2, compact_order_of, "compact_order(shape,order)",
     "Strides of a compact layout, modes in the order given."},
};

}  // namespace

std::span<const Function> construction_functions() { return kConstructionFunctions; }

}  // namespace jute::expr
