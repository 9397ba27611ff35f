// Reads lists of arrays: what of all groups is the same, and what each has of its own.
#include "each_arrays.hpp"

#include <bit>

namespace jute::python {

namespace {

constexpr Index kVectorBytes = 16;

void check_matrix(const Array& array, const Array& first, const char* name) {
  if (array.rank != 2)
    refuse(ErrorCode::wrong_arity, name, std::to_string(array.rank) + " axes",
           "arrays of a list must be matrices", "2 axes");
  if (array.type != first.type)
    refuse(ErrorCode::wrong_type, name, std::string(jute::name(array.type)),
           "arrays of a list must have one type", std::string(jute::name(first.type)));
  if (array.device != first.device)
    refuse(ErrorCode::not_compatible, name, "another device",
           "all arrays must lie where the first one lies");
}

}  // namespace

std::optional<Index> ld_of_array(const Array& array, Order order) {
  const std::size_t inner = order == Order::row ? 1 : 0, outer = 1 - inner;
  const Index length = array.extent[inner], elems = kVectorBytes * 8 / width_bits(array.type);
  if (length > 1 && array.stride[inner] != 1) return std::nullopt;
  if (array.extent[outer] <= 1) return (length + elems - 1) / elems * elems;
  if (array.stride[outer] < length) return std::nullopt;
  return array.stride[outer];
}

Matrix matrix_of_all(const std::vector<OwnArrays>& groups, OfGroup operand, const char* name) {
  Matrix matrix;
  matrix.type = (groups.front().*operand).type;
  const auto lie = [&](Order order) {
    return std::ranges::all_of(groups, [&](const OwnArrays& group) {
      return ld_of_array(group.*operand, order).has_value();
    });
  };
  matrix.order = lie(Order::row) ? Order::row : Order::col;
  if (!lie(matrix.order))
    refuse(ErrorCode::unsupported, name, "arrays that lie differently",
           "of all groups it must lie by rows, or of all by columns, without gaps in them");
  std::uint64_t steps = kVectorBytes;
  for (const OwnArrays& group : groups) {
    const Array& array = group.*operand;
    if (span_bytes(array) == 0) continue;
    steps |= array.address | static_cast<std::uint64_t>(*ld_of_array(array, matrix.order) *
                                                        width_bits(array.type) / 8);
  }
  matrix.alignment_bytes = alignment_of(steps, kVectorBytes);
  return matrix;
}

void check_count(const char* name, const nb::object& list, std::size_t count) {
  if (!list.is_none() && nb::len(list) != count)
    refuse(ErrorCode::not_compatible, name, std::to_string(nb::len(list)) + " arrays",
           "a list must have an array for each group", std::to_string(count));
}

namespace {

/// Numbers of blocks as a matrix: a vector has one of each row of a, or each column of b.
Array matrix_of_numbers(nb::handle object, const char* name, bool is_a) {
  Array array = array_of(object, name);
  if (array.rank == 2) return array;
  if (array.rank > 2)
    refuse(ErrorCode::wrong_arity, name, std::to_string(array.rank) + " axes",
           "numbers of blocks must have their operand's 2 axes, or be a vector", "2 axes");
  const Index count = array.rank == 0 ? 1 : array.extent[0],
              stride = array.rank == 0 ? 1 : array.stride[0];
  array.rank = 2;
  array.extent[is_a ? 0 : 1] = count, array.stride[is_a ? 0 : 1] = stride;
  array.extent[is_a ? 1 : 0] = 1, array.stride[is_a ? 1 : 0] = std::max<Index>(count, 1);
  return array;
}

/// One operand of a group: its bytes, its elements, and the numbers of its blocks.
void read_side(OwnArrays& group, const Side& side, nb::handle given, std::size_t i) {
  const bool is_a = side.tensor == TensorRole::a;
  const Read operand = read(side, given, 2);
  (is_a ? group.a : group.b) = operand.elements;
  (is_a ? group.bytes_a : group.bytes_b) = operand.bytes;
  if (!side.scale.is_none())
    (is_a ? group.scale_a : group.scale_b) =
        matrix_of_numbers(side.scale[i], side.scale_name, is_a);
  if (has_zeros(side))
    (is_a ? group.zero_a : group.zero_b) = matrix_of_numbers(side.zero[i], side.zero_name, is_a);
}

void read_group(OwnArrays& group, const Wish& wish, const Operands& lists, nb::handle a,
                nb::handle b, std::size_t i) {
  if (wish.reading == Reading::scaled) {
    read_side(group, lists.side_a, a, i);
    read_side(group, lists.side_b, b, i);
    const Index k_of_a = group.a.extent[1], k_of_b = group.b.extent[0];
    cut_halves(lists.side_a, group.a, k_of_b);
    cut_halves(lists.side_b, group.b, k_of_a);
    return;
  }
  group.a = group.bytes_a = array_of(a, "a", wish.dtype);
  group.b = group.bytes_b = array_of(b, "b", wish.dtype);
}

}  // namespace

std::vector<OwnArrays> arrays_of(const Wish& wish, const nb::list& a, const nb::list& b,
                                 const Operands& lists) {
  const nb::object &out = lists.out, c = lists.said(TensorRole::c);
  if (nb::len(a) == 0)
    refuse(ErrorCode::wrong_arity, "a", "0 arrays", "there must be at least one group", "1");
  check_count("b", b, nb::len(a));
  check_count("out", out, nb::len(a));
  check_count("c", c, nb::len(a));
  std::vector<OwnArrays> groups(nb::len(a));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    OwnArrays& group = groups[i];
    const OwnArrays& first = groups.front();
    read_group(group, wish, lists, a[i], b[i], i);
    check_matrix(group.a, first.a, "a");
    check_matrix(group.b, first.b, "b");
    if (group.b.extent[0] != group.a.extent[1])
      refuse_shape("b", group.b.extents(), "it must have as many rows as a has columns",
                   {group.a.extent[1], group.b.extent[1]});
    const Extents shape{group.a.extent[0], group.b.extent[1]};
    Operands operands{.a = a[i], .b = b[i]};
    if (!out.is_none()) operands.out = out[i];
    group.d = output_array(wish, operands, group.bytes_a, shape, group.out);
    check_matrix(group.d, first.d, "out");
    if (c.is_none()) continue;
    group.c = array_of(c[i], "c", wish.out_dtype);
    check_shape("c", group.c, shape);
    check_matrix(group.c, first.c, "c");
  }
  return groups;
}

