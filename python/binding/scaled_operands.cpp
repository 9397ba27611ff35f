// Reads arrays of scaled operands: what their elements are, and which blocks share a number.
#include "scaled_operands.hpp"

namespace jute::python {

namespace {

constexpr Index kOfByte = 2;  // elements of 4 bits

/// The array as elements: of 4 bits a byte's halves are neighbours along K.
Array elements_of(const Side& side, const Array& bytes, DType type) {
  Array array = bytes;
  array.type = type;
  if (width_bits(type) >= 8) return array;
  const std::size_t k = k_axis(side, array);
  if (array.extent[k] > 1 && array.stride[k] != 1)
    refuse(ErrorCode::unsupported, side.name, "stride " + std::to_string(array.stride[k]),
           "elements of 4 bits must lie along K, two of them in a byte, the first in its low half",
           "1");
  array.extent[k] *= kOfByte;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(array.rank); ++axis)
    if (axis != k) array.stride[axis] *= kOfByte;
  return array;
}

}  // namespace

std::size_t k_axis(const Side& side, const Array& array) {
  return static_cast<std::size_t>(array.rank - (side.tensor == TensorRole::a ? 1 : 2));
}

Read read(const Side& side, int most_axes) {
  const std::optional<DType> type =
      side.type.is_none() ? std::nullopt : std::optional(to_dtype(side.type));
  const bool is_halves = type && width_bits(*type) < 8;
  const Array bytes =
      side.packed != nullptr
          ? side.packed->form
          : array_of(side.array, side.name, is_halves ? std::optional(DType::u8) : type);
  if (bytes.rank < 2 || bytes.rank > most_axes)
    refuse(ErrorCode::wrong_arity, side.name, std::to_string(bytes.rank) + " axes",
           "a scaled operand must have 2 axes, of groups 2 or 3", "2 axes");
  return {bytes, elements_of(side, bytes, type.value_or(bytes.type))};
}

void cut_halves(const Side& side, Array& array, Index k_of_other) {
  Index& k = array.extent[k_axis(side, array)];
  if (width_bits(array.type) < 8 && k == k_of_other + 1) k = k_of_other;
}

Index block_along(const char* name, const char* dimension, Index extent, Index count, Index asked) {
  if (asked == 0 && count == 1) return 0;
  if (asked == 0 && count > 0 && extent % count == 0) return extent / count;
  const Index wanted = asked == 0 ? 1 : ceil_div(extent, asked);
  if (asked != 0 && count == wanted) return asked;
  refuse(ErrorCode::not_compatible, name, std::to_string(count) + " along " + dimension,
         asked == 0 ? "it must have a number for each block of the " + std::to_string(extent) +
                          " elements; where the last block is short, block_a or block_b says \"" +
                          "1x128\""
                    : "it must have a number for each block of " + std::to_string(asked) +
                          " elements, the last of which may be short",
         std::to_string(wanted));
}

namespace {

/// Which axes of an array of numbers are which: of an operand with a matrix for each group three.
Axes axes_of_numbers(const char* name, const Array& array, bool is_a, int rank_of_operand) {
  Index count = 1;
  for (const Index extent : array.extents()) count *= extent;
  if (count == 1 && array.rank < 2) return {};
  if (array.rank == rank_of_operand) return array.rank == 3 ? Axes{1, 1, 2} : Axes{0, 0, 1};
  if (array.rank != 1 || rank_of_operand == 3)
    refuse(
        ErrorCode::wrong_arity, name, std::to_string(array.rank) + " axes",
        rank_of_operand == 3
            ? "numbers of blocks must have its operand's 3 axes, or be one for all"
            : "numbers of blocks must have its operand's 2 axes, or be a vector: one of each row "
              "of a, or each column of b",
        std::to_string(rank_of_operand) + " axes");
  return is_a ? Axes{0, 0, {}} : Axes{0, {}, 0};
}

BlockValues numbers_of(const char* name, const Array& array, const Side& side,
                       const Problem& problem, Index mn) {
  const bool is_a = side.tensor == TensorRole::a;
  const Axes axes = axes_of_numbers(name, array, is_a, side.rank);
  if (axes.batch > 0 && array.extent[0] != problem.batch) {
    Extents nearest = array.extents();
    nearest[0] = problem.batch;
    refuse_shape(name, array.extents(), "it must have numbers for each group", nearest);
  }
  const MatrixView view = view_of(array, axes);
  const ValueBlock asked = side.block.empty() ? ValueBlock{} : parse_value_block(side.block);
  BlockValues numbers;
  static_cast<Matrix&>(numbers) = plain_operand(view, array, name);
  numbers.broadcast = problem.batch > 1 && axes.batch == 0;
  if (numbers.broadcast) numbers.batch_stride_elems = 0;
  const Index of_mn = is_a ? view.rows.extent : view.cols.extent,
              of_k = is_a ? view.cols.extent : view.rows.extent;
  numbers.block = {block_along(name, is_a ? "M" : "N", mn, of_mn, asked.mn),
                   block_along(name, "K", problem.k, of_k, asked.k)};
  return numbers;
}

/// Those of what has been packed, which no run reads again.
void add_packed_numbers(OperandScale& scale, const Side& side, const Problem& problem, Index mn) {
  for (const BlockNumbers& one : side.packed->numbers) {
    const bool is_scale = one.role == TensorRole::scale_a || one.role == TensorRole::scale_b;
    (is_scale ? scale.scale : scale.zero) = numbers_of(one.name, one.array, side, problem, mn);
  }
}

/// Numbers that a run reads: the array, and what the problem knows of it.
void add_numbers(Bound& bound, const nb::object& object, const char* name, const Side& side,
                 TensorRole role, Index mn, std::optional<BlockValues>& numbers) {
  bound.numbers.push_back({role, name, array_of(object, name)});
  numbers = numbers_of(name, bound.numbers.back().array, side, bound.problem, mn);
}

}  // namespace

