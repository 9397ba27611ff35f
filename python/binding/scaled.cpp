// Products of operands that count as (q - zero) * scale: elements of 4 bits, numbers of blocks.
#include <jute/epilogue/operations.hpp>
#include <jute/epilogue/quantise.hpp>

#include "calls.hpp"
#include "module.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

constexpr Index kOfByte = 2;  // elements of 4 bits

/// What a call says of one operand.
struct Side {
  const char *name, *scale_name, *zero_name;
  TensorRole tensor;
  nb::handle array;
  nb::object scale, zero;
  std::string block;
  nb::object type;
};

int k_axis(const Side& side) { return side.tensor == TensorRole::a ? 1 : 0; }

/// The array as elements: of 4 bits a byte's halves are neighbours along K.
Array elements_of(const Side& side, const Array& bytes, DType type) {
  Array array = bytes;
  array.type = type;
  if (width_bits(type) >= 8) return array;
  const auto k = static_cast<std::size_t>(k_axis(side)), other = 1 - k;
  if (array.extent[k] > 1 && array.stride[k] != 1)
    refuse(ErrorCode::unsupported, side.name, "stride " + std::to_string(array.stride[k]),
           "elements of 4 bits must lie along K, two of them in a byte, the first in its low half",
           "1");
  array.extent[k] *= kOfByte;
  array.stride[other] *= kOfByte;
  return array;
}

/// Its bytes, which are what runs move, and its elements.
struct Read {
  Array bytes, elements;
};
Read read(const Side& side) {
  const std::optional<DType> type =
      side.type.is_none() ? std::nullopt : std::optional(to_dtype(side.type));
  const bool is_halves = type && width_bits(*type) < 8;
  const Array bytes = array_of(side.array, side.name, is_halves ? std::optional(DType::u8) : type);
  if (bytes.rank != 2)
    refuse(ErrorCode::wrong_arity, side.name, std::to_string(bytes.rank) + " axes",
           "a scaled operand must have 2 axes", "2 axes");
  if (!type && width_bits(bytes.type) < 8)
    refuse(ErrorCode::unsupported, side.name, std::string(name(bytes.type)),
           "elements of 4 bits must be two in a byte, whose type the call says",
           std::string(side.tensor == TensorRole::a ? "type_a=" : "type_b=") + "\"" +
               std::string(name(bytes.type)) + "\"");
  return {bytes, elements_of(side, bytes, type.value_or(bytes.type))};
}

/// The last byte of an odd K has one element.
void cut_halves(const Side& side, Array& array, Index k_of_other) {
  Index& k = array.extent[static_cast<std::size_t>(k_axis(side))];
  if (width_bits(array.type) < 8 && k == k_of_other + 1) k = k_of_other;
}

/// Elements of one block along a dimension with so many numbers.
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

BlockValues numbers_of(const char* name, const Array& array, const Side& side, Index mn, Index k) {
  const bool is_a = side.tensor == TensorRole::a;
  Index count = 1;
  for (const Index extent : array.extents()) count *= extent;
  if (array.rank > 2)
    refuse(ErrorCode::wrong_arity, name, std::to_string(array.rank) + " axes",
           "numbers of blocks must have its operand's 2 axes, or be a vector: one of each row of "
           "a, or each column of b",
           "2 axes");
  const bool is_vector = array.rank == 1 && count > 1;
  const Axes axes = count == 1 && array.rank < 2 ? Axes{}
                    : !is_vector                 ? Axes{0, 0, 1}
                    : is_a                       ? Axes{0, 0, {}}
                                                 : Axes{0, {}, 0};
  const MatrixView view = view_of(array, axes);
  const ValueBlock asked = side.block.empty() ? ValueBlock{} : parse_value_block(side.block);
  BlockValues numbers;
  static_cast<Matrix&>(numbers) = plain_operand(view, array, name);
  const Index of_mn = is_a ? view.rows.extent : view.cols.extent,
              of_k = is_a ? view.cols.extent : view.rows.extent;
  numbers.block = {block_along(name, is_a ? "M" : "N", mn, of_mn, asked.mn),
                   block_along(name, "K", k, of_k, asked.k)};
  return numbers;
}

/// Numbers that a run reads: the array, and what the problem knows of it.
void add_numbers(Bound& bound, const nb::object& object, const char* name, const Side& side,
                 TensorRole role, Index mn, std::optional<BlockValues>& numbers) {
  bound.numbers.push_back({role, name, array_of(object, name)});
  numbers = numbers_of(name, bound.numbers.back().array, side, mn, bound.problem.k);
}

OperandScale scale_of(Bound& bound, const Side& side, Index mn) {
  OperandScale scale;
  const bool is_a = side.tensor == TensorRole::a;
  if (!side.scale.is_none())
    add_numbers(bound, side.scale, side.scale_name, side,
                is_a ? TensorRole::scale_a : TensorRole::scale_b, mn, scale.scale);
  const bool is_number =
      nb::isinstance<nb::int_>(side.zero) || nb::isinstance<nb::float_>(side.zero);
  if (is_number)
    scale.offset = nb::cast<double>(side.zero);
  else if (!side.zero.is_none())
    add_numbers(bound, side.zero, side.zero_name, side,
                is_a ? TensorRole::zero_a : TensorRole::zero_b, mn, scale.zero);
  return scale;
}

