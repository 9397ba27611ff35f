#pragma once
// Views that TMA moves where they lie, in place of strides.
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Has A, B, C or D a View whose numbers a run says?
[[nodiscard]] bool has_run_time_views(const Problem& problem);

/// May TMA move boxes of the operand's View? Its neighbours lie side by side, in runs of 16 bytes
/// that begin at multiples of these; 16-bit types along any dimension, others along K.
[[nodiscard]] bool may_be_boxes(const Matrix& matrix, TensorRole tensor);

/// All Views of the kernel's operands are moved as boxes, as if rows were where their runs begin.
void bring_by_boxes(KernelProblem& problem);

}  // namespace jute::plan
