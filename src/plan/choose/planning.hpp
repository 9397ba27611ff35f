#pragma once
// The steps of planning: what there is to choose from, a candidate derived, a plan put together.
#include <jute/plan/ask/other_rows.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <vector>

#include "plan/choose/candidates.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// What planning is asked.
struct Planning {
  const Problem& problem;  ///< completed
  const DeviceInfo& device;
  const Config& config;
  const Catalogue& catalogue;
  RangeLimits limits{};  ///< of the kernels of a range of M
};

/// What planning has to choose from.
struct Options {
  KernelProblem kernel;
  std::optional<MoveStep> moves;  ///< before the kernel
  std::vector<RankedCandidate> candidates;
};

/// Operands are padded where their copies then travel asynchronously, and transposed where what
/// reads the copies is expected to save more than they cost.
///   gives  `most` candidates at least, if there are as many
[[nodiscard]] Options options_for(const Planning& planning, size_t most = kAllCandidates);

/// Is it of operands that threads may convert as they are stored, and not multiplied as they are?
[[nodiscard]] bool may_read_stored(const Plan& plan);

/// The config in which all that kernels of groups do not have is left out, but for the caller's own
/// wishes: those are refused.
[[nodiscard]] Config for_groups(const Config& config, const Problem& problem);

/// Do kernels walk the problem's Views as they lie?
[[nodiscard]] bool walks_views(const Options& options);
/// Or are some copied, though TMA may move others?
[[nodiscard]] bool packs_views(const Options& options);
/// Does a copy of theirs lie otherwise than the operand?
[[nodiscard]] bool transposes(const Options& options);

/// The plan of a problem whose rows are those of every run: that of its first legal candidate.
///   throws  as make_plan
[[nodiscard]] Plan one_plan(const Problem& problem, const DeviceInfo& device, const Config& config,
                            const Catalogue& catalogue);

/// The step behind what prepares its operands.
[[nodiscard]] Plan whole_plan(const Planning& planning, const Options& options, GemmStep step);

}  // namespace jute::plan
