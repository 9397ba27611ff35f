#pragma once
// The steps of planning: what there is to choose from, a candidate derived, a plan put together.
#include <jute/plan/ask/other_rows.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <vector>

#include "plan/choose/candidates.hpp"
#include "plan/choose/ways/open_wishes.hpp"
#include "plan/derive/gemm_step.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// A question to planning.
struct Planning {
  const Problem& problem;  ///< completed
  const DeviceInfo& device;
  const Config& config;
  const Catalogue& catalogue;
  RangeLimits limits{};  ///< of the kernels of a range of M
};

/// The candidates that planning has to choose from.
struct Options {
  KernelProblem kernel;
  std::optional<MoveStep> moves;  ///< before the kernel
  std::vector<RankedCandidate> candidates;
};

struct Way;
/// A problem as a way presents it, with so many of what may compute it.
struct Presented {
  const Way* way;
  size_t place;  ///< among the way's presentations
  Options options;
  double moves;  ///< clocks of those around the kernel
};
[[nodiscard]] std::vector<Presented> presented(const Planning& planning, size_t most);

/// A step, with what it was chosen from.
struct Found {
  Options options;
  Derived step;  ///< or what keeps the nearest one from being legal
};

/// The first legal step of whichever way to present operands is expected to take least with the
/// moves around it. Where all break rules, those of the way that breaks fewest.
[[nodiscard]] Found fastest(const Planning& planning);
/// All that the way of that has.
///   throws  illegal_config: no way has any
[[nodiscard]] Options options_for(const Planning& planning);

/// So many times what a candidate takes must be less than what was found ahead of it takes once it
/// is derived: more than once where problems share kernels, of which another would be one more.
[[nodiscard]] double worth_of_another(const Config& config);

/// Do kernels walk the problem's Views as they lie?
[[nodiscard]] bool walks_views(const Options& options);
/// Or are some copied, though TMA may move others?
[[nodiscard]] bool packs_views(const Options& options);
/// Does a copy of theirs lie otherwise than the operand?
[[nodiscard]] bool transposes(const Options& options);

/// A plan, or the rules that keep every way from one.
using Planned = std::variant<Plan, Errors>;
/// The plan of a problem whose rows are those of every run: that of what is expected to take least.
[[nodiscard]] Planned planned(const Problem& problem, const DeviceInfo& device,
                              const Config& config, const Catalogue& catalogue);
///   throws  as make_plan
[[nodiscard]] Plan one_plan(const Problem& problem, const DeviceInfo& device, const Config& config,
                            const Catalogue& catalogue);

/// The step behind what prepares its operands, where a launch can be of so many blocks.
[[nodiscard]] Planned whole_plan(const Planning& planning, const Options& options, GemmStep step);

}  // namespace jute::plan