void check_block(const Side& side) {
  const bool is_array = !side.zero.is_none() && !is_number(side.zero);
  if (side.block.empty() || !side.scale.is_none() || is_array || side.packed != nullptr) return;
  refuse(ErrorCode::unsupported, side.tensor == TensorRole::a ? "block_a" : "block_b", side.block,
         std::string(side.scale_name) + " or " + side.zero_name +
             " must have a number for each block, or it be left out");
}

OperandScale scale_of(Bound& bound, const Side& side, Index mn) {
  OperandScale scale;
  check_block(side);
  const bool is_a = side.tensor == TensorRole::a;
  const bool is_packed = side.packed != nullptr;
  if (is_packed) add_packed_numbers(scale, side, bound.problem, mn);
  if (!is_packed && !side.scale.is_none())
    add_numbers(bound, side.scale, side.scale_name, side,
                is_a ? TensorRole::scale_a : TensorRole::scale_b, mn, scale.scale);
  if (is_number(side.zero))
    scale.offset = to_number(side.zero, side.zero_name);
  else if (!is_packed && !side.zero.is_none())
    add_numbers(bound, side.zero, side.zero_name, side,
                is_a ? TensorRole::zero_a : TensorRole::zero_b, mn, scale.zero);
  return scale;
}

DType usual_result(const Problem& problem) {
  const bool is_a = width_bits(problem.a.type) >= width_bits(problem.b.type);
  const DType wider = is_a ? problem.a.type : problem.b.type;
  if (width_bits(wider) >= 16) return wider;
  const bool are_integers = is_integer(problem.a.type) && is_integer(problem.b.type) &&
                            is_plain(problem.scale_a) && is_plain(problem.scale_b);
  return are_integers ? DType::s32 : DType::f32;
}

namespace {

/// Which axes are which; reads the list of groups.
GroupedAxes read_axes(Bound& bound, const GroupWords& words) {
  constexpr Axes kOne{0, 0, 1};
  if (!words.are_said() && words.expected != 0)
    refuse(ErrorCode::unsupported, "expected", std::to_string(words.expected),
           "it must be left out where there are no groups: offs, counts or row_groups say them",
           "0");
  if (!words.are_said()) return {2, 2, GroupKind::rows, kOne, kOne, kOne};
  const GroupedAxes& axes = axes_of_groups(bound.a, bound.b);
  Groups groups{.kind = axes.kind, .expected = words.expected};
  bound.problem.batch = read_groups(bound, axes, words.lists, groups);
  bound.problem.groups = groups;
  return axes;
}

}  // namespace

Bound bind_scaled(Wish& wish, const Operands& operands, Side& of_a, Side& of_b,
                  const nb::object& stage_as, const GroupWords& words) {
  Bound bound;
  const int most_axes = words.are_said() ? 3 : 2;
  Read a = read(of_a, most_axes), b = read(of_b, most_axes);
  of_a.rank = a.bytes.rank, of_b.rank = b.bytes.rank;
  const auto k_of = [](const Side& side, const Array& array) {
    return array.extent[k_axis(side, array)];
  };
  cut_halves(of_a, a.elements, k_of(of_b, b.elements));
  cut_halves(of_b, b.elements, k_of(of_a, a.elements));
  bound.a = a.elements, bound.b = b.elements;
  const GroupedAxes axes = read_axes(bound, words);
  bound.a = a.bytes, bound.b = b.bytes;
  const MatrixView view_a = view_of(a.elements, axes.a), view_b = view_of(b.elements, axes.b);
  Problem& problem = bound.problem;
  problem.m = view_a.rows.extent, problem.n = view_b.cols.extent, problem.k = view_a.cols.extent;
  problem.m_range = wish.m_range;
  if (view_b.rows.extent != problem.k)
    refuse_shape("b", b.elements.extents(),
                 "it must have as many rows as a has columns (" + std::to_string(problem.k) + ")",
                 {problem.k, problem.n});
  if (problem.groups) check_row_groups(bound, *problem.groups, problem.m);
  problem.a = plain_operand(view_a, a.elements, "a");
  problem.b = plain_operand(view_b, b.elements, "b");
  problem.scale_a = scale_of(bound, of_a, problem.m);
  problem.scale_b = scale_of(bound, of_b, problem.n);
  if (!stage_as.is_none()) problem.staged = to_dtype(stage_as);
  if (!wish.out_dtype && operands.out.is_none()) wish.out_dtype = usual_result(problem);
  Extents shape;
  if (axes.d.batch > 0) shape.push_back(problem.batch);
  shape.push_back(problem.m);
  shape.push_back(problem.n);
  bound.d = output_array(wish, operands, bound.a, shape, bound.out);
  problem.c = problem.d = plain_operand(view_of(bound.d, axes.d), bound.d, "out");
  bound.has_c = !operands.c.is_none();
  if (bound.has_c) {
    bound.c = array_of(operands.c, "c", wish.out_dtype);
    check_shape("c", bound.c, shape);
    problem.c = plain_operand(view_of(bound.c, axes.d), bound.c, "c");
  }
  finish(bound, wish, operands);
  bound.args.m = problem.m;
  if (problem.groups) bound.args.ends = bound.list.address;
  return bound;
}

}  // namespace jute::python
