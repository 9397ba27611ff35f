#pragma once
// The operands of an epilogue beside C and D: in0, in1, … and out0, out1, …
#include <jute/emit/piece.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/values/plan.hpp>

#include <set>
#include <string>
#include <vector>

namespace jute::codegen {

/// Where a thread's part of D starts in C, for an expression that reads it.
[[nodiscard]] std::string c_source(const TemplateSet& templates, const EpiloguePlan& out);
/// How the vectors that are in flight take C, by a piece of epilogue/c.cu; nothing without it.
[[nodiscard]] std::string c_reads(const EpiloguePlan& out, Piece& loads);
/// Are there any?
[[nodiscard]] bool has_operands(const GemmStep& step);
/// One of the pieces of what TMA puts into subtiles, C or an input, filled with its words.
[[nodiscard]] Piece landing_piece(const TemplateSet& templates, const GemmStep& step,
                                  const char* piece);
/// `typedef bf16 ElemIn0;`, a line each.
[[nodiscard]] std::string operand_types(const GemmStep& step);
/// The types that are read or written.
void add_operand_types(std::set<DType>& used, const GemmStep& step);

/// The conversions of computed values to what a problem's own epilogue writes; none of the usual.
[[nodiscard]] std::string output_conversions(const TemplateSet& templates, const GemmStep& step);

/// The parameters of an epilogue's functions: `, const ElemIn0& in0, ElemOut1& out1`. A scalar
/// comes as a value in the type that is computed in.
[[nodiscard]] std::string operand_parameters(const GemmStep& step);

/// The inputs that are one number, as parameters of a function or as its arguments.
[[nodiscard]] std::string scalar_inputs(const GemmStep& step, bool are_parameters);

/// The value of each input as the expression reads it, inside the functions of an epilogue.
[[nodiscard]] std::vector<std::string> operand_values(const GemmStep& step);
/// The line that puts an output, by its place, where the function's argument says.
[[nodiscard]] std::string output_statement(std::size_t place, const std::string& value);

/// The value of a scalar in memory; a bit is the first of its byte.
[[nodiscard]] std::string scalar_value(const EpilogueOperandPlan& scalar, std::string_view element);

/// Scalars, and where each operand of a thread whose first element of D is at (row, col) begins.
[[nodiscard]] std::string operand_sources(const GemmStep& step, std::string_view row,
                                          std::string_view col);

/// Elements of D that a thread handles together; a vector of D, where nothing else is said. Texts
/// may name `begin`, an element among them.
struct Run {
  std::string count = "kOutElems";
  std::string turn{};                            ///< `[turn]`, where several are in flight
  std::string row = "row", col = "col + begin";  ///< from the thread's first element
  std::string first_row = "out_row", first_col = "out_col";  ///< of that element
  std::string left;  ///< elements of D from `begin` to the end of its row; 0 past the edge
  std::string left_of_column{};  ///< the same whether or not the row is one of D's
  std::string row_exists;        ///< is the row of `begin` one of D's?
  bool one_row = true;           ///< all are in one row
  std::string landed{};          ///< the element of what TMA has put into a subtile
};
/// `ElemIn0 from_in0[8];` and the like, for all of a run; `many` stands behind the name.
[[nodiscard]] std::string operand_arrays(const GemmStep& step, const Run& run,
                                         std::string_view many = "");
/// The lines by which a run takes inputs and leaves outputs. A drain by subtiles asks
/// for numbers ahead; bits and vectors that have come to shared memory are read when they are
/// needed.
enum class Inputs { all, ahead, at_once };
[[nodiscard]] std::string input_reads(const TemplateSet& templates, const GemmStep& step,
                                      const Run& run, Inputs which = Inputs::all);
/// How a tile's vectors come to shared memory: asked for, or put there.
[[nodiscard]] std::string staged_vectors(const TemplateSet& templates, const GemmStep& step,
                                         const char* piece);
[[nodiscard]] std::string output_writes(const TemplateSet& templates, const GemmStep& step,
                                        const Run& run);
/// The arguments for element `at` of a run.
[[nodiscard]] std::string run_arguments(const GemmStep& step, const Run& run, std::string_view at);

/// The arguments for one element where it lies, by its row and column from the thread's first.
[[nodiscard]] std::string single_arguments(const GemmStep& step, std::string_view row,
                                           std::string_view col);

}  // namespace jute::codegen
