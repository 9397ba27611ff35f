#pragma once
// Landings: what TMA puts into subtiles of shared memory ahead of D.
#include <jute/plan/derive/operand/fragment.hpp>
#include <jute/plan/values/plan.hpp>

#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Has C, or else the first matrix that lies as D does, land in the drain's subtiles; a View of C
/// by a map of its own. Nothing lands where none lies so.
void choose_landing(GemmStep& step, const KernelProblem& problem, const Fragment& c,
                    const Catalogue& catalogue);

}  // namespace jute::plan
