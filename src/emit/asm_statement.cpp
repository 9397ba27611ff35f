// Writes an instruction with all its operands as inline assembly.
#include <jute/emit/asm_statement.hpp>

#include <algorithm>

#include "base/format.hpp"

namespace jute {
namespace {

bool is_output(const AsmOperand& operand) {
  return operand.role == AsmRole::output || operand.role == AsmRole::in_out;
}
bool is_literal(const AsmOperand& operand, const AsmStyle& style) {
  return (operand.role == AsmRole::immediate && style.immediate) ||
         (operand.role == AsmRole::predicate && !style.run_time_predicates);
}

void append(std::string& list, const std::string& text) {
  list += (list.empty() ? "" : ", ") + text;
}

/// An operand and the place of its first register in the statement's list.
struct Numbered {
  AsmOperand operand;
  int first = 0;
  bool is_listed = true;  ///< not: a literal, or C where D is C
};

std::vector<Numbered> numbered(const std::vector<AsmOperand>& operands, const AsmStyle& style) {
  std::vector<Numbered> list;
  for (const AsmOperand& operand : operands) {
    list.push_back({operand, 0, !is_literal(operand, style)});
    AsmOperand& added = list.back().operand;
    if (!style.in_place) continue;
    if (added.name == "c") list.back().is_listed = false;
    if (added.name == "d") added.name = "c", added.role = AsmRole::in_out;
  }
  int next = 0;
  for (const bool outputs : {true, false})
    for (Numbered& entry : list) {
      if (!entry.is_listed || is_output(entry.operand) != outputs) continue;
      entry.first = next;
      next += entry.operand.count;
    }
  return list;
}

/// Not metadata, scale factors and descriptors, which are no fragments.
bool is_fragment(const AsmOperand& operand) {
  const bool named = operand.name.size() == 1 || operand.name == "dst" || operand.name == "src";
  return named && operand.type != RegisterType::smem_descriptor;
}

/// `%0, %1, %2`
std::string numbers(const Numbered& entry) {
  std::string text;
  for (int i = 0; i < entry.operand.count; ++i) append(text, base::format("%{}", entry.first + i));
  return text;
}

/// As the instruction takes it.
std::string argument(const Numbered& entry, const AsmStyle& style) {
  const AsmOperand& operand = entry.operand;
  if (operand.role == AsmRole::immediate && style.immediate) return style.immediate(operand.name);
  if (operand.role == AsmRole::predicate) return std::string(operand.name);
  if (operand.role == AsmRole::address) return "[" + numbers(entry) + "]";
  if (operand.role == AsmRole::coordinates) return "{" + numbers(entry) + "}]";
  const bool in_braces = operand.count > 1 || (style.braces && is_fragment(operand));
  return in_braces ? "{" + numbers(entry) + "}" : numbers(entry);
}

/// As the compiler takes it: `"+f"(c_reg[0]), "+f"(c_reg[1])`.
std::string constraints(const AsmOperand& operand, const AsmStyle& style) {
  std::string direction;
  if (is_output(operand)) direction = operand.role == AsmRole::in_out ? "+" : "=";
  std::string text;
  for (int i = 0; i < operand.count; ++i) {
    const std::string place =
        style.place ? style.place(operand.name, i) : base::format("{}_reg[{}]", operand.name, i);
    const char letter = operand.role == AsmRole::immediate ? 'n' : constraint_letter(operand.type);
    append(text, base::format("\"{}{}\"({})", direction, letter, place));
  }
  return text;
}

/// A list on lines of eight entries, as many as an instruction of a warp group has: `between` ends
/// one line and begins the next.
std::string in_lines(const std::string& list, const std::string& between) {
  constexpr int kInLine = 8, kShort = 2 * kInLine;
  if (std::ranges::count(list, ',') < kShort) return list;
  std::string text;
  int entries = 0;
  for (size_t start = 0; start < list.size();) {
    const size_t comma = list.find(", ", start);
    if (comma == std::string::npos) return text + list.substr(start);
    text += list.substr(start, comma + 1 - start);
    text += ++entries % kInLine == 0 ? between : std::string(" ");
    start = comma + 2;
  }
  return text;
}

}  // namespace

AsmText asm_text(const std::vector<AsmOperand>& operands, const AsmStyle& style) {
  const std::vector<Numbered> list = numbered(operands, style);
  AsmText text;
  for (const Numbered& entry : list) {
    const AsmOperand& operand = entry.operand;
    // C in place is written with D's numbers.
    const bool is_d = style.in_place && operand.name == "c" && !entry.is_listed;
    if (operand.role == AsmRole::coordinates) text.arguments.pop_back();  // the map's bracket
    append(text.arguments, argument(is_d ? list.front() : entry, style));
    if (operand.role == AsmRole::predicate)
      text.predicates +=
          base::format(".reg .pred {0}; setp.gt.s32 {0}, {1}, 0; ", operand.name,
                       is_literal(operand, style) ? style.immediate(operand.name) : numbers(entry));
    if (entry.is_listed)
      append(is_output(operand) ? text.outputs : text.inputs, constraints(operand, style));
  }
  return text;
}

std::string asm_statement(const std::string& mnemonic, const std::vector<AsmOperand>& operands,
                          const AsmStyle& style) {
  const AsmText text = asm_text(operands, style);
  // The literal goes on behind a blank, the lists of C++ behind a comma.
  std::string body = mnemonic + " " + in_lines(text.arguments, " \"\n    \"") + ";";
  if (!text.predicates.empty()) body = "{ " + text.predicates + body + " }";
  const auto list = [](const std::string& entries) {
    return entries.empty() ? std::string(":") : ": " + in_lines(entries, "\n      ");
  };
  return base::format("asm volatile(\"{}\"\n    {}\n    {}\n    : \"memory\");\n", body,
                      list(text.outputs), list(text.inputs));
}

}  // namespace jute
