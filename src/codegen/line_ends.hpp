#pragma once
// Operands along M or N whose chunks begin inside of lines, from constants to the sums' way out.
#include "codegen/operand.hpp"

namespace jute::codegen {

/// None where neither operand is one.
[[nodiscard]] std::string line_end_constants(const GemmStep& step);
/// Where the last lines of a tile lie, which no chunk holds, and their sums.
[[nodiscard]] std::string line_end_functions(const OperandSide& streamed, const GemmStep& step);
/// Both operands by names of their parts, and the sums of those lines.
[[nodiscard]] std::string line_names_piece(const TemplateSet& templates,
                                           const OperandSide& streamed, const OperandSide& kept);
/// The products of those lines of a k-tile with the other operand.
[[nodiscard]] std::string line_products_piece(const TemplateSet& templates,
                                              const OperandSide& streamed, const OperandSide& kept);
/// Sums on their way to the threads that drain.
[[nodiscard]] std::string line_sums_piece(const TemplateSet& templates, const OperandSide& streamed,
                                          const OperandSide& kept, const std::string& drain);

}  // namespace jute::codegen
