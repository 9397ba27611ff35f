#pragma once
// The steps of planning: what there is to choose from, a candidate derived, a plan put together.
#include <jute/plan/plan.hpp>

#include <vector>

#include "plan/candidates.hpp"
#include "plan/gemm_step.hpp"
#include "plan/kernel_problem.hpp"

namespace jute::plan {

/// What planning is asked.
struct Planning {
  const Problem& problem;  ///< completed
  const DeviceInfo& device;
  const Config& config;
  const Catalogue& catalogue;
};

/// What planning has to choose from.
struct Options {
  KernelProblem kernel;
  std::vector<PadStep> pads;
  std::vector<Candidate> candidates;
};

/// Operands are padded where their copies then travel asynchronously.
[[nodiscard]] Options options_for(const Problem& problem, const DeviceInfo& device,
                                  const Config& config, const Catalogue& catalogue);

/// The step of a candidate, or every rule that it breaks.
[[nodiscard]] Derived derived(const Planning& planning, const Options& options,
                              const Candidate& candidate);

/// The step behind what prepares its operands.
[[nodiscard]] Plan whole_plan(const Planning& planning, const Options& options, GemmStep step);

}  // namespace jute::plan
