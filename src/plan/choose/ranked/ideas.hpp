#pragma once
// What a candidate is an example of.
#include <string>

#include "plan/values/candidates.hpp"

namespace jute::plan {

/// The family and the schedule of a candidate: `wgmma by TMA, ping-pong of 2`.
[[nodiscard]] std::string idea_of(const Candidate& candidate);

}  // namespace jute::plan
