// Writes where words of bits lie and how they move.
#include "codegen/bits.hpp"

#include <jute/emit/constants.hpp>
#include <jute/emit/index_function.hpp>
#include <jute/plan/derive/drain/gather_turns.hpp>

#include <bit>

#include "base/format.hpp"
#include "codegen/edges.hpp"

namespace jute::codegen {

using namespace emit;
namespace {

/// kWordsOut1 and word_of_out1.
std::string constant_of(const BitMatrix& matrix, const char* name) {
  return base::format("{}{}{}", name, matrix.is_input ? "In" : "Out", matrix.place);
}
std::string function_of(const BitMatrix& matrix, const char* name) {
  return base::format("{}_of_{}{}", name, matrix.is_input ? "in" : "out", matrix.place);
}

/// The edges along words and across them: whether no tile reaches past one, and where it is.
struct EdgesOfWords {
  Condition along, across;
};
EdgesOfWords edges_of(const GemmStep& step, const BitMatrix& matrix) {
  const Condition m{has_whole_tiles(step, Operand::a), "m"},
      n{has_whole_tiles(step, Operand::b), "n"};
  return matrix.plan.order == Order::row ? EdgesOfWords{n, m} : EdgesOfWords{m, n};
}

}  // namespace

std::string word_functions(const GemmStep& step, const BitMatrix& matrix) {
  const EpiloguePlan& out = step.epilogue;
  const BitWords& words = *matrix.plan.packed;
  const bool by_rows = matrix.plan.order == Order::row;
  const Index ended = size(words.value) / word_turns(out, words);
  const Index lanes = Index{1} << std::popcount(static_cast<unsigned>(words.lanes));
  std::string text = constant(constant_of(matrix, "kWordBytes"), words.bits / 8, "bits in eights") +
                     constant(constant_of(matrix, "kTurnWords"), ended, "of a turn, a thread's");
  if (!matrix.is_input)
    text += constant(constant_of(matrix, "kLanes"), words.lanes, "bits in which its lanes differ") +
            constant(constant_of(matrix, "kWords"), ceil_div(ended, lanes) * lanes,
                     "of a turn, with those that are none: each lane gets equally many");
  return text +
         layout_function(function_of(matrix, "word"), "that holds a value's bit", words.slot) +
         layout_function(function_of(matrix, "value"), "the first of a word", words.value) +
         coordinate_function(function_of(matrix, "along"), "where a value lies along words",
                             by_rows ? out.n : out.m) +
         coordinate_function(function_of(matrix, "across"), "and across them",
                             by_rows ? out.m : out.n);
}

Piece words_piece(const TemplateSet& templates, const BitMatrix& matrix, const char* name) {
  const bool by_rows = matrix.plan.order == Order::row;
  return Piece(templates, base::format("epilogue/bits.cu ({})", name))
      .fill("place", static_cast<Index>(matrix.place))
      .fill_if("along", by_rows ? "n" : "m")
      .fill_if("across", by_rows ? "m" : "n");
}

Piece stored_words(const TemplateSet& templates, const GemmStep& step, const BitMatrix& matrix) {
  const auto [along, across] = edges_of(step, matrix);
  const auto place = static_cast<Index>(matrix.place);
  return words_piece(templates, matrix, "words")
      .fill("in_line",
            ahead_of_others(
                joined({{across.always, base::format("across{} + row < {}", place, across.text)}})))
      .fill("bytes", along.always
                         ? base::format("kWordBytesOut{}", place)
                         : base::format("({1} - along{0} - first + 7) / 8", place, along.text));
}

Piece read_words(const TemplateSet& templates, const GemmStep& step, const BitMatrix& matrix) {
  const auto [along, across] = edges_of(step, matrix);
  return words_piece(templates, matrix, "read words")
      .fill("bytes", where(joined({{across.always, "row < " + across.text}}),
                           along.always ? base::format("kWordBytesIn{}", matrix.place)
                                        : base::format("({} - first + 7) / 8", along.text)));
}

std::string word_text(const BitMatrix& matrix, std::string_view value) {
  return base::format("{}({}) % {}", function_of(matrix, "word"), value,
                      constant_of(matrix, "kTurnWords"));
}

std::string bit_text(const BitMatrix& matrix, std::string_view value) {
  return base::format("{}({}) % (8 * {})", function_of(matrix, "along"), value,
                      constant_of(matrix, "kWordBytes"));
}

}  // namespace jute::codegen
