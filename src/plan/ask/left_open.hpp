#pragma once
// What a caller leaves to planning.
#include <jute/plan/ask/config.hpp>

namespace jute::plan {

/// What tiles of warp-specialised kernels are ranked by?
[[nodiscard]] bool is_ranked(const Config& config);
/// Likewise, but for the instruction?
[[nodiscard]] bool is_ranked_but_for_atom(const Config& config);

}  // namespace jute::plan
