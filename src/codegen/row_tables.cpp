// Fills the pieces that find rows by tables.
#include "codegen/row_tables.hpp"

#include <jute/emit/constants.hpp>

#include <utility>

#include "base/format.hpp"

namespace jute::codegen {

std::string row_table_types(const GemmStep& step) {
  std::string text;
  for (const auto& [letter, table] :
       {std::pair('A', &step.a.rows), {'B', &step.b.rows}, {'D', &step.epilogue.d_rows}})
    if (*table)
      text += alias(base::format("Index{}", letter),
                    (*table)->index == GroupIndex::i64 ? "long long" : "int");
  return text;
}

std::string row_constant(std::string_view letter, const std::optional<RowTable>& table) {
  if (!table) return {};
  return constant("kMemoryRows" + capital(letter), table->rows,
                  "of " + capital(letter) + " that a table names");
}

std::string row_function(const TemplateSet& templates, std::string_view letter,
                         const std::optional<RowTable>& table) {
  if (!table) return {};
  return lettered(templates, "copy/operand.cu (row of a table)", letter)
      .fill("place", letter == "d" ? "2" : "1")
      .text();
}

std::string row_sources(const TemplateSet& templates, const OperandSide& side, bool in_slice) {
  std::string text = lettered(templates, "copy/operand.cu (by table)", side).text();
  if (in_slice)
    text += lettered(templates, "copy/operand.cu (slice)", side).fill("step", "kTileK").text();
  return text;
}

std::string row_loads(const TemplateSet& templates, const OperandSide& side) {
  const bool staged = transfer_of(*side.plan) == Transfer::registers;
  return lettered(templates, staged ? "copy/load.cu (by table)" : "copy/async.cu (by table)", side)
      .fill("left", side.whole_k ? "kCopyElems" + side.upper : side.lower + "_k_left - along_k")
      .text();
}

std::string row_store(const TemplateSet& templates, const RowTable& table,
                      const std::string& valid) {
  if (table.store == RowStore::add)
    return Piece(templates, "epilogue/direct.cu (added by table)")
        .fill("sums", "d + (matrix * batch_stride_d + to * ldd + out_col + col)")
        .fill("value", "result.elem[e]")
        .fill("valid", valid)
        .text();
  return Piece(templates, "epilogue/direct.cu (by table)")
      .fill("vector", "result")
      .fill("valid", valid)
      .text();
}

}  // namespace jute::codegen
