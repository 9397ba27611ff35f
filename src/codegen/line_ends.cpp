// Fills the templates of operands whose chunks begin inside of lines.
#include "codegen/line_ends.hpp"

#include <jute/emit/constants.hpp>
#include <jute/emit/index_function.hpp>
#include <jute/layout/address.hpp>
#include <jute/plan/derive/operand/line_ends.hpp>
#include <jute/plan/values/line_chunks.hpp>

#include "base/format.hpp"

namespace jute::codegen {

using namespace emit;
namespace {

/// Row and column of what (thread, value) names in a column-major tile.
std::string place_functions(const std::string& row, const std::string& column,
                            const std::string& meaning, const Layout& tv, int rows, int columns) {
  const IntTuple tile{rows, columns};
  return coordinate_function(row, meaning, address_of(Layout(tile, IntTuple{1, 0}), tv)) +
         coordinate_function(column, meaning, address_of(Layout(tile, IntTuple{0, 1}), tv));
}

}  // namespace

std::string line_end_constants(const GemmStep& step) {
  const std::optional<Operand> which = operand_of_line_ends(step);
  if (!which) return {};
  const bool is_a = which == Operand::a;
  const LineEnds ends = line_ends(step, *which);
  const Index of_chunk = (is_a ? step.a : step.b).vector_elems;
  return constant(is_a ? "kEndsA" : "kEndsB", size(ends.operand.tv[1]),
                  "elements of a thread that no chunk holds") +
         constant("kEndRepeats", ends.repeats, "instructions along those lines") +
         constant("kEndSums", size(ends.sums[1]), "sums of those") +
         constant("kOfLineChunk", of_chunk, "lines that a chunk holds") +
         constant("kPitchOfLines",
                  pitch_of_lines(is_a ? step.tile.m : step.tile.n, static_cast<int>(of_chunk)),
                  "sums from one row to the next");
}

std::string line_end_functions(const OperandSide& side, const GemmStep& step) {
  const LineEnds ends = line_ends(step, side.operand);
  const bool is_a = side.operand == Operand::a;
  const std::string end = "end_" + side.lower, kept = is_a ? "B" : "A";
  const std::string names = base::format("// {} by what it is here, and {}.\n", side.upper, kept) +
                            alias("LineElem", "Elem" + side.upper) +
                            alias("LineRegister", "Register" + side.upper) +
                            alias("KeptFragment", "Fragment" + kept);
  return names +
         place_functions(end + "_mn", end + "_k", "of the last lines, which no chunk holds",
                         ends.operand.tv, ends.lines, step.tile.k) +
         place_functions("end_sum_m", "end_sum_n", "of the sums of those", ends.sums,
                         is_a ? ends.lines : step.tile.m, is_a ? step.tile.n : ends.lines);
}

std::string line_names_piece(const TemplateSet& templates, const OperandSide& streamed,
                             const OperandSide& kept) {
  return lettered(templates, "mainloop/straight.cu (line names)", streamed)
      .fill("kept", kept.lower)
      .fill("KEPT", kept.upper)
      .fill("other", kept.mn_lower)
      .fill("OTHER", kept.mn_upper)
      .text();
}

std::string line_products_piece(const TemplateSet& templates, const OperandSide& streamed,
                                const OperandSide& kept) {
  const bool is_a = streamed.operand == Operand::a;
  const std::string of_kept = base::format("kept.reg + kAtomRegisters{} * i", kept.upper),
                    of_end = base::format("end.reg + kAtomRegisters{} * j", streamed.upper);
  return Piece(templates, "mainloop/straight.cu (line products)")
      .fill("sum", is_a ? "j + kEndRepeats * i" : "i + kRepeatM * j")
      .fill("factors", is_a ? of_end + ", " + of_kept : of_kept + ", " + of_end)
      .text();
}

std::string line_sums_piece(const TemplateSet& templates, const OperandSide& streamed,
                            const OperandSide& kept, const std::string& drain) {
  return lettered(templates, "mainloop/straight.cu (lines leave)", streamed)
             .fill("other", kept.mn_lower)
             .text() +
         Piece(templates, "mainloop/straight.cu (lines meet)").fill("drain", drain).text();
}

}  // namespace jute::codegen
