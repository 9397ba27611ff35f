#pragma once
// A caller's open wishes, as a problem's kind decides them.
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/problem.hpp>

namespace jute::plan {

/// The config in which all that kernels of groups do not have is left out, but for the caller's own
/// wishes: those are refused.
[[nodiscard]] Config for_groups(const Config& config, const Problem& problem);

}  // namespace jute::plan
