// Inputs of an epilogue, from files or as numbers.
#include <jute/base/joined.hpp>
#include <jute/base/parsed_number.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/operand_extents.hpp>

#include <algorithm>
#include <utility>

#include "product/gemm_data.hpp"

namespace jute::command {
namespace {

std::vector<Index> shape_of_input(const Problem& problem, const EpilogueInput& input) {
  std::vector<Index> shape;
  const bool is_one = is_cut(problem, input.extent);
  if (!is_one && (input.batched || (input.extent == EpilogueExtent::elements && problem.batch > 1)))
    shape.push_back(problem.batch);
  const OperandExtents extents = extents_of(problem, input);
  const EpilogueExtent extent = input.extent;
  if (extent == EpilogueExtent::rows || extent == EpilogueExtent::elements)
    shape.push_back(extents.rows);
  if (extent == EpilogueExtent::columns || extent == EpilogueExtent::elements)
    shape.push_back(extents.cols);
  return shape;
}

std::string text_of(const std::vector<Index>& shape) {
  return "(" +
         joined(
             shape, [](Index extent) { return std::to_string(extent); }, ",") +
         ")";
}

/// As an expression names it, and what it has values for.
struct NamedExtent {
  EpilogueExtent extent;
  const char *index, *batched_index, *words;
};
constexpr NamedExtent kNamedExtents[] = {
    {EpilogueExtent::columns, "[n]", "[batch,n]", "one value a column"},
    {EpilogueExtent::rows, "[m]", "[batch,m]", "one value a row"},
    {EpilogueExtent::elements, "[m,n]", "[m,n]", "one value an element"},
    {EpilogueExtent::scalar, "", "[batch]", "one value"}};

/// A file has another shape than the input as it is named: another index may be meant.
[[noreturn]] void refuse_shape(const Problem& problem, const EpilogueInput& input,
                               const std::vector<Index>& shape, const std::string& path) {
  const std::string rule =
      input.name + " must have the shape " + text_of(shape_of_input(problem, input));
  EpilogueExpression expression = problem.epilogue->expression;
  const std::string asked = to_string(expression);
  EpilogueInput& other = expression.inputs[static_cast<size_t>(find_input(expression, input.name))];
  for (const NamedExtent& one : kNamedExtents)
    for (const bool batched : {false, true}) {
      if (batched && one.extent == EpilogueExtent::elements) continue;
      other.extent = one.extent;
      other.batched = batched;
      if (shape_of_input(problem, other) != shape) continue;
      refuse_data("--epilogue", asked,
                  rule + ", and " + path + " has " + text_of(shape) + ": " + one.words +
                      (batched ? " of each matrix" : "") + " must be written " + input.name +
                      (batched ? one.batched_index : one.index),
                  to_string(expression));
    }
  refuse_data(path, text_of(shape), rule);
}

/// Bytes of matrices of so many lines, of so many bytes, with lines and places in a line exchanged.
std::vector<std::byte> transposed(const std::vector<std::byte>& bytes, Index lines, Index length) {
  std::vector<std::byte> result;
  result.reserve(bytes.size());
  const auto matrix_bytes = static_cast<size_t>(lines * length);
  for (size_t first = 0; first < bytes.size(); first += matrix_bytes)
    for (Index at = 0; at < length; ++at)
      for (Index line = 0; line < lines; ++line)
        result.push_back(bytes[first + static_cast<size_t>(line * length + at)]);
  return result;
}

/// Eight neighbours are a byte along rows or along columns, as the shape tells; in which order the
/// file holds the bytes is another matter.
void take_packing(EpilogueOperand& bits, const Problem& problem, const EpilogueInput& input,
                  NpyArray& array) {
  const Order usual = bits.order;
  if (array.shape != shape_of_input(problem, input))
    bits.order = usual == Order::row ? Order::col : Order::row;
  const bool fits = array.shape == shape_of_input(problem, input);
  if (!fits) bits.order = usual;
  const bool by_columns = bits.order == Order::col;
  if (!fits || input.extent != EpilogueExtent::elements || array.fortran_order == by_columns)
    return;
  const OperandExtents extents = extents_of(problem, input);
  array.bytes = by_columns ? transposed(array.bytes, extents.rows, extents.cols)
                           : transposed(array.bytes, extents.cols, extents.rows);
}

/// An array of the shape that an input of the epilogue has; of a scalar any one element. A batch of
/// one may be none.
NpyArray shaped_input(EpilogueOperand& operand, const Problem& problem, const EpilogueInput& input,
                      const std::string& path) {
  NpyArray array = read_npy(path);
  Index count = 1;
  for (const Index extent : array.shape) count *= extent;
  // A matrix may lie by columns; whatever has a batch ahead may not.
  const size_t ranks_by_columns = input.extent == EpilogueExtent::elements ? 2 : 1;
  if (array.shape.size() > ranks_by_columns && array.fortran_order && count > 0)
    to_c_order(array, static_cast<Index>(array.bytes.size()) / count);
  const size_t rank = shape_of_input(problem, input).size();
  if (problem.batch == 1 && array.shape.size() == rank + 1 && array.shape[0] == 1)
    array.shape.erase(array.shape.begin());
  if (is_of_bits(problem.epilogue->expression, input)) take_packing(operand, problem, input, array);
  const std::vector<Index> expected = shape_of_input(problem, input);
  const bool is_one = expected.empty() && count == 1;
  if (array.shape != expected && !is_one) refuse_shape(problem, input, array.shape, path);
  return array;
}

/// Is the type of an input named, `bias=bf16`?
bool is_typed(const ProblemOptions& options, const std::string& name) {
  return std::ranges::any_of(options.input_types,
                             [&](const std::string& text) { return text.starts_with(name + "="); });
}

/// An input of the epilogue from a file. Its elements have the type that is asked for, else the
/// usual one where they may, else their own.
std::vector<std::byte> read_input(GemmData& data, std::size_t place, const std::string& path,
                                  const ProblemOptions& options) {
  const Problem& problem = data.problem;
  const EpilogueInput& input = problem.epilogue->expression.inputs[place];
  EpilogueOperand& operand = data.problem.epilogue->inputs[place];
  NpyArray array = shaped_input(operand, problem, input, path);
  const TypedName name{path, "--input-type " + input.name + "="};
  if (is_of_bits(problem.epilogue->expression, input)) {
    operand.type = element_type(array, operand.type, name);
    return std::move(array.bytes);
  }
  operand.order = array.fortran_order ? Order::col : Order::row;
  if (!is_typed(options, input.name)) {
    operand.type = usual_or_own_type(array, operand.type, name);
    return std::move(array.bytes);
  }
  if (const auto from = round_elements(array, operand.type))
    data.conversions.push_back({path, *from, operand.type});
  operand.type = element_type(array, operand.type, name);
  return std::move(array.bytes);
}

}  // namespace

void read_inputs(GemmData& data, const std::vector<std::string>& words,
                 const ProblemOptions& options) {
  const std::vector<std::string> names = input_names(data.problem);
  data.input_values.resize(names.size());
  for (const NamedWord& word : named_words("--input", words)) {
    const std::size_t place = place_of("--input", names, word.name);
    const auto number = parsed_number<double>(word.word);
    data.problem.epilogue->inputs[place].by_value = number.has_value();
    if (number)
      data.input_values[place] = *number;
    else
      data.memory[input_role(static_cast<int>(place))] =
          read_input(data, place, word.word, options);
  }
}

void require_inputs(const GemmData& data) {
  const std::vector<std::string> names = input_names(data.problem);
  const OperandBytes bytes = operand_bytes(data.problem);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const TensorRole role = input_role(static_cast<int>(i));
        static_cast<Index>(data.memory[role].size()) < bytes[role])
      refuse_data("--input", names[i],
                  "the epilogue reads " + names[i] + ": it must be given, as in --input " +
                      names[i] + "=" + names[i] + ".npy");
}

}  // namespace jute::command
