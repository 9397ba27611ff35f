#pragma once
// Wishes of callers for main loop, clusters, grid and launch.
#include <jute/plan/ask/config.hpp>

#include <vector>

#include "plan/choose/candidates.hpp"

namespace jute::plan {

/// Does the caller ask for anything that some candidates cannot do?
[[nodiscard]] bool has_wishes(const Config& config);

/// The candidates that can do what the caller wishes, or the wish that none has.
[[nodiscard]] Offers with_wishes(std::vector<RankedCandidate> list, const Config& config);

}  // namespace jute::plan
