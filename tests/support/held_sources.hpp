#pragma once
// The kernels of a held problem.
#include <jute/launch/source.hpp>

#include <vector>

#include "support/held_problems.hpp"

namespace jute::test {

/// Of all plans: of ranks, of a range of M, of a product's parts; none of a problem that is
/// refused.
[[nodiscard]] std::vector<Source> held_sources(const HeldProblem& held);

}  // namespace jute::test
