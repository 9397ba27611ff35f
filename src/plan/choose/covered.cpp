// A range of M is shared out where the caller leaves the kernel open.
#include "plan/choose/covered.hpp"

#include <algorithm>

#include "base/format.hpp"
#include "plan/ask/broken_rule.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/choose/planning.hpp"
#include "plan/choose/row_search.hpp"
#include "plan/derive/block_of.hpp"

namespace jute::plan {
namespace {

void check_limits(const RangeLimits& limits) {
  if (limits.kernels < 1 || !(limits.loss >= 0))
    refuse({broken("limits of a range", base::format("{}, {}", limits.kernels, limits.loss),
                   "a range of M needs a kernel at least, and may lose 0 of the time or more",
                   base::format("{}, {}", kMostKernelsOfRange, kLossOfRange))});
}

}  // namespace

CoveredProblem covered(const Problem& problem, const DeviceInfo& device, const Config& config,
                       const Catalogue& catalogue, const RangeLimits& limits) {
  const Problem whole = completed(problem);
  check_limits(limits);
  if (!whole.m_range)
    return {whole, {one_plan(whole, device, config, catalogue)}, ExpectedLoss{0, whole.m}};
  if (config.specialize == Specialize::all)
    refuse({broken("specialize", "all", "a range of M needs kernels that hold no M", "usual")});
  if (config.reduction == SplitK::all_add)
    refuse({broken("reduction", "all_add",
                   "a range of M needs kernels whose grid may be of any size", "last_adds")});
  const Problem last = for_rows(whole, whole.m_range->last);
  const Found found = fastest({last, device, config, catalogue});
  const Options& options = found.options;
  if (options.candidates.empty()) refuse(std::get<Errors>(found.step));
  if (!is_ranked(config)) return {whole, {one_plan(last, device, config, catalogue)}, {}};
  // All kernels of warpgroups read the same copies, but of what few rows convert on its way.
  Config same = config;
  same.reduction = config.reduction.value_or(SplitK::last_adds);
  const auto* step = std::get_if<GemmStep>(&found.step);
  const auto converts = [](const Move& move) { return move.conversion.has_value(); };
  if (options.moves && step != nullptr && is_of_warpgroups(*step) &&
      std::ranges::none_of(options.moves->moves, converts)) {
    same.pad = true;
    same.transpose = transposes(options);
  }
  return plans_of_rows({whole, device, same, catalogue, limits});
}

}  // namespace jute::plan
