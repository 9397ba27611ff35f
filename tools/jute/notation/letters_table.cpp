// A table of modes, its columns as wide as they need.
#include "notation/letters_table.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace jute::command {
namespace {

using Row = std::array<std::string, 6>;

/// A stride; nothing where the array has none of the letters.
std::string stride_text(Index stride, bool is_there) {
  return is_there ? std::to_string(stride) : "-";
}

Row row_of(const ContractionMode& mode) {
  const LetterRole role = mode.role;
  return {std::string(name(role)),
          mode.letters,
          std::to_string(mode.extent),
          stride_text(mode.stride_a, role != LetterRole::n),
          stride_text(mode.stride_b, role != LetterRole::m),
          stride_text(mode.stride_d, role != LetterRole::k)};
}

std::string operand_text(const Subscripts& subscripts, std::size_t operand) {
  return operand < subscripts.operands.size() ? subscripts.operands[operand] : "1";
}

}  // namespace

std::string letters_table(const Subscripts& subscripts, const ContractionModes& modes) {
  std::vector<Row> rows{{"mode", "letters", "extent", "A " + operand_text(subscripts, modes.a),
                         "B " + operand_text(subscripts, modes.b), "D " + subscripts.result}};
  for (const ContractionMode& mode : modes.modes) rows.push_back(row_of(mode));
  std::array<std::size_t, 6> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - row[i].size(), ' ');
      line += (i == 0 ? "" : "  ") + (i < 2 ? row[i] + gap : gap + row[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace jute::command
