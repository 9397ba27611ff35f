#pragma once
// The operands of an atom's instruction, in the order in which PTX writes them.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>

namespace JUTE_API jute {

enum class AsmRole : std::uint8_t {
  output,     ///< "=r"
  in_out,     ///< "+f"
  input,      ///< "r"
  address,    ///< an input in brackets: [%4]
  predicate,  ///< an integer that a setp turns into a predicate
  immediate,  ///< "n"
};

/// One operand: `count` registers in braces, or a single one.
struct AsmOperand {
  std::string_view name;  ///< "d", "a", "b", "c", "metadata", "selector", "scale_d", …
  AsmRole role = AsmRole::input;
  RegisterType type = RegisterType::b32;
  int count = 1;
  bool operator==(const AsmOperand&) const = default;
};

/// Empty for atoms that are no single instruction: fma and complex products.
///   example  SM80_16x8x16_F32F16F16F32_TN: d 4 f32, a 4 b32, b 2 b32, c 4 f32
///   source   PTX ISA: mma, mma.sp, wgmma.mma_async, tcgen05.mma
[[nodiscard]] std::vector<AsmOperand> asm_operands(const MmaAtom& atom);
/// Registers and address of a copy; empty for assignments, shuffles and TMA, whose tensor map and
/// coordinates share brackets.
[[nodiscard]] std::vector<AsmOperand> asm_operands(const CopyAtom& atom);

}  // namespace jute
