// One emitter for each form of MMA instruction.
#include "codegen/mma.hpp"

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

}  // namespace

std::string mma_function(const TemplateSet& templates, const GemmStep& step) {
  switch (step.mma.atom().form) {
    case MmaForm::fma:
      return fma_function(templates, step);
    default:
      break;
  }
  throw Exception({ErrorCode::unsupported,
                   "mma",
                   step.mma.atom().name,
                   {"the code generator writes atoms of the forms: fma"},
                   {},
                   {},
                   {}});
}

}  // namespace jute::codegen
