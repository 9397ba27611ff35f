#pragma once
// Candidates that models of two families rank together.
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

/// What a producer loads for them, and what they copy asynchronously, fastest first by the models:
/// at most so many, and none where the caller fixed what these are ranked by.
[[nodiscard]] std::vector<Candidate> ranked_thread_rows(const MmaAtom& atom,
                                                        const KernelProblem& problem,
                                                        const Config& config, BestStaged& staged,
                                                        size_t most);

/// Rows of a table: there is always one, for any types and any chip.
[[nodiscard]] std::vector<Candidate> thread_rows(const MmaAtom& atom, const KernelProblem& problem,
                                                 const DeviceInfo& device);

}  // namespace jute::plan
