// Reads lists of arrays: what of all groups is the same, and what each has of its own.
#include "each_arrays.hpp"

#include <bit>

namespace jute::python {

namespace {

constexpr Index kVectorBytes = 16;

/// As calls have it.
const char* name_of(TensorRole role) {
  return role == TensorRole::d ? "out" : jute::name(role).data();
}

void check_matrix(const OwnArrays& group, const OwnArrays& first_group, TensorRole role) {
  const char* const name = name_of(role);
  const Array &array = group[role], &first = first_group[role];
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

Matrix matrix_of_all(const std::vector<OwnArrays>& groups, TensorRole role) {
  Matrix matrix;
  matrix.type = groups.front()[role].type;
  const auto lie = [&](Order order) {
    return std::ranges::all_of(groups, [&](const OwnArrays& group) {
      return ld_of_array(group[role], order).has_value();
    });
  };
  matrix.order = lie(Order::row) ? Order::row : Order::col;
  if (!lie(matrix.order))
    refuse(ErrorCode::unsupported, name_of(role), "arrays that lie differently",
           "of all groups it must lie by rows, or of all by columns, without gaps in them");
  std::uint64_t steps = kVectorBytes;
  for (const OwnArrays& group : groups) {
    const Array& array = group[role];
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
Array matrix_of_numbers(nb::handle object, TensorRole role) {
  const char* const name = name_of(role);
  const bool is_a = operand_of_blocks(role) == TensorRole::a;
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

void add(OwnArrays& group, TensorRole role, const Array& array) {
  group.all.push_back({role, array, array});
}

/// The numbers of an operand's blocks.
void read_numbers(OwnArrays& group, const Side& side, std::size_t i) {
  for (const TensorRole role : kAllTensors) {
    if (!is_of_blocks(role) || operand_of_blocks(role) != side.tensor) continue;
    const bool is_scale = content_of(role) == TensorContent::scales;
    if (is_scale ? !side.scale.is_none() : has_zeros(side))
      add(group, role, matrix_of_numbers((is_scale ? side.scale : side.zero)[i], role));
  }
}

void read_group(OwnArrays& group, const Wish& wish, const Operands& lists, nb::handle a,
                nb::handle b, std::size_t i) {
  if (wish.reading != Reading::scaled) {
    add(group, TensorRole::a, array_of(a, "a", wish.dtype));
    add(group, TensorRole::b, array_of(b, "b", wish.dtype));
    return;
  }
  Read of_a = read(lists.side_a, a, 2), of_b = read(lists.side_b, b, 2);
  const Index k_of_a = of_a.elements.extent[1], k_of_b = of_b.elements.extent[0];
  cut_halves(lists.side_a, of_a.elements, k_of_b);
  cut_halves(lists.side_b, of_b.elements, k_of_a);
  group.all = {{TensorRole::a, of_a.elements, of_a.bytes},
               {TensorRole::b, of_b.elements, of_b.bytes}};
  read_numbers(group, lists.side_a, i);
  read_numbers(group, lists.side_b, i);
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
    check_matrix(group, first, TensorRole::a);
    check_matrix(group, first, TensorRole::b);
    const Index m = group[TensorRole::a].extent[0], k = group[TensorRole::a].extent[1],
                n = group[TensorRole::b].extent[1];
    if (group[TensorRole::b].extent[0] != k)
      refuse_shape("b", group[TensorRole::b].extents(),
                   "it must have as many rows as a has columns", {k, n});
    Operands operands{.a = a[i], .b = b[i]};
    if (!out.is_none()) operands.out = out[i];
    const Array& bytes = group.find(TensorRole::a)->bytes;
    add(group, TensorRole::d, output_array(wish, operands, bytes, {m, n}, group.out));
    check_matrix(group, first, TensorRole::d);
    if (c.is_none()) continue;
    add(group, TensorRole::c, array_of(c[i], "c", wish.out_dtype));
    check_shape("c", group[TensorRole::c], {m, n});
    check_matrix(group, first, TensorRole::c);
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
BlockValues numbers_of_all(const std::vector<OwnArrays>& groups, const Side& side,
                           TensorRole role) {
  const char* const name = name_of(role);
  const bool is_a = side.tensor == TensorRole::a;
  const std::size_t of_k = is_a ? 1 : 0, of_mn = 1 - of_k;
  for (const OwnArrays& group : groups) check_matrix(group, groups.front(), role);
  BlockValues result;
  static_cast<Matrix&>(result) = matrix_of_all(groups, role);
  const ValueBlock asked = side.block.empty() ? ValueBlock{} : parse_value_block(side.block);
  const auto counted = [&](std::size_t axis) {
    return [role, axis](const OwnArrays& group) { return group[role].extent[axis]; };
  };
  const auto sized = [&](std::size_t axis) {
    return [&side, axis](const OwnArrays& group) { return group[side.tensor].extent[axis]; };
  };
  result.block = {
      block_of_all(groups, name, is_a ? "M" : "N", asked.mn, sized(of_mn), counted(of_mn)),
      block_of_all(groups, name, "K", asked.k, sized(of_k), counted(of_k))};
  return result;
}

}  // namespace

OperandScale scale_of_all(const std::vector<OwnArrays>& groups, const Side& side) {
  OperandScale scale;
  for (const OwnArray& own : groups.front().all)
    if (is_of_blocks(own.role) && operand_of_blocks(own.role) == side.tensor)
      (content_of(own.role) == TensorContent::scales ? scale.scale : scale.zero) =
          numbers_of_all(groups, side, own.role);
  if (is_number(side.zero)) scale.offset = to_number(side.zero, side.zero_name);
  return scale;
}

}  // namespace jute::python
