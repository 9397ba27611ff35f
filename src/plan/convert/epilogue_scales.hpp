#pragma once
// Scales along all of K, which multiply whole sums: the epilogue does.
#include <jute/plan/convert/epilogue_scales.hpp>

#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Is there room for them in the problem's epilogue?
[[nodiscard]] bool has_room_for_scales(const Problem& problem);
/// The kernel of such a problem finds those inputs where `problem`, as it was asked for, has its
/// scales.
void find_epilogue_scales(KernelProblem& kernel, const Problem& problem);

}  // namespace jute::plan
