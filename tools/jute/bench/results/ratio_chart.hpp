#pragma once
// A picture of who was faster.
#include <span>
#include <string>

#include "bench/results/results.hpp"

namespace jute::bench {

/// SVG: a bar for each of jute's contestants in each mode, as long as the fastest peer's time over
/// its own, the best first; a line marks the peer, 1. What has no ratio, or a wrong result, is left
/// out.
[[nodiscard]] std::string ratio_chart(const Machine& machine, std::span<const Result> results);

}  // namespace jute::bench
