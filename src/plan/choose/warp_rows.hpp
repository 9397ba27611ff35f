#pragma once
// Tiles for instructions of warps, by whoever brings them to shared memory.
#include <vector>

#include "plan/choose/ranked/best_staged.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// At most so many, fastest first: what a producer loads, where the operands lie for it, and what
/// the warps copy. None where neither is ranked, or better than what the table has.
[[nodiscard]] std::vector<Candidate> ranked_warp_rows(const MmaAtom& atom,
                                                      const KernelProblem& problem,
                                                      const DeviceInfo& device, BestStaged& staged,
                                                      size_t most);

}  // namespace jute::plan
