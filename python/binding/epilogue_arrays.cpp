// Arrays that an epilogue reads and writes beside C and D.
#include <algorithm>

#include "product.hpp"

namespace jute::python {

namespace {

/// The shape that its array has, behind a batch.
Extents shape_of(EpilogueExtent extent, const Problem& problem) {
  switch (extent) {
    case EpilogueExtent::rows:
      return {problem.m};
    case EpilogueExtent::columns:
      return {problem.n};
    case EpilogueExtent::elements:
      return {problem.m, problem.n};
    case EpilogueExtent::blocks: {
      const EpilogueBlock block = block_of(problem.epilogue->expression);
      return {ceil_div(problem.m, Index{block.m}), ceil_div(problem.n, Index{block.n})};
    }
    case EpilogueExtent::scalar:
      break;
  }
  return {};
}

/// How an array of such an extent lies; vectors and what is packed in bits are contiguous.
Matrix named_matrix(const Array& array, EpilogueExtent extent, bool is_bits, const Problem& problem,
                    const char* name) {
  const Extents wanted = shape_of(extent, problem);
  const int inner = static_cast<int>(wanted.size());
  const int first = array.rank - inner;
  Axes axes{first, {}, {}};
  if (extent == EpilogueExtent::rows || extent >= EpilogueExtent::elements) axes.rows = first;
  if (extent == EpilogueExtent::columns || extent >= EpilogueExtent::elements)
    axes.cols = array.rank - 1;
  const Extents own(array.extents().subspan(static_cast<std::size_t>(std::max(first, 0))));
  const bool is_one = is_cut(problem, extent);  // groups have parts of it
  if (first < 0 || (is_one && first > 0) || (own != wanted && !is_bits))
    refuse_shape(name, array.extents(), "it must have the shape that the epilogue says", wanted);
  const MatrixView view = view_of(array, axes);
  const Index batch = view.batch.extent();
  if (first > 0 && batch != 1 && batch != problem.batch) {
    Extents nearest;
    if (problem.batch > 1) nearest.push_back(problem.batch);
    for (const Index each : wanted) nearest.push_back(each);
    refuse_shape(name, array.extents(), "it must have the shape that the epilogue says", nearest);
  }
  const bool is_vector = inner == 1;
  if (is_vector && own[0] > 1 && array.stride[static_cast<std::size_t>(array.rank - 1)] != 1)
    refuse(ErrorCode::unsupported, name,
           "stride " + std::to_string(array.stride[static_cast<std::size_t>(array.rank - 1)]),
           "a vector of the epilogue must be contiguous", "1");
  Matrix matrix = plain_operand(view, array, name);
  if (batch <= 1 && problem.batch > 1) matrix.broadcast = true;
  return matrix;
}

void check_names(const nb::dict& given, const auto& named, const char* kind) {
  std::vector<std::string> known;
  for (const auto& one : named) known.push_back(one.name);
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (std::ranges::find(known, name) == known.end())
      refuse(ErrorCode::unknown_name, kind, name,
             std::string("it must be one of the epilogue's ") + kind, nearest_name(name, known));
  }
}

void add_inputs(Bound& bound, const Operands& operands) {
  Epilogue& epilogue = *bound.problem.epilogue;
  check_names(operands.inputs, epilogue.expression.inputs, "inputs");
  for (const EpilogueInput& input : epilogue.expression.inputs) {
    const char* name = input.name.c_str();
    if (!operands.inputs.contains(name))
      refuse(ErrorCode::wrong_arity, "inputs", name, "the epilogue reads it: it must be given");
    NamedArray named;
    named.object = operands.inputs[name];
    EpilogueOperand form = usual_operand(bound.problem, input);
    if (is_number(named.object)) {
      named.is_number = form.by_value = true;
      named.number = to_number(named.object, name);
    } else {
      named.array = array_of(named.object, name);
      const bool is_bits = is_of_bits(epilogue.expression, input);
      static_cast<Matrix&>(form) =
          named_matrix(named.array, input.extent, is_bits, bound.problem, name);
    }
    const std::size_t place = bound.inputs.size();
    bound.args.inputs[place] = {.base = named.array.address, .value = named.number};
    epilogue.inputs.push_back(form);
    bound.inputs.push_back(std::move(named));
  }
}

/// The shape of an output that is not given; bits lie by eight in bytes along D's rows.
nb::object new_output(const Bound& bound, const Operands& operands, const EpilogueOutput& output,
                      DType type) {
  const EpilogueExpression& expression = bound.problem.epilogue->expression;
  Extents shape = shape_of(output_extent(expression, output), bound.problem);
  if (is_of_bits(expression, output) && shape.size() > 0) {
    Index& columns = shape[shape.size() - 1];
    columns = (columns + 7) / 8;
  }
  Extents whole;
  const bool is_of_batch = bound.problem.groups
                               ? !is_cut(bound.problem, output_extent(expression, output))
                               : bound.problem.batch > 1;
  if (is_of_batch) whole.push_back(bound.problem.batch);
  for (const Index extent : shape) whole.push_back(extent);
  return new_array(operands.a, bound.a, type, whole);
}

void add_outputs(Bound& bound, const Operands& operands) {
  Epilogue& epilogue = *bound.problem.epilogue;
  check_names(operands.outputs, epilogue.expression.outputs, "outputs");
  for (const EpilogueOutput& output : epilogue.expression.outputs) {
    NamedArray named;
    EpilogueOperand form = usual_operand(bound.problem, output);
    if (output.name != "d") {
      const char* name = output.name.c_str();
      named.object = operands.outputs.contains(name)
                         ? nb::object(operands.outputs[name])
                         : new_output(bound, operands, output, form.type);
      named.is_made = !operands.outputs.contains(name);
      named.array = writable_array_of(named.object, name);
      static_cast<Matrix&>(form) =
          named_matrix(named.array, output_extent(epilogue.expression, output),
                       is_of_bits(epilogue.expression, output), bound.problem, name);
    }
    bound.args.outputs[bound.outputs.size()].base = named.array.address;
    epilogue.outputs.push_back(form);
    bound.outputs.push_back(std::move(named));
  }
}

}  // namespace

void add_epilogue_arrays(Bound& bound, const Operands& operands) {
  add_inputs(bound, operands);
  add_outputs(bound, operands);
}

}  // namespace jute::python
