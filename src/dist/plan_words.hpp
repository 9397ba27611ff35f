#pragma once
// What a distributed plan's text and its sentences have in common.
#include <jute/dist/distributed_plan.hpp>

#include <string>

namespace jute::dist {

/// `33.5 MB`
[[nodiscard]] std::string bytes_text(Index bytes);
/// Why this share.
[[nodiscard]] std::string why_text(const DistributedPlan& plan);
/// Where the times come from: what was measured among other ranks foretells, and no more.
[[nodiscard]] std::string basis_text(const DistributedPlan& plan);

}  // namespace jute::dist
