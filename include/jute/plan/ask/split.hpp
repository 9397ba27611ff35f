#pragma once
// The precisions for which f32 operands are split into terms that tensor cores multiply.
#include <jute/base/export.hpp>
#include <jute/plan/ask/problem.hpp>

#include <span>
#include <string_view>

namespace JUTE_API jute {

/// The terms that a precision makes of an operand: x = term 0 + term 1 + …, each the rest rounded.
struct Split {
  Precision precision = Precision::f32;
  std::string_view name;
  DType term = DType::f32;
  int terms = 1;
};
[[nodiscard]] std::span<const Split> splits();
/// None of f32, which is not split.
[[nodiscard]] const Split* split_of(Precision precision);

}  // namespace jute
