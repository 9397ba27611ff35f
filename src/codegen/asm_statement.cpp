// Writes an instruction with all its operands as inline assembly.
#include "codegen/asm_statement.hpp"

#include <jute/atom/atom.hpp>

#include "base/format.hpp"
#include "codegen/asm_text.hpp"

namespace jute::codegen {
namespace {

bool is_output(const AsmOperand& operand) {
  return operand.role == AsmRole::output || operand.role == AsmRole::in_out;
}
bool is_literal(const AsmOperand& operand, const AsmStyle& style) {
  return operand.role == AsmRole::immediate ||
         (operand.role == AsmRole::predicate && !style.run_time_predicates);
}

void append(std::string& list, const std::string& text) {
  list += (list.empty() ? "" : ", ") + text;
}

/// Registers are numbered outputs first, whatever their place in the instruction.
std::vector<AsmList> numbered(const std::vector<AsmOperand>& operands, const AsmStyle& style) {
  std::vector<AsmList> lists;
  for (const AsmOperand& operand : operands)
    lists.push_back({base::format("{}_reg", operand.name), constraint_letter(operand.type),
                     is_literal(operand, style) ? 0 : operand.count, 0});
  int next = 0;
  for (const bool outputs : {true, false})
    for (size_t i = 0; i < operands.size(); ++i) {
      if (is_output(operands[i]) != outputs) continue;
      lists[i].first = next;
      next += lists[i].count;
    }
  return lists;
}

/// Not metadata, scale factors and descriptors, which are no fragments.
bool is_fragment(const AsmOperand& operand) {
  const bool named = operand.name.size() == 1 || operand.name == "dst" || operand.name == "src";
  return named && operand.type != RegisterType::smem_descriptor;
}

std::string written(const AsmOperand& operand, const AsmList& list, const AsmStyle& style) {
  if (operand.role == AsmRole::immediate) return style.immediate(operand.name);
  if (operand.role == AsmRole::predicate) return std::string(operand.name);
  if (operand.role == AsmRole::address) return "[" + places(list) + "]";
  return operand.count > 1 || (style.braces && is_fragment(operand)) ? "{" + places(list) + "}"
                                                                     : places(list);
}

}  // namespace

std::string asm_statement(const std::string& mnemonic, const std::vector<AsmOperand>& operands,
                          const AsmStyle& style) {
  const std::vector<AsmList> lists = numbered(operands, style);
  std::string predicates, arguments, outputs, inputs;
  for (size_t i = 0; i < operands.size(); ++i) {
    const AsmOperand& operand = operands[i];
    append(arguments, written(operand, lists[i], style));
    if (operand.role == AsmRole::predicate)
      predicates += base::format(
          ".reg .pred {0}; setp.ne.b32 {0}, {1}, 0; ", operand.name,
          is_literal(operand, style) ? style.immediate(operand.name) : places(lists[i]));
    if (is_literal(operand, style)) continue;
    const bool in_place = operand.role == AsmRole::in_out;
    append(is_output(operand) ? outputs : inputs,
           codegen::operands(lists[i], in_place             ? "+"
                                       : is_output(operand) ? "="
                                                            : ""));
  }
  std::string body = mnemonic + " " + arguments + ";";
  if (!predicates.empty()) body = "{ " + predicates + body + " }";
  const auto list = [](const std::string& operands_text) {
    return operands_text.empty() ? std::string(":") : ": " + operands_text;
  };
  return base::format("asm volatile(\"{}\"\n    {}\n    {}\n    : \"memory\");\n", body,
                      list(outputs), list(inputs));
}

}  // namespace jute::codegen
