// Which numbers a kernel is given, and which it holds as literals.
#include "codegen/parameters.hpp"

#include <utility>
#include <vector>

#include "base/format.hpp"

namespace jute::codegen {
namespace {

struct Number {
  std::string_view name;
  Extent extent;
  ParameterKind kind;
};

std::string_view c_type(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::i32:
      return "int";
    case ParameterKind::i64:
      return "long long";
    case ParameterKind::f32:
      return "float";
    case ParameterKind::f64:
      return "double";
    default:
      break;
  }
  return "void*";
}

std::vector<Number> numbers(const GemmStep& step) {
  using enum ParameterKind;
  std::vector<Number> list{{"m", step.m, i32},
                           {"n", step.n, i32},
                           {"k", step.k, i32},
                           {"lda", step.a.ld, i64},
                           {"ldb", step.b.ld, i64},
                           {"ldc", step.epilogue.ldc, i64},
                           {"ldd", step.epilogue.ldd, i64},
                           {"batch_stride_a", step.a.batch_stride, i64},
                           {"batch_stride_b", step.b.batch_stride, i64},
                           {"batch_stride_c", step.epilogue.c_batch_stride, i64},
                           {"batch_stride_d", step.epilogue.d_batch_stride, i64}};
  if (step.epilogue.beta == Scale::zero)
    std::erase_if(list, [](const Number& number) {
      return number.name == "ldc" || number.name == "batch_stride_c";
    });
  return list;
}

ParameterKind scale_kind(DType accumulate) {
  if (accumulate == DType::f64) return ParameterKind::f64;
  return accumulate == DType::s32 ? ParameterKind::i32 : ParameterKind::f32;
}

}  // namespace

std::string compute_type(DType accumulate) { return std::string(c_type(scale_kind(accumulate))); }

ParameterList parameters(const GemmStep& step) {
  ParameterList list;
  std::vector<std::string> declarations;
  const auto add = [&](std::string_view name, ParameterKind kind, std::string declaration) {
    list.signature.parameters.push_back({std::string(name), kind});
    declarations.push_back(std::move(declaration));
  };
  add("a", ParameterKind::pointer, "const ElemA* __restrict__ a");
  add("b", ParameterKind::pointer, "const ElemB* __restrict__ b");
  if (step.epilogue.beta != Scale::zero) add("c", ParameterKind::pointer, "const ElemC* c");
  add("d", ParameterKind::pointer, "ElemD* d");
  for (const Number& number : numbers(step)) {
    if (number.extent.baked)
      list.constants += base::format("constexpr {} {} = {};\n", c_type(number.kind), number.name,
                                     number.extent.value);
    else
      add(number.name, number.kind, base::format("{} {}", c_type(number.kind), number.name));
  }
  const ParameterKind scale = scale_kind(step.accumulate);
  if (step.epilogue.alpha == Scale::run_time)
    add("alpha", scale, base::format("{} alpha", c_type(scale)));
  if (step.epilogue.beta == Scale::run_time)
    add("beta", scale, base::format("{} beta", c_type(scale)));
  if (step.epilogue.beta == Scale::one)
    list.constants += base::format("constexpr {} beta = 1;\n", c_type(scale));
  for (size_t i = 0; i < declarations.size(); ++i)
    list.text += declarations[i] + (i + 1 < declarations.size() ? ",\n" : "");
  return list;
}

}  // namespace jute::codegen
