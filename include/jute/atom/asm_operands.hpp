#pragma once
// The operands of an atom's instruction, in the order in which PTX writes them.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>

#include <string>
#include <vector>

namespace JUTE_API jute {

enum class AsmRole : std::uint8_t {
  output,       ///< "=r"
  in_out,       ///< "+f"
  input,        ///< "r"
  address,      ///< an input in brackets: [%4]
  coordinates,  ///< inputs in braces, in the brackets of the address before them: [%1, {%2, %3}]
  predicate,    ///< an integer that a setp turns into a predicate
  immediate,    ///< "n"
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
/// Registers and address of a copy; empty for assignments and shuffles.
[[nodiscard]] std::vector<AsmOperand> asm_operands(const CopyAtom& atom);

/// The operands of a TMA instruction that moves boxes of so many dimensions: map, coordinates, the
/// other side, and of loads the barrier.
///   example  tma_load, 3: [dst], [map, {3 coordinates}], [barrier]
///   source   PTX ISA: cp.async.bulk.tensor, cp.reduce.async.bulk.tensor
[[nodiscard]] std::vector<AsmOperand> box_operands(CopyForm form, int dimensions);
/// Its mnemonic. The atoms' boxes have two dimensions.
[[nodiscard]] std::string box_ptx(CopyForm form, int dimensions);

}  // namespace jute
