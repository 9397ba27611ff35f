#pragma once
// Rows of A and of D that tables name.
#include "codegen/operand.hpp"

#include <string>
#include <string_view>

namespace jute::codegen {

/// The types of the tables' integers.
[[nodiscard]] std::string row_table_types(const GemmStep& step);
/// Constant and function of one table; `letter` is the kernel's of the operand. Nothing without
/// one.
[[nodiscard]] std::string row_constant(std::string_view letter,
                                       const std::optional<RowTable>& table);
[[nodiscard]] std::string row_function(const TemplateSet& templates, std::string_view letter,
                                       const std::optional<RowTable>& table);
/// Where a thread finds the rows that it copies, and how it loads them.
[[nodiscard]] std::string row_sources(const TemplateSet& templates, const OperandSide& side,
                                      bool in_slice);
[[nodiscard]] std::string row_loads(const TemplateSet& templates, const OperandSide& side);

/// `result` goes to the row of D that the table names, so many of its elements.
[[nodiscard]] std::string row_store(const TemplateSet& templates, const RowTable& table,
                                    const std::string& valid);

}  // namespace jute::codegen
