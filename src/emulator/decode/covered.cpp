// The list of what is executed: the rows of the opcode table and the forms of families.
#include <jute/base/split_at.hpp>
#include <jute/emulator/covered.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include "emulator/decode/instruction_rows.hpp"
#include "emulator/decode/opcode_table.hpp"

namespace jute {
namespace {

/// Where the bracket closes that opens at `open`.
size_t closing_of(std::string_view form, size_t open) {
  int depth = 0;
  for (size_t at = open; at < form.size(); ++at) {
    if (form[at] == '{' || form[at] == '[') ++depth;
    if (form[at] == '}' || form[at] == ']') --depth;
    if (depth == 0) return at;
  }
  return form.size();
}

/// `d, a, b` of two sources.
std::string operands_of(const emulator::LaneRow& row) {
  std::string result = "d";
  for (char source = 'a'; source < 'a' + row.source_count; ++source)
    result += std::string(", ") + source;
  return result;
}

}  // namespace

std::vector<std::string> spellings_of(std::string_view form) {
  const size_t open = form.find_first_of("{[");
  if (open == std::string_view::npos) return {std::string(form)};
  const size_t close = closing_of(form, open);
  const std::string_view inside = form.substr(open + 1, close - open - 1);
  std::vector<std::string> choices;
  if (form[open] == '{') {
    choices = split_at<std::string>(',', inside);
  } else {
    choices = spellings_of(inside);
    choices.insert(choices.begin(), std::string());
  }
  const auto rests = spellings_of(form.substr(std::min(close + 1, form.size())));
  std::vector<std::string> result;
  for (const std::string& choice : choices)
    for (const std::string& rest : rests)
      result.push_back(std::string(form.substr(0, open)) + choice + rest);
  return result;
}

std::vector<CoveredOpcode> covered_opcodes() {
  std::map<std::string, std::vector<CoveredForm>> found;
  for (const emulator::InstructionRow& row : emulator::instruction_rows())
    if (!emulator::lists_lane_rows(row))
      found[std::string(row.head())].push_back(
          {emulator::written_out(row.form), std::string(row.operands), row.arch});
  // Rows with a $ are parts that decoders put instructions together from.
  const emulator::OpcodeTable table = emulator::make_opcode_table();
  for (const std::string& name : table.names()) {
    const std::string head = name.substr(0, name.find('.'));
    if (!name.starts_with('$') && !(head == "mov" || head == "setp"))
      found[head].push_back({name, operands_of(*table.find(name)), emulator::lane_arch(name)});
  }
  std::vector<CoveredOpcode> result;
  for (auto& [head, forms] : found) result.push_back({head, std::move(forms)});
  return result;
}

}  // namespace jute
