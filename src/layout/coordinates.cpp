// Coordinates to indices and back, and the coshape.
#include <jute/base/checked.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/modes.hpp>

#include "layout/flat_modes.hpp"
#include "layout/legal_shape.hpp"

namespace jute {

namespace {

using layout::LayoutView;
using layout::Modes;
using layout::Path;
using layout::TupleView;

constexpr Index kMostCoordinates = Index{1} << 60;

[[noreturn]] void refuse_rank(const std::string& operand, const TupleView& value,
                              const TupleView& other) {
  layout::refuse(
      ErrorCode::not_congruent, operand, to_string(IntTuple(value)),
      "it must have as many modes as " + to_string(IntTuple(other)) + ", at every level");
}

/// A sum of multiples of unit vectors: a number, or a tuple of sums.
class Sum {
 public:
  void add(Index value, const Path& path, std::size_t at = 0) {
    if (at == path.size()) {
      value_ = checked_add(value_, value, "coordinate");
      return;
    }
    if (modes_.size() <= path[at]) modes_.resize(path[at] + 1);
    modes_[path[at]].add(value, path, at + 1);
  }
  void write(TupleBuilder& out, Index more) const {
    if (modes_.empty()) return out.integer(checked_add(value_, more, "coordinate"));
    if (value_ != 0) {
      layout::refuse(ErrorCode::wrong_type, "stride", std::to_string(value_),
                     "every offset must have one nesting: numbers and tuples do not add");
    }
    out.open();
    for (const Sum& mode : modes_) mode.write(out, more);
    out.close();
  }

