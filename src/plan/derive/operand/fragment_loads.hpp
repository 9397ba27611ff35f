#pragma once
// How threads load their fragments straight from global memory.
#include <jute/plan/values/plan.hpp>

#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Sets accesses and their order for both operands: neighbours in memory together, and whole chunks
/// of 16 bytes wherever rows begin, if what is loaded together begins alike.
void load_fragments(GemmStep& step, const KernelProblem& problem);

}  // namespace jute::plan
