// Which numbers a kernel is given, and which it holds as literals.
#include "plan/parameters.hpp"

#include <algorithm>

namespace jute {
namespace plan {
namespace {

ParameterKind scale_kind(DType accumulate) {
  if (accumulate == DType::f64) return ParameterKind::f64;
  return accumulate == DType::s32 ? ParameterKind::i32 : ParameterKind::f32;
}

/// The number as the kernel has it.
Count held(const Extent& extent) { return extent.baked ? Count(extent.value) : extent.count; }

}  // namespace

std::vector<KernelParameter> kernel_parameters(const GemmStep& step, const KernelProblem& problem) {
  std::vector<KernelParameter> list;
  const auto add_base = [&](const char* name, const Base& base) {
    list.push_back({name, ParameterKind::pointer, base});
  };
  add_base("a", problem.a.base);
  add_base("b", problem.b.base);
  if (step.epilogue.beta != Scale::zero) add_base("c", problem.c.base);
  add_base("d", problem.d.base);
  for (const KernelNumber& number : numbers(step))
    if (!number.extent.baked)
      list.push_back({std::string(number.name), number.kind, number.extent.count});
  const ParameterKind kind = scale_kind(step.accumulate);
  if (step.epilogue.alpha == Scale::run_time) list.push_back({"alpha", kind, ScaleFactor::alpha});
  if (step.epilogue.beta == Scale::run_time) list.push_back({"beta", kind, ScaleFactor::beta});
  return list;
}

Count tiles(const GemmStep& step) {
  return ceil_div(held(step.m), step.tile.m) * ceil_div(held(step.n), step.tile.n) *
         held(step.batch);
}

}  // namespace plan

std::vector<KernelNumber> numbers(const GemmStep& step) {
  using enum ParameterKind;
  std::vector<KernelNumber> list{{"m", i32, step.m},
                                 {"n", i32, step.n},
                                 {"k", i32, step.k},
                                 {"lda", i64, step.a.ld},
                                 {"ldb", i64, step.b.ld},
                                 {"ldc", i64, step.epilogue.ldc},
                                 {"ldd", i64, step.epilogue.ldd},
                                 {"batch_stride_a", i64, step.a.batch_stride},
                                 {"batch_stride_b", i64, step.b.batch_stride},
                                 {"batch_stride_c", i64, step.epilogue.c_batch_stride},
                                 {"batch_stride_d", i64, step.epilogue.d_batch_stride}};
  if (step.epilogue.beta == Scale::zero)
    std::erase_if(list, [](const KernelNumber& number) {
      return number.name == "ldc" || number.name == "batch_stride_c";
    });
  return list;
}

Signature signature(const StepHead& head) {
  Signature result;
  for (const KernelParameter& parameter : head.parameters)
    result.parameters.push_back({parameter.name, parameter.kind});
  return result;
}

const StepHead& head_of(const Step& step) {
  return std::visit([](const auto& one) -> const StepHead& { return one; }, step);
}

std::string to_string(const KernelParameter& parameter) {
  struct Text {
    std::string operator()(const Base& base) const { return std::visit(*this, base); }
    std::string operator()(const Argument& argument) const {
      return std::string(1, "abcd"[static_cast<size_t>(argument.tensor)]);
    }
    std::string operator()(const InWorkspace& place) const { return "workspace " + place.region; }
    std::string operator()(const Count& count) const { return to_string(count); }
    std::string operator()(ScaleFactor factor) const {
      return factor == ScaleFactor::alpha ? "alpha" : "beta";
    }
  };
  return std::string(name(parameter.kind)) + " " + parameter.name + " = " +
         std::visit(Text(), parameter.role);
}

}  // namespace jute