 private:
  Index value_ = 0;
  std::vector<Sum> modes_;
};

/// Visits each leaf of the layout with its part of the coordinate.
template <class Visit>
void for_each_digit(const LayoutView& view, Index coordinate, Visit&& visit) {
  if (coordinate < 0) {
    layout::refuse(ErrorCode::out_of_range, "coordinate", std::to_string(coordinate),
                   "a coordinate must not be negative", "0");
  }
  for (int i = 0; i < view.leaves; ++i) {
    const bool last = i + 1 == view.leaves;
    visit(view, i, last ? coordinate : coordinate % view.shape[i]);
    coordinate /= view.shape[i];
  }
}

template <class Visit>
void for_each_digit(const LayoutView& view, const TupleView& coordinate, Visit&& visit) {
  if (coordinate.is_integer()) return for_each_digit(view, coordinate.value(), visit);
  if (coordinate.is_wildcard()) return for_each_digit(view, Index{0}, visit);
  if (coordinate.is_leaf() || view.is_leaf() || layout::rank(view) != layout::rank(coordinate)) {
    refuse_rank("coordinate", coordinate, view.shape_view());
  }
  Modes modes(view);
  for (Modes digits(coordinate); !digits.done();) {
    const LayoutView mode = modes.next();
    for_each_digit(mode, digits.next(), visit);
  }
}

/// Horner's rule over the coordinate's leaves, from the last to the first.
void collect_horner(const TupleView& coordinate, const TupleView& shape,
                    std::vector<std::pair<Index, Index>>& digits) {
  if (coordinate.is_leaf()) {
    if (!coordinate.is_integer()) {
      layout::refuse(ErrorCode::wrong_type, "coordinate", to_string(IntTuple(coordinate)),
                     "a coordinate must be made of integers");
    }
    digits.emplace_back(coordinate.value(), size(IntTuple(shape)));
    return;
  }
  if (shape.is_leaf() || layout::rank(coordinate) != layout::rank(shape)) {
    refuse_rank("coordinate", coordinate, shape);
  }
  Modes modes(shape);
  for (Modes walk(coordinate); !walk.done();) {
    const TupleView mode = modes.next();
    collect_horner(walk.next(), mode, digits);
  }
}

Index index_of(const TupleView& coordinate, const TupleView& shape) {
  std::vector<std::pair<Index, Index>> digits;
  collect_horner(coordinate, shape, digits);
  Index index = 0;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const auto [digit, extent] = digits[i];
    const bool last = i + 1 == digits.size();
    index = last ? digit : checked_add(digit, checked_mul(extent, index, "index"), "index");
  }
  return index;
}

void split_index(Index index, const TupleView& shape, TupleBuilder& out) {
  // The last leaf keeps what is left, beyond its extent too.
  int leaf = 0;
  for (const layout::Node node : shape.nodes) {
    if (node == layout::Node::open) out.open();
    if (node == layout::Node::close) out.close();
    if (node != layout::Node::leaf) continue;
    const Index extent = shape.values[leaf++];
    if (extent < 1) {
      const IntTuple whole(shape);
      layout::refuse(ErrorCode::out_of_range, "shape", to_string(whole),
                     "every extent of a shape must be at least 1", layout::nearest_shape(whole));
    }
    out.integer(leaf == shape.leaves ? index : index % extent);
    index /= extent;
  }
}

void coordinate_of(const TupleView& index, const TupleView& shape, TupleBuilder& out) {
  if (index.is_integer()) return split_index(index.value(), shape, out);
  if (index.is_leaf() || shape.is_leaf() || layout::rank(index) != layout::rank(shape)) {
    refuse_rank("index", index, shape);
  }
  out.open();
  Modes modes(shape);
  for (Modes walk(index); !walk.done();) {
    const TupleView mode = modes.next();
    coordinate_of(walk.next(), mode, out);
  }
  out.close();
}

void divide_index(const TupleView& index, const TupleView& shape, const TupleView& stride,
                  TupleBuilder& out);

/// (index / stride) % shape with compact strides from `current` on.
void divide_index(Index index, const TupleView& shape, Index current, TupleBuilder& out) {
  const IntTuple extents(shape);
  divide_index(IntTuple(index).view(), shape,
               compact_major(extents, CompactOrder::left, current).view(), out);
}

void divide_index(const TupleView& index, const TupleView& shape, const TupleView& stride,
                  TupleBuilder& out) {
  if (index.is_integer() && !shape.is_leaf() && stride.is_integer()) {
    return divide_index(index.value(), shape, stride.value(), out);
  }
  const bool same_rank =
      shape.is_leaf() == stride.is_leaf() && layout::rank(shape) == layout::rank(stride);
  if (!same_rank) refuse_rank("stride", stride, shape);
  if (index.is_integer() && shape.is_leaf()) {
    if (shape.value() == 1) return out.integer(0);
    if (!shape.is_integer() || !stride.is_integer() || shape.value() < 1 || stride.value() < 1) {
      layout::refuse(ErrorCode::out_of_range, "stride", to_string(IntTuple(stride)),
                     "strides must be positive for an offset to split into a coordinate", "1");
    }
    return out.integer(index.value() / stride.value() % shape.value());
  }
  if (index.is_tuple() && (shape.is_leaf() || layout::rank(index) != layout::rank(shape))) {
    refuse_rank("index", index, shape);
  }
  if (index.is_leaf() && !index.is_integer()) refuse_rank("index", index, shape);
  out.open();
  Modes extents(shape);
  Modes steps(stride);
  Modes parts(index);
  while (!extents.done()) {
    const TupleView extent = extents.next();
    const TupleView step = steps.next();
    divide_index(index.is_leaf() ? index : parts.next(), extent, step, out);
  }
  out.close();
}

void convert(const TupleView& coordinate, const TupleView& source, const TupleView& target,
             TupleBuilder& out) {
  if (coordinate.is_leaf() || source.is_leaf() || target.is_leaf()) {
    return coordinate_of(IntTuple(index_of(coordinate, source)).view(), target, out);
  }
  if (layout::rank(coordinate) != layout::rank(source))
    refuse_rank("coordinate", coordinate, source);
  if (layout::rank(coordinate) != layout::rank(target))
    refuse_rank("coordinate", coordinate, target);
  out.open();
  Modes sources(source);
  Modes targets(target);
  for (Modes walk(coordinate); !walk.done();) {
    const TupleView from = sources.next();
    const TupleView to = targets.next();
    convert(walk.next(), from, to, out);
  }
  out.close();
}

}  // namespace

