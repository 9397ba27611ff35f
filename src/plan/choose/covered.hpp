#pragma once
// The kernels of one problem, of all its M.
#include <jute/plan/choose/cover.hpp>

namespace jute::plan {

/// The kernels of a problem, which may have a range of M, with the M that loses most.
///   throws  as make_plans
[[nodiscard]] CoveredProblem covered(const Problem& problem, const DeviceInfo& device,
                                     const Config& config, const Catalogue& catalogue,
                                     const RangeLimits& limits);

}  // namespace jute::plan
