#pragma once
// One instruction as inline assembly, from its mnemonic and its operand list.
#include <jute/atom/asm_operands.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jute::codegen {

/// How an instruction's operands are written down.
struct AsmStyle {
  bool braces = true;  ///< fragments of one register stand in braces too: mma, ldmatrix; not dp4a
  /// The literal that an immediate or a predicate takes: "1".
  std::function<std::string(std::string_view name)> immediate;
  bool run_time_predicates = false;  ///< predicate "p" is what `p_reg` holds, no literal
};

/// `asm volatile("…" : outputs : inputs : "memory");`, where operand "a" is the array `a_reg`. A
/// predicate becomes a setp in front, so the statement has a scope of its own.
[[nodiscard]] std::string asm_statement(const std::string& mnemonic,
                                        const std::vector<AsmOperand>& operands,
                                        const AsmStyle& style);

}  // namespace jute::codegen
