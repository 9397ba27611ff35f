#pragma once
// The problem of a kept work, as models ask for it.
#include <jute/plan/values/work.hpp>

#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

[[nodiscard]] KernelProblem problem_of(const WorkProblem& work);

}  // namespace jute::plan
