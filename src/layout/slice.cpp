// Slicing and dicing of tuples, layouts and swizzled layouts.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/modes.hpp>

#include <cstdlib>
#include <optional>

#include "layout/flat_modes.hpp"

namespace jute {

namespace {

using layout::Modes;
using layout::TupleView;

enum class Keep { wildcards, integers };

/// Appends the kept parts below the coordinate, without the nesting that they leave.
template <class View>
void lift_into(const TupleView& coordinate, const View& value, Keep keep, auto& out) {
  if (coordinate.is_leaf()) {
    if (coordinate.is_wildcard() == (keep == Keep::wildcards)) out.append(value);
    return;
  }
  if (value.is_leaf() || layout::rank(value) != layout::rank(coordinate)) {
    layout::refuse(ErrorCode::not_congruent, "coordinate", to_string(IntTuple(coordinate)),
                   "the coordinate must have as many modes as what it slices, at every level");
  }
  Modes modes(value);
  for (Modes walk(coordinate); !walk.done();) {
    const View mode = modes.next();
    lift_into(walk.next(), mode, keep, out);
  }
}

template <class Builder, class View>
auto kept_part(const TupleView& coordinate, const View& value, Keep keep) {
  Builder builder;
  const bool whole = coordinate.is_leaf();
  const bool empty = whole && coordinate.is_wildcard() != (keep == Keep::wildcards);
  if (!whole || empty) builder.open();
  lift_into(coordinate, value, keep, builder);
  if (!whole || empty) builder.close();
  return builder.take();
}

bool all_wildcards(const TupleView& coordinate) {
  for (int i = 0; i < coordinate.leaves; ++i) {
    if (coordinate.paths == nullptr || !layout::is_wildcard(coordinate.paths[i])) return false;
  }
  return true;
}

/// The five parts of an offset that a swizzle tells apart, lowest bits first: below, low field,
/// between, high field, above.
struct SwizzleFields {
  explicit SwizzleFields(const Swizzle& swizzle)
      : below(Index{1} << swizzle.base()),
        field(Index{1} << swizzle.bits()),
        between(Index{1} << (std::abs(swizzle.shift()) - swizzle.bits())) {}
  Index below;
  Index field;
  Index between;

