// One emitter for each form of MMA instruction.
#include "codegen/mma.hpp"

#include <jute/atom/asm_operands.hpp>
#include <jute/emit/asm_statement.hpp>

#include "base/format.hpp"

namespace jute::codegen {
namespace {

std::string fma_function(const TemplateSet& templates, const GemmStep& step) {
  const std::string a = "to_compute(a[0])", b = "to_compute(b[0])";
  std::string expression;
  switch (step.accumulate) {
    case DType::f64:
      expression = "__fma_rn(" + a + ", " + b + ", c[0])";
      break;
    case DType::s32:
      expression = a + " * " + b + " + c[0]";
      break;
    default:
      expression = "__fmaf_rn(" + a + ", " + b + ", c[0])";
      break;
  }
  return Piece(templates, "mma/fma.cu")
      .fill("atom", step.mma.atom().name)
      .fill("multiply_add", expression)
      .text();
}

std::string mma_sync_function(const TemplateSet& templates, const GemmStep& step) {
  const MmaAtom& atom = step.mma.atom();
  const auto place = [](std::string_view name, int index) {
    return base::format("{}[{}]", name, index);
  };
  const AsmText text = asm_text(asm_operands(atom), {.in_place = true, .place = place});
  return Piece(templates, "mma/mma_sync.cu")
      .fill("atom", atom.name)
      .fill("ptx", atom.ptx)
      .fill("arguments", text.arguments)
      .fill("outputs", text.outputs)
      .fill("inputs", text.inputs)
      .text();
}

/// What descriptors and the order of operands ask of the instruction's immediates.
std::string wgmma_immediate(const MmaAtom& atom, std::string_view name) {
  if (name == "transpose_a") return atom.a_major == Major::mn ? "1" : "0";
  if (name == "transpose_b") return atom.b_major == Major::mn ? "1" : "0";
  return "1";  // operands as they are, not negated
}

std::string wgmma_function(const TemplateSet& templates, const GemmStep& step) {
  const MmaAtom& atom = step.mma.atom();
  const AsmStyle style{
      .immediate = [&](std::string_view name) { return wgmma_immediate(atom, name); },
      .run_time_predicates = true};
  return Piece(templates, "mma/wgmma.cu")
      .fill("atom", atom.name)
      .fill("instruction", asm_statement(atom.ptx, asm_operands(atom), style))
      .text();
}

}  // namespace

std::string mma_function(const TemplateSet& templates, const GemmStep& step) {
  switch (step.mma.atom().form) {
    case MmaForm::fma:
      return fma_function(templates, step);
    case MmaForm::mma:
      return mma_sync_function(templates, step);
    case MmaForm::wgmma_ss:
      return wgmma_function(templates, step);
    default:
      break;
  }
  throw Exception({ErrorCode::unsupported,
                   "mma",
                   step.mma.atom().name,
                   {"the code generator writes atoms of the forms: fma, mma, wgmma_ss"},
                   {},
                   {},
                   {}});
}

}  // namespace jute::codegen
