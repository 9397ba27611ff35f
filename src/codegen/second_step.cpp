// Writes the expression over what the product has left, and where scales of rows or of all of D
// lie.
#include "codegen/second_step.hpp"

#include <jute/emit/constants.hpp>
#include <jute/emit/copy_functions.hpp>
#include <jute/emit/piece.hpp>
#include <jute/epilogue/cuda_text.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <algorithm>
#include <set>

#include "base/format.hpp"
#include "codegen/epilogue_operands.hpp"

namespace jute::codegen {

namespace {

const Move& move_of_d(const MoveStep& step) { return step.moves.front(); }

/// Do rows of the copy run along those of D?
bool runs_along_rows(const Move& move) { return !move.transposed; }

/// The row and the column of D that a thread is at.
struct PlaceInD {
  std::string row, column, columns;
};
PlaceInD place_in_d(const Move& move) {
  if (runs_along_rows(move)) return {"row", "at", "d_inner"};
  return {"at", "row", "d_outer"};
}

/// A scalar where the kernel has it: a parameter, or an element of memory.
std::string element_of_scalar(const MoveStep& step, size_t place, std::string_view matrix) {
  const std::string word(name(input_role(static_cast<int>(place))));
  return step.scalars[place].by_value ? word
                                      : base::format("{0}[{1} * batch_stride_{0}]", word, matrix);
}

/// A scalar, or for a seed the element's random word.
std::string scaling_scalar(const MoveStep& step, size_t place, std::string& words) {
  if (!is_seed(move_of_d(step).scaling->expression, place))
    return scalar_of_move(step, place, "matrix");
  const PlaceInD at = place_in_d(move_of_d(step));
  words += base::format(
      "const unsigned random{} = random_word({}, static_cast<long long>({}) * {} + {}, matrix);\n",
      place, element_of_scalar(step, place, "matrix"), at.row, at.columns, at.column);
  return base::format("random{}", place);
}

EpilogueCudaText scaled_text(const MoveStep& step) {
  const EpilogueExpression& expression = move_of_d(step).scaling->expression;
  EpilogueSpelling spelling;
  std::string words;
  for (size_t i = 0; i < step.scalars.size(); ++i)
    spelling.inputs.push_back(scaling_scalar(step, i, words));
  EpilogueCudaText text =
      cuda_text(arithmetic_of(expression), step.compute, spelling, step.accuracy);
  if (!words.empty())
    text.functions.insert(text.functions.begin(), "epilogue/functions.cu (random_word)");
  text.lines.insert(0, words);
  return text;
}

}  // namespace

std::string scalar_of_move(const MoveStep& step, size_t place, std::string_view matrix) {
  const EpilogueOperandPlan& scalar = step.scalars[place];
  const std::string element = element_of_scalar(step, place, matrix);
  if (scalar.by_value) return computed(step.compute, scalar.type, element);
  const std::string value = scalar_value(scalar, element);
  return scalar.is_bits ? "(" + value + ")" : computed(step.compute, scalar.type, value);
}

std::string scaling_types(const TemplateSet& templates, const MoveStep& step) {
  const Move& move = move_of_d(step);
  std::set<DType> types{move.type}, stored{move.type};
  std::string names = alias("ElemD", name(move.type));
  for (size_t i = 0; i < step.scalars.size(); ++i) {
    types.insert(step.scalars[i].type);
    if (!step.scalars[i].by_value)
      names += alias(base::format("ElemIn{}", i), name(step.scalars[i].type));
  }
  for (size_t i = 0; i < move.scaling->outputs.size(); ++i) {
    if (is_d(move.scaling->expression.outputs[i])) continue;
    const BlockOutput& output = move.scaling->outputs[i];
    stored.insert(output.type);
    names += alias(base::format("ElemOut{}", place_of_output(output.tensor)), name(output.type));
  }
  types.insert(stored.begin(), stored.end());
  std::string text;
  for (const DType type : types) text += "\n" + element_type(templates, type, step.arch);
  text += conversions(templates, std::move(stored), step.compute, step.arch) +
          alias("Compute", compute_type(step.compute)) + names;
  for (const std::string& function : scaled_text(step).functions)
    text += Piece(templates, function).text();
  return text;
}

std::string scaling_turn(const TemplateSet& templates, const MoveStep& step) {
  const Move& move = move_of_d(step);
  const BlockScaling& scaling = *move.scaling;
  const EpilogueCudaText text = scaled_text(step);
  const PlaceInD at = place_in_d(move);
  const bool is_of_rows = scaling.lines != Count(1);
  std::string value, outputs;
  for (size_t i = 0; i < scaling.outputs.size(); ++i) {
    if (is_d(scaling.expression.outputs[i])) {
      value = text.values[i];
      continue;
    }
    const BlockOutput& output = scaling.outputs[i];
    const Index place = place_of_output(output.tensor);
    const std::string first = at.column + " == 0" + (is_of_rows ? "" : " && " + at.row + " == 0");
    const std::string line = !is_of_rows ? std::string("0")
                             : output.order == Order::row
                                 ? base::format("{} * ld_out{}", at.row, place)
                                 : at.row;
    outputs += Piece(templates, "move/convert.cu (of a block)")
                   .fill("name", scaling.expression.outputs[i].name)
                   .fill("place", place)
                   .fill("first", first)
                   .fill("line", line)
                   .fill("value", text.values[i])
                   .text();
  }
  return Piece(templates, "move/convert.cu (scaled)")
      .fill("elems", Index{move.access_bytes / width_bytes(move.type)})
      .fill("line", is_of_rows ? at.row : std::string("0"))
      .fill("lines", text.lines)
      .fill("value", value)
      .fill("outputs", outputs)
      .text();
}

}  // namespace jute::codegen
