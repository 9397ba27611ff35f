#pragma once
// Operands that are multiplied as they lie, whose products are scaled as they are summed.
#include <jute/plan/values/plan.hpp>

namespace jute::plan {

/// Are both operands of a completed problem numbers of 8 bits that instructions multiply as they
/// are, with scales that products of a run of k have in common? What they would become holds them
/// less exactly.
[[nodiscard]] bool may_scale_products(const Problem& problem);
/// Does the kernel multiply sums by scales as it adds them?
[[nodiscard]] bool scales_products(const GemmStep& step);
/// Is it one that multiplies operands as they are, though others convert them?
[[nodiscard]] bool multiplies_as_they_are(const Problem& problem, const GemmStep& step);
/// The problem as such kernels find it: nothing becomes another number, scales along all of K are
/// the epilogue's.
///   throws  what completed throws
[[nodiscard]] Problem as_multiplied(Problem problem);

}  // namespace jute::plan