  [[nodiscard]] Index low() const { return below; }
  [[nodiscard]] Index high() const { return below * field * between; }
  [[nodiscard]] Layout with_strides(const std::vector<Index>& strides) const {
    LayoutBuilder builder;
    builder.open();
    const Index extents[] = {below, field, between, field, 1};
    for (std::size_t i = 0; i < 5; ++i) builder.leaf(extents[i], strides[i]);
    builder.close();
    return builder.take();
  }
  /// Keeps the two fields of an offset and drops the rest, or the other way round.
  [[nodiscard]] Layout only_fields() const {
    return with_strides({0, field == 1 ? 0 : low(), 0, field == 1 ? 0 : high(), 0});
  }
  [[nodiscard]] Layout no_fields() const {
    return with_strides(
        {below == 1 ? 0 : 1, 0, between == 1 ? 0 : low() * field, 0, high() * field});
  }
};

/// One stride for each bit of a field, when the other field's bits are known: moving along the
/// field that is XORed flips the sign where the offset's bit is set; moving along the other one
/// carries the target bit along.
void append_bit_strides(const Swizzle& swizzle, Index offset, bool target_field,
                        Index low_bit_target, Index low_bit_source, LayoutBuilder& out) {
  out.open();
  for (int bit = 0; bit < swizzle.bits(); ++bit) {
    const Index target = low_bit_target << bit;
    const Index source = low_bit_source << bit;
    const Index tested = target_field ? source : target;
    const bool set = (offset & tested) != 0;
    Index stride = 0;
    if (target_field) {
      stride = set ? -target : target;
    } else {
      stride = set ? source - target : source + target;
    }
    out.leaf(2, stride);
  }
  out.close();
}

/// The offset of a coordinate as the XOR of its digits' offsets; nothing where a mode does not fill
/// a range of bits, so that digits could carry into one another.
std::optional<Index> xor_of_digits(const Layout& layout, const IntTuple& coordinate) {
  const IntTuple digits = flatten(crd2crd(coordinate, layout.shape(), layout.shape()));
  const layout::LayoutView view = layout.view();
  Index offset = 0;
  for (int i = 0; i < view.leaves; ++i) {
    const Index span = checked_mul(view.shape[i], view.stride[i], "offset");
    if (span != 0 && (span < 0 || (span & (span - 1)) != 0)) return std::nullopt;
    const Index mask = (view.shape[i] - 1) * view.stride[i];
    offset ^= checked_mul(digits.view().values[i], view.stride[i], "offset") & mask;
  }
  return offset;
}

/// The swizzle as a layout, exact where only one of its two fields varies and the other is
/// `offset`.
Layout unfolded_swizzle(const Swizzle& swizzle, Index offset) {
  const SwizzleFields fields(swizzle);
  const Index target = swizzle.target_mask() & -swizzle.target_mask();
  const Index source = swizzle.source_mask() & -swizzle.source_mask();
  LayoutBuilder builder;
  builder.open();
  builder.leaf(fields.below, 1);
  append_bit_strides(swizzle, offset, target < source, target, source, builder);
  builder.leaf(fields.between, fields.low() * fields.field);
  append_bit_strides(swizzle, offset, target > source, target, source, builder);
  builder.leaf(1, fields.high() * fields.field);
  builder.close();
  return builder.take();
}

}  // namespace

IntTuple slice(const IntTuple& coordinate, const IntTuple& tuple) {
  return kept_part<TupleBuilder>(coordinate.view(), tuple.view(), Keep::wildcards);
}
IntTuple dice(const IntTuple& coordinate, const IntTuple& tuple) {
  return kept_part<TupleBuilder>(coordinate.view(), tuple.view(), Keep::integers);
}
Layout slice(const IntTuple& coordinate, const Layout& layout) {
  return kept_part<LayoutBuilder>(coordinate.view(), layout.view(), Keep::wildcards);
}
Layout dice(const IntTuple& coordinate, const Layout& layout) {
  return kept_part<LayoutBuilder>(coordinate.view(), layout.view(), Keep::integers);
}

LayoutAndOffset slice_and_offset(const IntTuple& coordinate, const Layout& layout) {
  return {slice(coordinate, layout), crd2idx(coordinate, layout).value()};
}

LayoutAndOffset domain_offset(const IntTuple& coordinate, const Layout& layout) {
  return {layout, crd2idx(coordinate, layout).value()};
}
ComposedLayout domain_offset(const IntTuple& coordinate, const ComposedLayout& layout) {
  const Index offset = crd2idx(coordinate, layout.layout()).value();
  return {layout.swizzle(), checked_add(layout.offset(), offset, "offset"), layout.layout()};
}

ComposedAndOffset slice_and_offset(const IntTuple& coordinate, const ComposedLayout& layout) {
  const Swizzle& swizzle = layout.swizzle();
  const Layout sliced = slice(coordinate, layout.layout());
  if (all_wildcards(coordinate.view())) {
    return {composition(swizzle, layout.offset(), sliced), 0};
  }
  if (swizzle.bits() == 0) {
    const Index offset = crd2idx(coordinate, layout.layout()).value();
    return {ComposedLayout(sliced), checked_add(layout.offset(), offset, "offset")};
  }
  const SwizzleFields fields(swizzle);
  const Layout fixed = dice(coordinate, layout.layout());
  const IntTuple fixed_coordinate = dice(coordinate, coordinate);
  const std::optional<Index> fields_part =
      xor_of_digits(composition(fields.only_fields(), fixed), fixed_coordinate);
  if (!fields_part) {
    const Index offset = crd2idx(coordinate, layout.layout()).value();
    return {ComposedLayout(swizzle, checked_add(layout.offset(), offset, "offset"), sliced), 0};
  }
  const Index other_part =
      crd2idx(fixed_coordinate, composition(fields.no_fields(), fixed)).value();
  const Index inside = layout.offset() ^ *fields_part;
  const Layout open_fields = composition(fields.only_fields(), sliced);
  const Index active = open_fields(size(open_fields) - 1);
  if ((active & ~swizzle(active)) != 0) {
    return {composition(swizzle, inside, sliced), other_part};
  }
  return {ComposedLayout(composition(unfolded_swizzle(swizzle, inside), sliced)),
          checked_add(swizzle(inside), other_part, "offset")};
}

}  // namespace jute