IntTuple crd2idx(const IntTuple& coordinate, const Layout& layout) {
  const LayoutView view = layout.view();
  TupleBuilder builder;
  if (view.paths == nullptr) {
    Index offset = 0;
    for_each_digit(view, coordinate.view(), [&](const LayoutView& mode, int i, Index digit) {
      offset = checked_add(offset, checked_mul(digit, mode.stride[i], "offset"), "offset");
    });
    return offset;
  }
  Sum sum;
  int terms = 0;
  Index only_value = 0;
  Path only_path;
  for_each_digit(view, coordinate.view(), [&](const LayoutView& mode, int i, Index digit) {
    if (mode.stride[i] == 0 && mode.paths[i].empty()) return;
    only_value = checked_mul(digit, mode.stride[i], "offset");
    only_path = mode.paths[i];
    sum.add(only_value, only_path);
    ++terms;
  });
  if (terms == 1) {
    builder.leaf(only_value, only_path);
  } else {
    sum.write(builder, 0);
  }
  return builder.take();
}

Index crd2idx(const IntTuple& coordinate, const IntTuple& shape) {
  return index_of(coordinate.view(), shape.view());
}

IntTuple idx2crd(const IntTuple& index, const IntTuple& shape) {
  TupleBuilder builder;
  coordinate_of(index.view(), shape.view(), builder);
  return builder.take();
}

IntTuple idx2crd(const IntTuple& index, const IntTuple& shape, const IntTuple& stride) {
  TupleBuilder builder;
  divide_index(index.view(), shape.view(), stride.view(), builder);
  return builder.take();
}

IntTuple crd2crd(const IntTuple& coordinate, const IntTuple& source, const IntTuple& target) {
  TupleBuilder builder;
  convert(coordinate.view(), source.view(), target.view(), builder);
  return builder.take();
}

IntTuple get_hier_coord(const Layout& layout, Index offset) {
  return idx2crd(IntTuple(offset), layout.shape(), layout.stride());
}

IntTuple get_flat_coord(const Layout& layout, Index offset) {
  const int rank = layout.rank();
  const IntTuple ones =
      rank == 1
          ? IntTuple(1)
          : IntTuple::tuple(std::vector<IntTuple>(static_cast<std::size_t>(rank), IntTuple(1)));
  return crd2crd(get_hier_coord(layout, offset), layout.shape(), ones);
}

Index get_1d_coord(const Layout& layout, Index offset) {
  return crd2idx(get_hier_coord(layout, offset), layout.shape());
}

namespace layout {

Index cosize_of(const FlatModes& modes) {
  Index last = 0;
  for (int i = 0; i < modes.count(); ++i) {
    const Index stride =
        modes.stride[i] < 0 ? checked_mul(-1, modes.stride[i], "cosize") : modes.stride[i];
    last = checked_add(last, checked_mul(modes.shape[i] - 1, stride, "cosize"), "cosize");
  }
  return checked_add(last, 1, "cosize");
}

}  // namespace layout

IntTuple coshape(const Layout& layout) {
  const LayoutView view = layout.view();
  Sum sum;
  for (int i = 0; i < view.leaves; ++i) {
    const Index stride =
        view.stride[i] < 0 ? checked_mul(-1, view.stride[i], "cosize") : view.stride[i];
    const Index last = checked_mul(view.shape[i] - 1, stride, "cosize");
    sum.add(last, view.paths == nullptr ? Path{} : view.paths[i]);
  }
  TupleBuilder builder;
  sum.write(builder, 1);
  return builder.take();
}

Index cosize(const Layout& layout) {
  if (!layout.is_plain()) return size(coshape(layout));
  const LayoutView view = layout.view();
  Index last = 0;
  for (int i = 0; i < view.leaves; ++i) {
    const Index stride =
        view.stride[i] < 0 ? checked_mul(-1, view.stride[i], "cosize") : view.stride[i];
    last = checked_add(last, checked_mul(view.shape[i] - 1, stride, "cosize"), "cosize");
  }
  if (last >= kMostCoordinates) {
    layout::refuse(ErrorCode::overflow, "cosize", to_string(layout),
                   "a buffer must have at most 2^60 elements, so that 8-byte elements have 64-bit "
                   "addresses");
  }
  return last + 1;
}

}  // namespace jute
