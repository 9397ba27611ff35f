#pragma once
// The parameters of GEMM kernels.
#include <jute/plan/values/plan.hpp>

#include <vector>

#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Every parameter of the step's kernel in its order: addresses, numbers that are no literals,
/// scale factors.
[[nodiscard]] std::vector<KernelParameter> kernel_parameters(const GemmStep& step,
                                                             const KernelProblem& problem);
/// The parameter that passes a scale factor or a scalar of the type.
[[nodiscard]] ParameterKind scale_kind(DType type);

}  // namespace jute::plan