/// Of a result that nobody says: the wider operand's type; f32 of narrow ones, s32 of integers that
/// are multiplied as such.
DType usual_result(const Problem& problem) {
  const bool is_a = width_bits(problem.a.type) >= width_bits(problem.b.type);
  const DType wider = is_a ? problem.a.type : problem.b.type;
  if (width_bits(wider) >= 16) return wider;
  const bool are_integers = is_integer(problem.a.type) && is_integer(problem.b.type) &&
                            is_plain(problem.scale_a) && is_plain(problem.scale_b);
  return are_integers ? DType::s32 : DType::f32;
}

Bound bind_scaled(Wish& wish, const Operands& operands, const Side& of_a, const Side& of_b,
                  const nb::object& stage_as) {
  Bound bound;
  Read a = read(of_a), b = read(of_b);
  cut_halves(of_a, a.elements, b.elements.extent[0]);
  cut_halves(of_b, b.elements, a.elements.extent[1]);
  bound.a = a.bytes, bound.b = b.bytes;
  const Axes axes{0, 0, 1};
  const MatrixView view_a = view_of(a.elements, axes), view_b = view_of(b.elements, axes);
  Problem& problem = bound.problem;
  problem.m = view_a.rows.extent, problem.n = view_b.cols.extent, problem.k = view_a.cols.extent;
  if (view_b.rows.extent != problem.k)
    refuse_shape("b", b.elements.extents(),
                 "it must have as many rows as a has columns (" + std::to_string(problem.k) + ")",
                 {problem.k, problem.n});
  problem.a = plain_operand(view_a, a.elements, "a");
  problem.b = plain_operand(view_b, b.elements, "b");
  problem.scale_a = scale_of(bound, of_a, problem.m);
  problem.scale_b = scale_of(bound, of_b, problem.n);
  if (!stage_as.is_none()) problem.staged = to_dtype(stage_as);
  if (!wish.out_dtype && operands.out.is_none()) wish.out_dtype = usual_result(problem);
  const Extents shape{problem.m, problem.n};
  bound.d = output_array(wish, operands, bound.a, shape, bound.out);
  problem.c = problem.d = plain_operand(view_of(bound.d, axes), bound.d, "out");
  bound.has_c = !operands.c.is_none();
  if (bound.has_c) {
    bound.c = array_of(operands.c, "c", wish.out_dtype);
    check_shape("c", bound.c, shape);
    problem.c = plain_operand(view_of(bound.c, axes), bound.c, "c");
  }
  finish(bound, wish, operands);
  return bound;
}

nb::object multiply_scaled(nb::handle a, nb::handle b, nb::object scale_a, nb::object scale_b,
                           nb::object zero_a, nb::object zero_b, const std::string& block_a,
                           const std::string& block_b, nb::object type_a, nb::object type_b,
                           nb::object stage_as, nb::object out, nb::object c, double alpha,
                           double beta, nb::object inputs, nb::object outputs, nb::object stream,
                           const std::string& epilogue, const std::string& config,
                           nb::object out_dtype) {
  Wish wish = wish_of({epilogue, "f32", config, nb::none(), std::move(out_dtype), nb::none()});
  const Side of_a{"a", "scale_a", "zero_a", TensorRole::a, a, scale_a, zero_a, block_a, type_a},
      of_b{"b", "scale_b", "zero_b", TensorRole::b, b, scale_b, zero_b, block_b, type_b};
  Bound bound = bind_scaled(wish,
                            {a, b, std::move(out), std::move(c), std::move(stream),
                             dict_or_empty(inputs), dict_or_empty(outputs), alpha, beta},
                            of_a, of_b, stage_as);
  check_gradients(bound, a, b);
  const std::shared_ptr<Prepared> prepared = prepared_for(wish, bound);
  run(bound, *prepared, a);
  return result_of(bound);
}

std::string quantised_text(const std::string& epilogue, int rows, int columns, nb::handle dtype) {
  return to_string(quantised(parse_epilogue(epilogue), {rows, columns}, to_dtype(dtype)));
}

std::string rounded_text(const std::string& epilogue, nb::handle dtype) {
  return to_string(rounded_by_seed(parse_epilogue(epilogue), to_dtype(dtype)));
}

}  // namespace

void add_scaled(nb::module_& core) {
  core.def("multiply_scaled", multiply_scaled, "a"_a, "b"_a, "scale_a"_a.none(), "scale_b"_a.none(),
           "zero_a"_a.none(), "zero_b"_a.none(), "block_a"_a, "block_b"_a, "type_a"_a.none(),
           "type_b"_a.none(), "stage_as"_a.none(), "out"_a.none(), "c"_a.none(), "alpha"_a,
           "beta"_a, "inputs"_a.none(), "outputs"_a.none(), "stream"_a.none(), "epilogue"_a,
           "config"_a, "out_dtype"_a.none());
  core.def("quantised", quantised_text, "epilogue"_a, "rows"_a, "columns"_a, "dtype"_a);
  core.def("rounded_by_seed", rounded_text, "epilogue"_a, "dtype"_a);
}

}  // namespace jute::python
