// Reads arrays of scaled operands: what their elements are, and which blocks share a number.
#include "scaled_operands.hpp"

#include <jute/host/operands.hpp>

namespace jute::python {

namespace {

constexpr Index kOfByte = 2;  // elements of 4 bits

/// The matrices of a (…,M,K) or b (…,K,N).
std::size_t k_axis(const Side& side, const Array& array) {
  return static_cast<std::size_t>(array.rank - (side.tensor == TensorRole::a ? 1 : 2));
}

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

Read read(const Side& side, nb::handle object, int most_axes) {
  const bool is_halves = side.type && width_bits(*side.type) < 8;
  const Array bytes = side.packed != nullptr
                          ? side.packed->form
                          : array_of(object, side.name, is_halves ? DType::u8 : side.type);
  if (bytes.rank < 2 || bytes.rank > most_axes)
    refuse(ErrorCode::wrong_arity, side.name, std::to_string(bytes.rank) + " axes",
           "a scaled operand must have 2 axes, of groups 2 or 3", "2 axes");
  return {bytes, elements_of(side, bytes, side.type.value_or(bytes.type))};
}

std::pair<Read, Read> read_scaled(const Operands& operands) {
  if (!operands.lists.are_said() && operands.expected != 0)
    refuse(ErrorCode::unsupported, "expected", std::to_string(operands.expected),
           "it must be left out where there are no groups: offs, counts or row_groups say them",
           "0");
  const int most_axes = operands.lists.are_said() ? 3 : 2;
  Read a = read(operands.side_a, operands.a, most_axes),
       b = read(operands.side_b, operands.b, most_axes);
  const auto k_of = [](const Side& side, const Array& array) {
    return array.extent[k_axis(side, array)];
  };
  const Index k_of_a = k_of(operands.side_a, a.elements),
              k_of_b = k_of(operands.side_b, b.elements);
  cut_halves(operands.side_a, a.elements, k_of_b);
  cut_halves(operands.side_b, b.elements, k_of_a);
  return {a, b};
}

void cut_halves(const Side& side, Array& array, Index k_of_other) {
  Index& k = array.extent[k_axis(side, array)];
  if (width_bits(array.type) < 8 && k == k_of_other + 1) k = k_of_other;
}

Index block_along(const char* name, const char* dimension, Index extent, Index count, Index asked) {
  if (const auto block = block_of_numbers(extent, count, asked)) return *block;
  refuse(ErrorCode::not_compatible, name, std::to_string(count) + " along " + dimension,
         asked == 0 ? "it must have a number for each block of the " + std::to_string(extent) +
                          " elements; where the last block is short, block_a or block_b says \"" +
                          "1x128\""
                    : "it must have a number for each block of " + std::to_string(asked) +
                          " elements, the last of which may be short",
         std::to_string(asked == 0 ? 1 : ceil_div(extent, asked)));
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
                       const Problem& problem, int rank) {
  const bool is_a = side.tensor == TensorRole::a;
  const Axes axes = axes_of_numbers(name, array, is_a, rank);
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
  const Index mn = is_a ? problem.m : problem.n;
  numbers.block = {block_along(name, is_a ? "M" : "N", mn, of_mn, asked.mn),
                   block_along(name, "K", problem.k, of_k, asked.k)};
  return numbers;
}

}  // namespace

void check_block(const Side& side) {
  const bool is_array = !side.zero.is_none() && !is_number(side.zero);
  if (side.block.empty() || !side.scale.is_none() || is_array || side.packed != nullptr) return;
  refuse(ErrorCode::unsupported, side.tensor == TensorRole::a ? "block_a" : "block_b", side.block,
         std::string(side.scale_name) + " or " + side.zero_name +
             " must have a number for each block, or it be left out");
}

namespace {

/// An operand's numbers for the problem, whose arrays `bound` gets; what has been packed no run
/// reads again.
OperandScale scale_of(Bound& bound, const Side& side, int rank) {
  OperandScale scale;
  check_block(side);
  const bool is_a = side.tensor == TensorRole::a;
  std::vector<BoundArray> numbers;
  if (side.packed != nullptr) {
    numbers = side.packed->numbers;
  } else {
    if (!side.scale.is_none())
      numbers.push_back({is_a ? TensorRole::scale_a : TensorRole::scale_b, side.scale_name,
                         array_of(side.scale, side.scale_name)});
    if (!side.zero.is_none() && !is_number(side.zero))
      numbers.push_back({is_a ? TensorRole::zero_a : TensorRole::zero_b, side.zero_name,
                         array_of(side.zero, side.zero_name)});
    bound.arrays.insert(bound.arrays.end(), numbers.begin(), numbers.end());
  }
  for (const BoundArray& one : numbers) {
    const bool is_scale = one.role == TensorRole::scale_a || one.role == TensorRole::scale_b;
    (is_scale ? scale.scale : scale.zero) =
        numbers_of(one.name, one.array, side, bound.problem, rank);
  }
  if (is_number(side.zero)) scale.offset = to_number(side.zero, side.zero_name);
  return scale;
}

}  // namespace

void add_scales(Bound& bound, const Operands& operands, int rank_of_a, int rank_of_b) {
  bound.problem.scale_a = scale_of(bound, operands.side_a, rank_of_a);
  bound.problem.scale_b = scale_of(bound, operands.side_b, rank_of_b);
  bound.problem.staged = operands.stage_as;
}

DType usual_result(const Problem& problem) {
  const bool is_a = width_bits(problem.a.type) >= width_bits(problem.b.type);
  const DType wider = is_a ? problem.a.type : problem.b.type;
  if (width_bits(wider) >= 16) return wider;
  const bool are_integers = is_integer(problem.a.type) && is_integer(problem.b.type) &&
                            is_plain(problem.scale_a) && is_plain(problem.scale_b);
  return are_integers ? DType::s32 : DType::f32;
}

}  // namespace jute::python
