#pragma once
// Kernels whose threads multiply by themselves what lies in shared memory.
#include <vector>

#include "plan/choose/ranked/best_staged.hpp"

namespace jute::plan {

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