namespace {

/// Elements along a dimension that share a number, of all groups: what the call says, or what
/// those with several numbers have.
template <class Extent, class Count>
Index block_of_all(const std::vector<OwnArrays>& groups, const char* name, const char* dimension,
                   Index asked, const Extent& extent_of, const Count& count_of) {
  Index block = asked;
  for (const OwnArrays& group : groups) {
    const Index extent = extent_of(group), count = count_of(group);
    if (block == 0 && count > 1) block = block_along(name, dimension, extent, count, 0);
  }
  for (const OwnArrays& group : groups) {
    const Index extent = extent_of(group);
    if (extent > 0 && block > 0) (void)block_along(name, dimension, extent, count_of(group), block);
    if (extent > 0 && block == 0)
      (void)block_along(name, dimension, extent, count_of(group), extent);
  }
  return block;
}

/// The problem's numbers that each group has for itself.
BlockValues numbers_of_all(const std::vector<OwnArrays>& groups, const Side& side, OfGroup numbers,
                           const char* name) {
  const bool is_a = side.tensor == TensorRole::a;
  const std::size_t of_k = is_a ? 1 : 0, of_mn = 1 - of_k;
  for (const OwnArrays& group : groups) check_matrix(group.*numbers, groups.front().*numbers, name);
  BlockValues result;
  static_cast<Matrix&>(result) = matrix_of_all(groups, numbers, name);
  const ValueBlock asked = side.block.empty() ? ValueBlock{} : parse_value_block(side.block);
  const auto counted = [&](std::size_t axis) {
    return [&, axis](const OwnArrays& group) { return (group.*numbers).extent[axis]; };
  };
  const auto sized = [&](std::size_t axis) {
    return [is_a, axis](const OwnArrays& group) { return (is_a ? group.a : group.b).extent[axis]; };
  };
  result.block = {
      block_of_all(groups, name, is_a ? "M" : "N", asked.mn, sized(of_mn), counted(of_mn)),
      block_of_all(groups, name, "K", asked.k, sized(of_k), counted(of_k))};
  return result;
}

}  // namespace

OperandScale scale_of_all(const std::vector<OwnArrays>& groups, const Side& side) {
  const bool is_a = side.tensor == TensorRole::a;
  OperandScale scale;
  if (!side.scale.is_none())
    scale.scale = numbers_of_all(groups, side, is_a ? &OwnArrays::scale_a : &OwnArrays::scale_b,
                                 side.scale_name);
  if (has_zeros(side))
    scale.zero = numbers_of_all(groups, side, is_a ? &OwnArrays::zero_a : &OwnArrays::zero_b,
                                side.zero_name);
  else if (!side.zero.is_none())
    scale.offset = to_number(side.zero, side.zero_name);
  return scale;
}

}  // namespace jute::python
