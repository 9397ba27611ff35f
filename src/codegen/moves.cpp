// A function for each operand's way, and which blocks call it.
#include <jute/base/checked.hpp>
#include <jute/emit/constants.hpp>
#include <jute/emit/copy_functions.hpp>
#include <jute/epilogue/cuda_text.hpp>
#include <jute/plan/ask/view_together.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include "base/format.hpp"
#include "codegen/conversions.hpp"
#include "codegen/epilogue_operands.hpp"
#include "codegen/frames.hpp"
#include "codegen/memory_words.hpp"
#include "codegen/parameters.hpp"
#include "codegen/second_step.hpp"
#include "codegen/views.hpp"

namespace jute::codegen {
namespace {

constexpr int kChunkBytes = 16, kChunksOfLane = 8;

/// The operand's letter in types.
std::string upper(const auto& move) { return capital(name(move.tensor)); }

/// A piece of `move/` for one operand.
Piece own(const TemplateSet& set, std::string path, const auto& move) {
  return lettered(set, std::move(path), name(move.tensor));
}

/// How squares of 16 bytes by 16 bytes change rows for columns.
std::string_view exchange_of(int width) {
  return width == 1 ? "bytes" : width == 2 ? "halves" : width == 4 ? "words" : "pairs";
}

std::string transposing_text(const TemplateSet& set, const Move& move) {
  const bool is_aligned = move.access_bytes == kChunkBytes;
  Piece piece = own(set, "move/transposed.cu", move);
  // Around 16 bytes that begin anywhere lie two chunks.
  piece.fill("whole", is_aligned ? "outer + kElems <= it.outer"
                                 : "outer >= kElems && outer + 2 * kElems <= it.outer");
  const auto part = [&](std::string_view name) {
    return own(set, base::format("move/transposed.cu ({})", name), move).text();
  };
  return part(is_aligned ? "aligned chunk" : "shifted chunk") + part("edge") +
         part(exchange_of(width_bytes(move.type))) + piece.text();
}

/// How what is read lands in the copy.
std::string store_text(const TemplateSet& set, const Move& move) {
  if (move.terms == 1) return own(set, "move/operand.cu (stores)", move).text();
  const int dropped = precision_bits(DType::f32) - precision_bits(move.copy_type);
  return own(set, "move/operand.cu (terms)", move)
      .fill("terms", move.terms)
      .fill("dropped", dropped)
      .text();
}

/// The argument of a View's functions where a run says its numbers.
std::string taken_numbers(const Move& move) {
  return move.view->numbers == ViewNumbers::run_time
             ? base::format("const Numbers{}&, ", upper(move))
             : std::string();
}

ViewTogether together_of(const Move& move) {
  return view_together(*move.view,
                       move.transposed ? RowsOfCopy::along_rows : RowsOfCopy::along_columns,
                       width_bytes(move.type), move.access_bytes);
}

/// Neighbours across the rows of the copy, in squares.
std::string squares_text(const TemplateSet& set, const Move& move, const ViewTogether& together) {
  const bool is_out = move.tensor == TensorRole::d;
  const auto& [unit, extent, lanes] = *together.across;
  return own(set, base::format("move/transposed.cu ({})", exchange_of(width_bytes(move.type))),
             move)
             .text() +
         own(set, "move/squares.cu", move)
             .fill("unit", unit)
             .fill("extent", extent > 0 ? std::to_string(extent)
                                        : std::string("(outer_end + kUnit - 1) / kUnit"))
             .fill("lanes", lanes)
             .text() +
         (is_out ? std::string() : own(set, "move/transposed.cu (edge)", move).text()) +
         own(set, is_out ? "move/squares.cu (out)" : "move/squares.cu (in)", move)
             .fill("bytes", together.elems * width_bytes(move.type))
             .fill("place", move.transposed ? "place, at.outer" : "at.outer, place")
             .text();
}

/// How a thread reads its chunk of the copy.
std::string read_text(const TemplateSet& set, const Move& move, const ViewTogether& together,
                      const std::string& place, const std::string& numbers) {
  if (together.step > 1) {
    const ViewModes modes = modes_of(*move.view);
    const std::vector<ViewMode>& inner = move.transposed ? modes.rows : modes.columns;
    const bool goes_on = inner.size() > 1;
    return own(set, "move/view.cu (steps)", move)
        .fill("place", place)
        .fill("step", together.step)
        .fill("within", goes_on ? base::format("first % {}", inner.front().extent) : "first")
        .fill("extent", goes_on ? std::to_string(inner.front().extent) : "it.inner")
        .text();
  }
  if (together.elems > 1)
    return own(set, "move/view.cu (runs)", move)
        .fill("place", place)
        .fill("run", together.elems)
        .text();
  return own(set, "move/view.cu (elements)", move)
      .fill("place", place)
      .fill("numbers", numbers)
      .fill("taken", taken_numbers(move))
      .text();
}

/// Threads that copy a row, by the View's own extents.
Index planned_segments(const Move& move) {
  const ViewModes modes = modes_of(*move.view);
  Index elems = 1;
  for (const ViewMode& mode : move.transposed ? modes.rows : modes.columns) elems *= mode.extent;
  return std::max<Index>(1, ceil_div(elems, kViewedChunks * kChunkBytes / width_bytes(move.type)));
}

/// A View's elements, whose rows and columns are the copy's or the other way round.
std::string viewed_text(const TemplateSet& set, const Move& move) {
  const bool is_out = move.tensor == TensorRole::d;
  const bool is_run_time = move.view->numbers == ViewNumbers::run_time;
  const std::string taken = taken_numbers(move),
                    place = std::string(is_run_time ? "its, " : "") +
                            (move.transposed ? "place, row" : "row, place"),
                    numbers = is_run_time ? taken.substr(0, taken.size() - 2) + " its, " : "";
  const std::string ahead =
      (is_out ? "" : store_text(set, move)) + element_function(set, name(move.tensor), *move.view);
  const ViewTogether together = together_of(move);
  if (together.across) return ahead + squares_text(set, move, together);
  Piece piece = own(set, is_out ? "move/view.cu (out)" : "move/view.cu", move);
  piece.fill("numbers", numbers).fill("taken", taken);
  if (is_out) return ahead + piece.fill("place", place).fill("run", together.elems).text();
  return ahead + read_text(set, move, together, place, numbers) +
         piece.fill("its", is_run_time ? "it, its" : "it")
             .fill("segments", planned_segments(move))
             .text();
}

std::string way_text(const TemplateSet& set, const Move& move, Arch arch) {
  if (move.conversion) return converting_text(set, move, arch);
  std::string text = alias(base::format("Move{}", upper(move)),
                           base::format("Move<Elem{0}, Part{0}>", upper(move)));
  if (move.view) return text + viewed_text(set, move);
  text += store_text(set, move);
  if (move.transposed) return text + transposing_text(set, move);
  return text + own(set, "move/rows.cu", move).fill("chunks", kChunksOfLane).text();
}

EpilogueCudaText value_of(const MoveStep& step, const OperandSum& sum, const SumOutput& output) {
  EpilogueSpelling spelling;
  spelling.a_sum = spelling.b_sum = computed(step.compute, sum.sum, "done.sum");
  for (const EpilogueInput& input : output.value.inputs) {
    const auto scalar = std::ranges::find(step.scalars, input.name, &EpilogueOperandPlan::name);
    const auto place = static_cast<size_t>(scalar - step.scalars.begin());
    spelling.inputs.push_back(scalar_of_move(step, place, "done.matrix"));
  }
  return cuda_text(arithmetic_of(output.value), step.compute, spelling, step.accuracy);
}

/// How a sum is kept.
std::string keep_text(const TemplateSet& set, const MoveStep& step, const OperandSum& sum) {
  std::string text;
  if (!sum.region.empty()) text += own(set, "move/sums.cu (workspace)", sum).text();
  for (const SumOutput& output : sum.outputs) {
    const EpilogueCudaText value = value_of(step, sum, output);
    text += own(set, "move/sums.cu (output)", sum)
                .fill("name", output.value.outputs[0].name)
                .fill("place", place_of_output(output.tensor))
                .fill("lines", value.lines)
                .fill("value", value.values[0])
                .text();
  }
  return text;
}

/// The types of what is read and stored, and the functions that values take.
std::string sum_types(const TemplateSet& set, const MoveStep& step) {
  std::set<DType> types, stored;
  std::vector<std::string> functions;  // in the order in which they need each other
  std::string text, names;
  for (const EpilogueOperandPlan& scalar : step.scalars) {
    types.insert(scalar.type);
    if (!scalar.by_value)
      names += alias(base::format("ElemIn{}", &scalar - step.scalars.data()), name(scalar.type));
  }
  for (const OperandSum& sum : step.sums) {
    types.insert(sum.type);
    for (const SumOutput& output : sum.outputs) {
      stored.insert(output.type);
      names += alias(base::format("ElemOut{}", place_of_output(output.tensor)), name(output.type));
      for (const std::string& function : value_of(step, sum, output).functions)
        if (std::ranges::find(functions, function) == functions.end())
          functions.push_back(function);
    }
  }
  types.insert(stored.begin(), stored.end());
  for (const DType type : types) text += "\n" + element_type(set, type, step.arch);
  text += conversions(set, std::move(stored), step.compute, step.arch) +
          alias("Compute", compute_type(step.compute)) + names;
  for (const std::string& function : functions) text += Piece(set, function).text();
  return text;
}

/// The turns of a step that form sums of operands.
std::string sums_text(const TemplateSet& set, const MoveStep& step) {
  std::string text = Piece(set, "epilogue/gather.cu").text() + "\n" +
                     Piece(set, "move/sums.cu").text() + sum_types(set, step);
  for (const OperandSum& sum : step.sums) {
    text += "\n" + alias("Elem" + upper(sum), name(sum.type)) +
            alias("Sum" + upper(sum), compute_type(sum.sum)) +
            own(set, sum.major == Major::k ? "move/sums.cu (along)" : "move/sums.cu (across)", sum)
                .fill("elems", sum.vector_elems)
                .fill("number", "to_compute")
                .text();
  }
  return text;
}

/// A C that beta scales to nothing is not read.
std::string view_turn(const TemplateSet& set, const MoveStep& step, const Move& move) {
  const bool has_beta =
      std::ranges::find(step.parameters, "beta", &KernelParameter::name) != step.parameters.end();
  return own(set, "move/view.cu (turn)", move)
      .fill("numbers", move.view->numbers == ViewNumbers::run_time
                           ? run_numbers(name(move.tensor), *move.view) + ", "
                           : "")
      .fill("taken", taken_numbers(move))
      .fill("unless", has_beta ? "if (beta == 0) return;\n" : "")
      .fill("term_stride",
            move.terms > 1 ? base::format("{}_term_stride", name(move.tensor)) : std::string("0"))
      .text();
}

std::string plain_turn(const TemplateSet& set, const Move& move) {
  const bool has_terms = move.terms > 1;
  return own(set, has_terms ? "move/operand.cu (turn of terms)" : "move/operand.cu (turn)", move)
      .text();
}

/// Which blocks do what, one turn's behind the other's.
class Turns {
 public:
  explicit Turns(const TemplateSet& set) : set_(set) {}
  /// The blocks are `of`_blocks.
  void add(const std::string& turn, std::string_view of) {
    if (!text_.empty()) text_ += Piece(set_, "kernel/move.cu (next)").fill("x", last_).text();
    text_ += turn;
    last_ = of;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  const TemplateSet& set_;
  std::string text_, last_;
};

/// Adds the turns that convert operands; where the device's list has some, its blocks come first.
void add_conversions(std::string& words, Turns& turns, const TemplateSet& templates,
                     const MoveStep& step) {
  words += conversion_types(templates, step);
  if (step.list.empty()) return;
  words += listed_types(templates, step);
  turns.add(list_turn(templates, step), "list");
}

}  // namespace

Piece move_piece(const MoveStep& step, const TemplateSet& templates) {
  const bool overlaps = step.order == LaunchOrder::overlap_previous;
  std::string words = memory_words(step);
  Turns turns(templates);
  add_conversions(words, turns, templates, step);
  const bool scales =
      std::ranges::any_of(step.moves, [](const Move& move) { return move.scaling.has_value(); });
  for (const Move& move : step.moves) {
    if (move.scaling) {
      turns.add(scaling_turn(templates, step), name(move.tensor));
      continue;
    }
    const auto type = [&](DType of) {
      return move.conversion ? std::string(name(of)) : std::string(word_type(width_bytes(of)));
    };
    words += alias("Elem" + upper(move), type(move.type)) +
             alias("Part" + upper(move), type(move.copy_type));
    turns.add(move.conversion ? converting_turn(templates, move)
              : move.view     ? view_turn(templates, step, move)
                              : plain_turn(templates, move),
              name(move.tensor));
  }
  words += constant("kThreads", step.threads, "threads of a block") + "\n" +
           Piece(templates, "prelude/vector_access.cu").text() + "\n" +
           Piece(templates, "prelude/vector_access.cu (elements)").text() + "\n" +
           (overlaps ? Piece(templates, "prelude/dependent_launch.cu").text() + "\n" : "") +
           (scales              ? scaling_types(templates, step)
            : step.sums.empty() ? Piece(templates, "prelude/vector_access.cu (chunks)").text() +
                                      "\n" + Piece(templates, "move/operand.cu").text()
                                : sums_text(templates, step));
  const auto is_viewed = [](const Move& move) { return move.view && !move.conversion; };
  const auto has_squares = [&](const Move& move) {
    return is_viewed(move) && together_of(move).across;
  };
  const auto has_chunks = [&](const Move& move) {
    return is_viewed(move) && move.tensor != TensorRole::d && !together_of(move).across;
  };
  if (std::ranges::any_of(step.moves, has_chunks))
    words +=
        "\n" + constant("kViewedChunks", kViewedChunks, "of a View's copy that a thread moves");
  if (std::ranges::any_of(step.moves, has_squares))
    words += "\n" + Piece(templates, "move/squares.cu (access)").text();
  for (const Move& move : step.moves)
    if (!move.scaling) words += "\n" + way_text(templates, move, step.arch);
  for (const OperandSum& sum : step.sums)
    turns.add(
        own(templates, "move/sums.cu (turn)", sum)
            .fill("keep", keep_text(templates, step, sum))
            .fill("end",
                  overlaps && step.follows ? Piece(templates, "move/sums.cu (end)").text() : "")
            .text(),
        name(sum.tensor));
  Piece piece(templates, "kernel/move.cu");
  piece.fill("words", std::move(words))
      .fill("begin",
            overlaps && !step.follows ? Piece(templates, "move/operand.cu (begin)").text() : "")
      .fill("moves", turns.text());
  return piece;
}

}  // namespace jute::codegen
