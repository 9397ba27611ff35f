#pragma once
// Choices with which a row of D is the same whatever rows stand beside it.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>

namespace JUTE_API jute {

struct BatchInvariant {
  Config config;      ///< for any M, and for ranges of M
  std::string order;  ///< sum_order of every plan that is made with it
};

/// Holds planning to one order of sums and one arithmetic for all M: K is not cut, blocks begin at
/// its start, and the main loop is one that every M can have, the fastest for many rows first. What
/// the caller chooses stays.
///   throws  illegal_config: the caller's choices cut K or let blocks begin elsewhere;
///           unsupported: no main loop serves all M in one order; what make_plan throws
[[nodiscard]] BatchInvariant batch_invariant(const Problem& problem, const DeviceInfo& device,
                                             const Config& config = {},
                                             const Catalogue& catalogue = {});

}  // namespace jute
