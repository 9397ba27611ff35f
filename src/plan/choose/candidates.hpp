#pragma once
// Every way that a chip has for a problem, in order of preference.
#include <cstddef>
#include <vector>

#include "plan/ask/broken_rule.hpp"
#include "plan/choose/families/ranked_list.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Which candidates are looked for.
struct Wanted {
  size_t most = kAllCandidates;
  double limit = kNoLimit;  ///< of clocks: there may be none that takes less
  Readers readers = Readers::all;
};

/// Candidates, or what a caller chose that none of them has.
struct Offers {
  std::vector<RankedCandidate> list;
  Errors broken;
};

/// Every way that the chip has for the problem, fewest expected clocks first: of groups over sizes
/// about the expected. The caller's choice of an atom leaves that one alone. There is one, threads
/// multiply whatever types there are, but for what a caller chose.
///   throws  unknown_name: the caller's atom
[[nodiscard]] Offers candidates(const KernelProblem& problem, const DeviceInfo& device,
                                const Config& config, const Catalogue& catalogue,
                                const Wanted& wanted = {});

}  // namespace jute::plan
