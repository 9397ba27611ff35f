#pragma once
// The bytes of a matrix that no kernel can do without: however often tiles ask for them, memory
// moves them once.
#include <jute/plan/values/plan.hpp>

namespace jute::plan {

/// Of all matrices of so many elements. One that all have in common is moved once, as are elements
/// of a View that several coordinates name.
struct MovedMatrix {
  int bits;  ///< of an element in memory
  double elements, batch;
  const Extent& batch_stride;
  const std::optional<View>& view;
};
[[nodiscard]] double least_bytes(const MovedMatrix& matrix);

/// Of a step.
[[nodiscard]] double least_bytes(const GemmStep& step, const OperandPlan& operand,
                                 const Extent& rows);
/// None where D is not among the outputs.
[[nodiscard]] double least_bytes_of_d(const GemmStep& step);

}  // namespace jute::plan
