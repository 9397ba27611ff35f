// Declares, addresses, reads and writes an epilogue's own operands.
#include "codegen/epilogue_operands.hpp"

#include <jute/emit/constants.hpp>
#include <jute/emit/copy_functions.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <algorithm>
#include <vector>

#include "base/format.hpp"
#include "codegen/bits.hpp"

namespace jute::codegen {
namespace {

/// An operand and the kernel's words for it.
struct Word {
  const EpilogueOperandPlan* plan;
  std::string name;  ///< in0
  std::string type;  ///< ElemIn0
  std::size_t place;
  bool is_input;
  bool has_landed = false;  ///< in subtiles of D
  [[nodiscard]] BitMatrix bits() const { return {*plan, place, is_input}; }
};

std::vector<Word> words(const GemmStep& step) {
  std::vector<Word> list;
  const auto add = [&](const std::vector<EpilogueOperandPlan>& plans, bool is_input) {
    for (size_t i = 0; i < plans.size(); ++i) {
      if (is_d(plans[i])) continue;
      const int place = static_cast<int>(i);
      const TensorRole role = is_input ? input_role(place) : output_role(place);
      list.push_back({&plans[i], std::string(name(role)),
                      base::format("Elem{}{}", is_input ? "In" : "Out", place), i, is_input,
                      is_input && step.epilogue.drain && step.epilogue.drain->input == place});
    }
  };
  add(step.epilogue.inputs, true);
  add(step.epilogue.outputs, false);
  return list;
}

/// The operands that a thread reads and writes with elements of D.
std::vector<Word> streamed(const GemmStep& step) {
  std::vector<Word> list = words(step);
  std::erase_if(list, [](const Word& word) {
    if (word.plan->extent == EpilogueExtent::blocks) return true;
    return word.plan->gather != EpilogueGather::elements || (word.plan->is_bits && !word.is_input);
  });
  return list;
}

bool is_scalar(const Word& word) { return word.plan->extent == EpilogueExtent::scalar; }
bool is_vector(const Word& word) { return word.plan->extent != EpilogueExtent::elements; }
bool is_staged(const Word& word) { return word.plan->staged.has_value(); }
bool is_per_row(const Word& word) { return word.plan->extent == EpilogueExtent::rows; }

/// Does the expression draw random words?
bool draws(const GemmStep& step) { return names(step.epilogue.expression, EpilogueOp::stochastic); }

/// Arguments for an element's random word: its place in the problem's D, and its matrix.
std::string drawn_by(const GemmStep& step, const std::string& row, const std::string& col) {
  if (!draws(step)) return {};
  const bool is_turned = step.transposed;
  return base::format(", static_cast<long long>({}) * {} + ({}), matrix", is_turned ? col : row,
                      is_turned ? "m" : "n", is_turned ? row : col);
}

/// A text that names `begin`, of one element.
std::string at_element(std::string text, std::string_view at) {
  constexpr std::string_view kBegin = "begin";
  if (const size_t place = text.find(kBegin); place != std::string::npos)
    text.replace(place, kBegin.size(), at);
  return text;
}

/// The name of the elements of a run.
std::string buffer(const Word& word) { return (word.is_input ? "from_" : "to_") + word.name; }
/// The value of a scalar.
std::string value(const Word& word) {
  return word.plan->by_value ? word.name : word.name + "_value";
}

/// Do threads read words of bits, those of a turn together?
bool is_in_words(const Word& word) { return word.plan->packed.has_value(); }
/// A word a turn ahead, which is a few registers; bytes of many words are read when they are
/// needed.
bool is_ahead(const Word& word) {
  constexpr int kBitsOfRegister = 32;
  return is_in_words(word) ? word.plan->packed->bits == kBitsOfRegister
                           : !word.plan->is_bits && !is_staged(word);
}
/// The type that the expression takes an operand in, and the type that a run holds.
std::string taken_type(const Word& word) { return word.plan->is_bits ? "bool" : word.type; }
std::string held_type(const Word& word) {
  return is_in_words(word) ? "unsigned" : taken_type(word);
}
std::string value_type(const Word& word) {
  return word.plan->is_bits ? "bool" : compute_type(computed_type(word.plan->type));
}

/// Elements from the operand's first one of the matrix.
std::string offset(const Word& word, std::string_view row, std::string_view col) {
  if (word.plan->extent == EpilogueExtent::rows) return std::string(row);
  if (word.plan->extent == EpilogueExtent::columns) return std::string(col);
  const bool by_rows = word.plan->order == Order::row;
  return base::format("static_cast<long long>({}) * ld_{} + {}", by_rows ? row : col, word.name,
                      by_rows ? col : row);
}

/// Elements of `begin` that exist; of what has come to shared memory all.
std::string left_of(const Word& word, const Run& run) {
  if (is_staged(word)) return run.count;
  const bool any_row = word.plan->extent == EpilogueExtent::columns && !run.left_of_column.empty();
  if (any_row) return run.left_of_column;
  return is_per_row(word) ? run.row_exists : run.left;
}

/// One value of a run serves all of its elements.
bool is_shared(const Word& word, const Run& run) { return is_per_row(word) && run.one_row; }

/// One of the pieces that move a run, filled but for the buffer.
Piece run_piece(const TemplateSet& templates, const char* path, const Word& word, const Run& run) {
  Piece piece(templates, path);
  piece.fill("name", word.plan->name)
      .fill("type", word.type)
      .fill("count", is_shared(word, run) ? "1" : run.count)
      .fill("elems", word.plan->vector_elems)
      .fill("place", word.name + "_thread + " + offset(word, run.row, run.col))
      .fill("left", left_of(word, run))
      .fill("buffer", buffer(word) + run.turn);
  return piece;
}

/// A bit, by its row and column in D.
std::string bit_in_memory(const Word& word, const std::string& row, const std::string& col) {
  const bool by_rows = word.plan->order == Order::row, is_line = is_vector(word);
  const std::string line =
      base::format("static_cast<long long>({}) * ld_{} + ", by_rows ? row : col, word.name);
  return base::format("({0}_thread[{1}({2}) / 8] >> ({2}) % 8 & 1) != 0", word.name,
                      is_line ? "" : line, by_rows ? col : row);
}

std::string bit_reads(const TemplateSet& templates, const Word& word, const Run& run) {
  return Piece(templates, "epilogue/bits.cu (read)")
      .fill("name", word.plan->name)
      .fill("count", is_shared(word, run) ? "1" : run.count)
      .fill("left", left_of(word, run))
      .fill("bit",
            bit_in_memory(word, run.first_row + " + " + run.row, run.first_col + " + " + run.col))
      .fill("buffer", buffer(word) + run.turn)
      .text();
}

}  // namespace

std::string c_source(const TemplateSet& templates, const EpiloguePlan& out) {
  if (c_read(out.expression) == CRead::never || out.c_view) return {};
  const char* const lies = out.c_order == Order::row ? "rows" : "columns";
  return Piece(templates, base::format("epilogue/c.cu (source by {})", lies)).text();
}

std::string c_reads(const EpiloguePlan& out, Piece& loads) {
  if (c_read(out.expression) == CRead::never) return {};
  const bool asks = c_read(out.expression, out.beta) == CRead::unless_beta_is_zero;
  return loads.fill("unless", asks ? "; beta = 0 never reads C" : "")
      .fill("factor", asks ? "Compute beta; " : "")
      .fill("when", asks ? "if (beta != 0) " : "")
      .text();
}

bool has_operands(const GemmStep& step) {
  return !std::ranges::all_of(streamed(step), &Word::has_landed);
}

Piece landing_piece(const TemplateSet& templates, const GemmStep& step, const char* piece) {
  const std::optional<int>& input = step.epilogue.drain->input;
  Piece result(templates, base::format("specialised/subtile_c.cu ({})", piece));
  result.fill("what", input ? step.epilogue.inputs.at(static_cast<size_t>(*input)).name : "C");
  result.fill_if("load", step.epilogue.drain->c_map ? "load_box_c" : "load_box");
  if (!result.has_hole("lands")) return result;
  const bool asks =
      !input && c_read(step.epilogue.expression, step.epilogue.beta) == CRead::unless_beta_is_zero;
  result.fill("factor", asks ? "Compute beta; " : "").fill("lands", asks ? "beta != 0 && " : "");
  return result;
}

std::string operand_types(const GemmStep& step) {
  std::string text;
  for (const Word& word : words(step)) {
    if (!word.plan->by_value) text += alias(word.type, name(word.plan->type));
    if (word.has_landed) text += alias("ElemC", word.type);
  }
  return text;
}

void add_operand_types(std::set<DType>& used, const GemmStep& step) {
  for (const Word& word : words(step))
    if (!word.plan->by_value) used.insert(word.plan->type);
}

std::string output_conversions(const TemplateSet& templates, const GemmStep& step) {
  std::set<DType> stored;
  for (const EpilogueOperandPlan& output : step.epilogue.outputs)
    stored.insert(is_d(output) ? step.epilogue.d_type : output.type);
  return conversions(templates, std::move(stored), step.epilogue.compute, step.arch);
}

std::string operand_parameters(const GemmStep& step) {
  std::string text;
  for (const Word& word : streamed(step))
    text += is_scalar(word) ? base::format(", {} {}", value_type(word), word.name)
            : word.is_input ? base::format(", const {}& {}", taken_type(word), word.name)
                            : base::format(", {}& {}", word.type, word.name);
  return draws(step) ? text + ", long long place, int batch_of_place" : text;
}

std::string scalar_inputs(const GemmStep& step, bool are_parameters) {
  std::string text;
  for (const Word& word : streamed(step))
    if (is_scalar(word))
      text += are_parameters ? base::format(", {} {}", value_type(word), word.name)
                             : ", " + value(word);
  return text;
}

std::vector<std::string> operand_values(const GemmStep& step) {
  std::vector<std::string> values;
  for (const Word& word : words(step)) {
    if (!word.is_input) continue;
    const std::string value =
        is_scalar(word) ? word.name : base::format("to_compute({})", word.name);
    values.push_back(word.plan->is_bits ? word.name
                                        : computed(step.epilogue.compute, word.plan->type, value));
  }
  return values;
}

std::string output_statement(std::size_t place, const std::string& value) {
  return call("from_compute",
              base::format("{}, &{}", value, name(output_role(static_cast<int>(place)))));
}

std::string scalar_value(const EpilogueOperandPlan& scalar, std::string_view element) {
  return scalar.is_bits ? base::format("({} & 1) != 0", element)
                        : base::format("to_compute({})", element);
}

std::string operand_sources(const GemmStep& step, std::string_view row, std::string_view col) {
  std::string text;
  for (const Word& word : streamed(step)) {
    if (word.plan->by_value || word.has_landed) continue;
    const std::string matrix = base::format("{0} + matrix * batch_stride_{0}", word.name);
    if (is_scalar(word))
      text += base::format("const {} {}_value = {};\n", value_type(word), word.name,
                           scalar_value(*word.plan, base::format("*({})", matrix)));
    else if (!is_staged(word))
      text += base::format("{}{}* const {}_thread = {} + {};\n", word.is_input ? "const " : "",
                           word.type, word.name, matrix,
                           word.plan->is_bits ? "0" : offset(word, row, col));
  }
  return text;
}

std::string operand_arrays(const GemmStep& step, const Run& run, std::string_view many) {
  std::string text;
  for (const Word& word : streamed(step))
    if (!is_scalar(word) && !word.has_landed)
      text += base::format("{} {}{}[{}];\n", held_type(word), buffer(word), many,
                           is_in_words(word)      ? base::format("kTurnWordsIn{}", word.place)
                           : is_shared(word, run) ? "1"
                                                  : run.count);
  return text;
}

std::string input_reads(const TemplateSet& templates, const GemmStep& step, const Run& run,
                        Inputs which) {
  std::string text;
  for (const Word& word : streamed(step)) {
    if (!word.is_input || is_scalar(word) || word.has_landed) continue;
    if (which == (is_ahead(word) ? Inputs::at_once : Inputs::ahead)) continue;
    text += is_in_words(word) ? read_words(templates, step, word.bits())
                                    .fill("buffer", buffer(word) + run.turn)
                                    .text()
            : word.plan->is_bits
                ? bit_reads(templates, word, run)
                : run_piece(templates, "epilogue/inputs.cu (read)", word, run).text();
  }
  return text;
}

std::string staged_vectors(const TemplateSet& templates, const GemmStep& step, const char* piece) {
  std::string text;
  for (const Word& word : streamed(step)) {
    if (!is_staged(word)) continue;
    const bool by_rows = is_per_row(word);
    const std::string first = by_rows ? "first_m" : "first_n";
    Piece result(templates, base::format("epilogue/inputs.cu ({})", piece));
    result.fill("elems", word.plan->vector_elems)
        .fill("extent", by_rows ? "kTileM" : "kTileN")
        .fill("name", word.name)
        .fill_if("type", word.type)
        .fill_if("source", base::format("{0} + matrix * batch_stride_{0} + {1}", word.name, first))
        .fill_if("left", (by_rows ? "m - " : "n - ") + first)
        .fill_if("offset", std::to_string(*word.plan->staged))
        .fill_if("mine", (by_rows ? "in_row - " : "in_col - ") + first);
    text += result.text();
  }
  return text;
}

std::string output_writes(const TemplateSet& templates, const GemmStep& step, const Run& run) {
  std::string text;
  for (const Word& word : streamed(step))
    if (!word.is_input) text += run_piece(templates, "epilogue/write_output.cu", word, run).text();
  return text;
}

std::string run_arguments(const GemmStep& step, const Run& run, std::string_view at) {
  std::string text;
  for (const Word& word : streamed(step))
    text +=
        ", " +
        (is_scalar(word)   ? value(word)
         : word.has_landed ? run.landed
         : is_in_words(word)
             ? base::format("({}[{}] >> {} & 1) != 0", buffer(word) + run.turn,
                            word_text(word.bits(), base::format("turn * kSubtileElems + {}", at)),
                            bit_text(word.bits(), base::format("turn * kSubtileElems + {}", at)))
             : base::format("{}{}[{}]", buffer(word), run.turn, is_shared(word, run) ? "0" : at));
  return text + drawn_by(step, run.first_row + " + " + at_element(run.row, at),
                         run.first_col + " + " + at_element(run.col, at));
}

std::string single_arguments(const GemmStep& step, std::string_view row, std::string_view col) {
  std::string text;
  for (const Word& word : streamed(step)) {
    const std::string place = base::format("{}_thread[{}]", word.name, offset(word, row, col));
    if (is_scalar(word))
      text += ", " + value(word);
    else if (word.plan->is_bits)
      text += ", " + bit_in_memory(word, base::format("out_row + {}", row),
                                   base::format("out_col + {}", col));
    else
      text += ", " + place;
  }
  return text +
         drawn_by(step, base::format("out_row + {}", row), base::format("out_col + {}", col));
}

}  // namespace jute::codegen
