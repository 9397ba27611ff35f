#pragma once
// An atom's instruction as a device function: the one place where kernels and proofs write it.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>
#include <jute/emit/template_set.hpp>

#include <string>
#include <vector>

namespace JUTE_API jute {

/// Where the sum of a product goes.
enum class Accumulate : std::uint8_t {
  apart,     ///< d = a * b + c
  in_place,  ///< c += a * b
};

struct InstructionStyle {
  Accumulate accumulate = Accumulate::in_place;
  std::string name = "mma";
  int selector = 0;  ///< of sparse forms: which threads supply metadata
};

/// A parameter of the function: registers as an array; an address, a descriptor or a truth value
/// as itself.
struct InstructionParameter {
  std::string name;  ///< "d", "a", "scale_d", …
  std::string type;  ///< "unsigned"
  bool is_array = true;
  bool is_written = false;
};

/// The text of a function, and what a caller must know of it.
struct InstructionFunction {
  std::string name;
  std::vector<InstructionParameter> parameters;  ///< in order
  std::string types;                             ///< what a text without a kernel's types lacks
  std::string text;
};

/// In place, the forms that kernels are made of have the kernels' own text, whose types are called
/// RegisterA, RegisterB and RegisterC.
///   throws  unsupported: wgmma apart; a form that is no instruction, fma of types that C++ lacks
[[nodiscard]] InstructionFunction instruction_function(
    const MmaAtom& atom, const InstructionStyle& style = {},
    const TemplateSet& templates = TemplateSet::built_in());
/// `copy(dst, src)`; of TMA, box_function.
///   throws  unsupported: assignments and shuffles, which are no single instruction
[[nodiscard]] InstructionFunction instruction_function(
    const CopyAtom& atom, const TemplateSet& templates = TemplateSet::built_in());

/// The treatment of a box in the L2 cache.
enum class BoxCache : std::uint8_t {
  usual,
  by_policy,
  alone,  ///< has it ahead of a load, and nobody else does
};

/// How kernels and proofs ask TMA for boxes of so many dimensions: load_box, load_box_for (several
/// blocks), load_box_once (by a policy of the cache), prefetch_box, store_box.
///   example  load_box(target, map, inner, outer, matrix, full)
///   throws   unsupported: a form that is not TMA's, a prefetch or policy of what is no plain load
[[nodiscard]] InstructionFunction box_function(
    CopyForm form, int dimensions, BoxCache cache = BoxCache::usual,
    const TemplateSet& templates = TemplateSet::built_in());

/// `mma(d_reg, a_reg, b_reg, c_reg);`: a call on the registers `<name>_reg`, a truth value true.
[[nodiscard]] std::string call_on_registers(const InstructionFunction& function);

}  // namespace jute
