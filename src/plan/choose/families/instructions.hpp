#pragma once
// Which instructions multiply a problem's types.
#include <jute/plan/ask/config.hpp>

#include <vector>

#include "plan/shapes/candidate_rows.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The caller's atom; else those of tensor cores that multiply the types, best first, and then the
/// threads' own.
///   throws  unknown_name: the caller's atom
[[nodiscard]] std::vector<MmaAtom> instructions(const KernelProblem& problem,
                                                const DeviceInfo& device, const Config& config,
                                                const Catalogue& catalogue);

/// The instructions of a row's form for the problem, where the row suits it; of the caller's atom
/// that one alone.
[[nodiscard]] std::vector<MmaAtom> instructions_of(const GroupRow& row,
                                                   const KernelProblem& problem,
                                                   const DeviceInfo& device, const Config& config,
                                                   const Catalogue& catalogue);

/// Do warpgroups multiply the types as they lie?
[[nodiscard]] bool has_wgmma(const KernelProblem& problem, const DeviceInfo& device,
                             const Config& config, const Catalogue& catalogue);

}  // namespace jute::plan
