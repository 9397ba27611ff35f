// The multiply of a kernel: its atom's instruction.
#include "codegen/mma.hpp"

#include <jute/emit/instruction.hpp>

#include "base/format.hpp"

namespace jute::codegen {

std::string mma_function(const TemplateSet& templates, const GemmStep& step) {
  const MmaAtom& atom = step.mma.atom();
  switch (atom.form) {
    case MmaForm::fma:
    case MmaForm::mma:
    case MmaForm::wgmma_ss:
      return instruction_function(atom, {}, templates).text;
    default:
      break;
  }
  throw Exception({ErrorCode::unsupported,
                   "mma",
                   atom.name,
                   {"the code generator writes atoms of the forms: fma, mma, wgmma_ss"},
                   {},
                   {},
                   {}});
}

std::string multiply_piece(const TemplateSet& templates, int unrolled_k_steps, bool of_terms) {
  return Piece(templates, of_terms ? "mma/multiply.cu (terms)" : "mma/multiply.cu (stage)")
      .fill("unrolled", unrolled_k_steps == 0 ? "" : base::format(" {}", unrolled_k_steps))
      .text();
}

}  // namespace jute::codegen
