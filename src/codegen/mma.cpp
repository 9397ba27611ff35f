// One emitter for each form of MMA instruction.
#include "codegen/mma.hpp"

#include <jute/atom/asm_operands.hpp>

#include "codegen/asm_statement.hpp"
#include "codegen/asm_text.hpp"

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
  const auto list = [&](const char* array, Operand operand, int first) {
    return AsmList{array, constraint_letter(register_of(atom, operand)), registers(atom, operand),
                   first};
  };
  const AsmList c = list("c", Operand::c, 0);
  const AsmList a = list("a", Operand::a, c.count);
  const AsmList b = list("b", Operand::b, c.count + a.count);
  return Piece(templates, "mma/mma_sync.cu")
      .fill("atom", atom.name)
      .fill("ptx", atom.ptx)
      .fill("c_places", places(c))
      .fill("a_places", places(a))
      .fill("b_places", places(b))
      .fill("outputs", operands(c, "+"))
      .fill("inputs", operands(a, "") + ", " + operands(b, ""))
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
  const AsmStyle style{true, [&](std::string_view name) { return wgmma_immediate(atom, name); },
                       true};
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
