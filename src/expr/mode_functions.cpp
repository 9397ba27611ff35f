// Functions that rearrange modes.
#include <jute/base/checked.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/modes.hpp>

#include "expr/on_domain.hpp"

namespace jute::expr {

namespace {

/// Applies an operation that tuples and the domains of layouts share.
template <class Operation>
Value on_modes(const Arguments& args, int i, Operation&& operation) {
  if (args.is<IntTuple>(i)) return operation(args.tuple(i));
  return on_domain(args, i, operation);
}

std::vector<int> modes_from(const Arguments& args, int first) {
  std::vector<int> modes;
  for (int i = first; i < args.count(); ++i) modes.push_back(args.mode(i));
  return modes;
}

Value get_mode(const Arguments& args) {
  return on_modes(args, 0, [&](auto value) {
    for (const int mode : modes_from(args, 1)) value = decltype(value)(value[mode]);
    return value;
  });
}
Value take_modes(const Arguments& args) {
  return on_modes(args, 0,
                  [&](const auto& value) { return take(value, args.mode(1), args.mode(2)); });
}
Value group_modes(const Arguments& args) {
  return on_modes(args, 0,
                  [&](const auto& value) { return group(value, args.mode(1), args.mode(2)); });
}
Value select_modes(const Arguments& args) {
  return on_modes(args, 0, [&](const auto& value) { return select(value, modes_from(args, 1)); });
}

Value append_modes(const Arguments& args) {
  if (args.is<IntTuple>(0)) return append(args.tuple(0), args.mode(1), args.tuple(2));
  return on_domain(args, 0, [&](const Layout& layout) {
    return append(layout, args.mode(1), args.count() > 2 ? args.layout(2) : Layout());
  });
}
Value prepend_modes(const Arguments& args) {
  if (args.is<IntTuple>(0)) return prepend(args.tuple(0), args.mode(1), args.tuple(2));
  return on_domain(args, 0, [&](const Layout& layout) {
    return prepend(layout, args.mode(1), args.count() > 2 ? args.layout(2) : Layout());
  });
}
Value replace_mode(const Arguments& args) {
  if (args.is<IntTuple>(0)) return replace(args.tuple(0), args.mode(1), args.tuple(2));
  return on_domain(
      args, 0, [&](const Layout& layout) { return replace(layout, args.mode(1), args.layout(2)); });
}

/// As in CuTe, reverse turns tuples round; a layout is no tuple and stays.
Value reverse_modes(const Arguments& args) {
  if (args.is<IntTuple>(0)) return reverse(args.tuple(0));
  return with_domain(args, 0, domain_of(args, 0));
}

Value flatten_modes(const Arguments& args) {
  return on_modes(args, 0, [](const auto& value) { return flatten(value); });
}
Value unflatten_modes(const Arguments& args) {
  return on_modes(args, 0, [&](const auto& value) { return unflatten(value, args.tuple(1)); });
}

Value slice_and_offset_of(const Arguments& args) {
  const IntTuple& coordinate = args.tuple(0);
  if (args.is<Layout>(1)) {
    const Layout& layout = args.layout(1);
    return ValueList{{slice(coordinate, layout), crd2idx(coordinate, layout)}};
  }
  if (const auto* composed = std::get_if<ComposedLayout>(&args[1])) {
    const ComposedAndOffset sliced = slice_and_offset(coordinate, *composed);
    return ValueList{{sliced.layout, sliced.offset}};
  }
  const Layout& domain = domain_of(args, 1);
  const ChainedLayout& chained = std::get<ChainedLayout>(args[1]);
  const LayoutAndOffset sliced = slice_and_offset(coordinate, domain);
  return ValueList{
      {ChainedLayout{chained.outer, checked_add(chained.offset, sliced.offset, "offset"),
                     sliced.layout},
       0}};
}

Value slice_of(const Arguments& args) {
  if (args.is<IntTuple>(1)) return slice(args.tuple(0), args.tuple(1));
  if (args.is<Layout>(1)) return slice(args.tuple(0), args.layout(1));
  return std::get<ValueList>(slice_and_offset_of(args)).values[0];
}
Value dice_of(const Arguments& args) {
  if (args.is<IntTuple>(1)) return dice(args.tuple(0), args.tuple(1));
  return on_domain(args, 1, [&](const Layout& layout) { return dice(args.tuple(0), layout); });
}

Value zip_of(const Arguments& args) {
  return args.count() == 1 ? zip(args.layout(0)) : zip(args.layout(0), args.layout(1));
}
Value tile_unzip_of(const Arguments& args) {
  return on_domain(args, 0,
                   [&](const Layout& layout) { return tile_unzip(layout, args.tiler(1)); });
}
Value domain_offset_of(const Arguments& args) {
  const IntTuple& coordinate = args.tuple(0);
  if (args.is<Layout>(1)) {
    const LayoutAndOffset moved = domain_offset(coordinate, args.layout(1));
    return ValueList{{moved.layout, moved.offset}};
  }
  return ValueList{{domain_offset(coordinate, args.composed(1)), 0}};
}

constexpr Function kModeFunctions[] = {
    {"get", 2, kAnyNumber, get_mode, "get(L,i,...)", "Mode i; further indices go deeper."},
    {"take", 3, 3, take_modes, "take(L,begin,end)", "Modes begin to end - 1."},
    {"group", 3, 3, group_modes, "group(L,begin,end)", "Makes modes begin to end - 1 one mode."},
    {"select", 2, kAnyNumber, select_modes, "select(L,i,j,...)", "The modes i, j, ...."},
    {"append", 2, 3, append_modes, "append(L,N[,X])", "Pads with X behind, to rank N."},
    {"prepend", 2, 3, prepend_modes, "prepend(L,N[,X])", "Pads with X in front, to rank N."},
    {"replace", 3, 3, replace_mode, "replace(L,i,X)", "X in place of mode i."},
    {"reverse", 1, 1, reverse_modes, "reverse(T)", "The modes of a tuple in reverse order."},
    {"flatten", 1, 1, flatten_modes, "flatten(L)", "All leaves in one tuple."},
    {"unflatten", 2, 2, unflatten_modes, "unflatten(L,profile)",
     "Nests flat modes like a profile."},
    {"zip", 1, 2, zip_of, "zip(A,B) | zip(L)", "Modes of two layouts, or of all modes, in pairs."},
    {"tile_unzip", 2, 2, tile_unzip_of, "tile_unzip(L,tiler)",
     "Collects the tiles and the rests of a divided layout."},
    {"domain_offset", 2, 2, domain_offset_of, "domain_offset(coordinate,L)",
     "The layout from a coordinate on, and the offset of that coordinate."},
    {"slice", 2, 2, slice_of, "slice(coordinate,L)", "The part that '_' leaves open."},
    {"dice", 2, 2, dice_of, "dice(coordinate,L)", "The part that a coordinate fixes."},
    {"slice_and_offset", 2, 2, slice_and_offset_of, "slice_and_offset(coordinate,L)",
     "The slice, and the offset of its origin."},
};

}  // namespace

std::span<const Function> mode_functions() { return kModeFunctions; }

}  // namespace jute::expr
