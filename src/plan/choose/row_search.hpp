#pragma once
// Few kernels for a range of M.
#include <jute/plan/choose/cover.hpp>

#include "plan/choose/planning.hpp"

namespace jute::plan {

/// The fewest kernels with which no M that is looked at loses more than the limits allow; where
/// more were needed, as many that lose as little as they can.
[[nodiscard]] CoveredProblem plans_of_rows(const Planning& planning);

}  // namespace jute::plan
