// From an opcode to its row: each modifier must belong to a part of the form, and each part that is
// not optional must be there.
#include "emulator/decode/instruction_rows.hpp"

#include <jute/emulator/covered.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/format.hpp"

namespace jute::emulator {
namespace {

using RowWords = std::vector<std::string>;

/// `.a.b::c` as its modifiers.
RowWords modifiers_of(std::string_view text) {
  RowWords result;
  for (size_t at = text.find('.'); at < text.size();) {
    const size_t end = std::min(text.find('.', at + 1), text.size());
    result.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return result;
}

/// A part of a form, in each of its spellings. An optional one has one without modifiers.
struct Part {
  std::vector<RowWords> spellings;

  [[nodiscard]] bool knows(std::string_view modifier) const {
    return std::ranges::any_of(spellings, [&](const RowWords& words) {
      return std::ranges::find(words, modifier) != words.end();
    });
  }
  [[nodiscard]] bool is_in(const RowWords& modifiers) const {
    return std::ranges::any_of(spellings, [&](const RowWords& words) {
      return std::ranges::all_of(words, [&](const std::string& word) {
        return std::ranges::find(modifiers, word) != modifiers.end();
      });
    });
  }
};

struct Form {
  const InstructionRow* row = nullptr;
  std::vector<Part> parts;
};

/// Parts begin at a dot, or at a bracket before a dot, outside of brackets.
std::vector<Part> parts_of(std::string_view form) {
  std::vector<Part> parts;
  size_t begin = std::string_view::npos;
  int depth = 0;
  const auto close = [&](size_t end) {
    if (begin == std::string_view::npos) return;
    Part part;
    for (const std::string& spelling : spellings_of(form.substr(begin, end - begin)))
      part.spellings.push_back(modifiers_of(spelling));
    parts.push_back(std::move(part));
  };
  for (size_t at = 0; at < form.size(); ++at) {
    const bool opens = form[at] == '[' || form[at] == '{';
    if (depth == 0 && (form[at] == '.' || form.substr(at, 2) == "[.")) {
      close(at);
      begin = at;
    }
    if (opens) ++depth;
    if (form[at] == ']' || form[at] == '}') --depth;
  }
  close(form.size());
  return parts;
}

using FormsByHead = std::unordered_map<std::string, std::vector<Form>>;
FormsByHead read_forms() {
  FormsByHead forms;
  for (const InstructionRow& row : instruction_rows()) {
    Form form{&row, {}};
    if (!lists_lane_rows(row)) form.parts = parts_of(written_out(row.form));
    forms[std::string(row.head())].push_back(std::move(form));
  }
  return forms;
}

/// How far an opcode is from a form.
struct Difference {
  std::string unknown;  ///< the first modifier that belongs to no part
  int count = 0;        ///< of those, and of parts that lack
};
Difference difference(const Form& form, const RowWords& modifiers) {
  Difference result;
  for (const std::string& modifier : modifiers) {
    const auto knows = [&](const Part& part) { return part.knows(modifier); };
    if (std::ranges::any_of(form.parts, knows)) continue;
    if (result.unknown.empty()) result.unknown = modifier;
    ++result.count;
  }
  for (const Part& part : form.parts) result.count += part.is_in(modifiers) ? 0 : 1;
  return result;
}

}  // namespace

RowMatch find_row(std::string_view opcode) {
  static const FormsByHead kForms = read_forms();
  const auto forms = kForms.find(std::string(opcode.substr(0, opcode.find('.'))));
  if (forms == kForms.end())
    return {nullptr, "it must be an instruction that the emulator knows", {}};
  const RowWords modifiers = modifiers_of(opcode);
  const Form* nearest = nullptr;
  Difference least;
  for (const Form& form : forms->second) {
    if (lists_lane_rows(*form.row)) return {form.row, {}, {}};
    Difference difference = emulator::difference(form, modifiers);
    if (difference.count == 0) return {form.row, {}, {}};
    if (nearest != nullptr && difference.count >= least.count) continue;
    nearest = &form;
    least = std::move(difference);
  }
  return {nullptr,
          least.unknown.empty()
              ? "its form must be one that the emulator knows"
              : base::format("{} must be a suffix that the emulator knows", least.unknown),
          written_out(nearest->row->form)};
}

OperandCount operands_named(std::string_view operands) {
  OperandCount result;
  int braces = 0, brackets = 0;
  bool is_inside = false;
  for (const char c : operands) {
    if (c == '[') ++brackets;
    if (c == ']') --brackets;
    if (c == '{') ++braces;
    if (c == '}') --braces;
    if (c == ',' && brackets == 0) is_inside = false;
    if (is_inside || c == ' ' || c == ',' || c == '{' || c == '}') continue;
    is_inside = true;
    ++result.most;
    result.least += braces == 0 ? 1 : 0;
  }
  return result;
}

}  // namespace jute::emulator
