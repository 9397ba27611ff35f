#pragma once
// One instruction as inline assembly, from its mnemonic and its operand list.
#include <jute/atom/asm_operands.hpp>
#include <jute/base/export.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// How an instruction's operands are written down.
struct AsmStyle {
  bool braces = true;  ///< fragments of one register stand in braces too: mma, ldmatrix; not dp4a
  /// The literal that an immediate or a predicate takes: "1". None: an immediate is a constant
  /// expression, found like a register.
  std::function<std::string(std::string_view name)> immediate = {};
  bool run_time_predicates = false;  ///< predicate "p" is what its register holds, no literal
  bool in_place = false;             ///< D is C: one operand, "c", that is read and written
  /// Register `index` of an operand in C++; none: `a_reg[2]`
  std::function<std::string(std::string_view name, int index)> place = {};
};

/// The parts of an asm statement between its colons.
struct AsmText {
  std::string predicates;  ///< declared and set before the instruction; mostly empty
  std::string arguments;   ///< `{%0, %1}, [%2]`
  std::string outputs;     ///< `"=r"(dst_reg[0]), "=r"(dst_reg[1])`
  std::string inputs;      ///< `"r"(src_reg[0])`
};
/// Registers are numbered outputs first, whatever their place in the instruction.
[[nodiscard]] AsmText asm_text(const std::vector<AsmOperand>& operands, const AsmStyle& style);

/// `asm volatile("…" : outputs : inputs : "memory");`. A predicate becomes a setp in front, so the
/// statement has a scope of its own.
[[nodiscard]] std::string asm_statement(const std::string& mnemonic,
                                        const std::vector<AsmOperand>& operands,
                                        const AsmStyle& style);

}  // namespace jute
