// One emitter for each form of MMA instruction.
#include "codegen/mma.hpp"

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

}  // namespace

std::string mma_function(const TemplateSet& templates, const GemmStep& step) {
  switch (step.mma.atom().form) {
    case MmaForm::fma:
      return fma_function(templates, step);
    case MmaForm::mma:
      return mma_sync_function(templates, step);
    default:
      break;
  }
  throw Exception({ErrorCode::unsupported,
                   "mma",
                   step.mma.atom().name,
                   {"the code generator writes atoms of the forms: fma, mma"},
                   {},
                   {},
                   {}});
}

}  // namespace jute::codegen
