#pragma once
// The kernels of a problem whose rows differ from run to run.
#include <jute/base/export.hpp>
#include <jute/plan/cost/prediction.hpp>
#include <jute/plan/values/plan.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace JUTE_API jute {

/// How many kernels a range of M may have, and by how much each of its runs may be slower than with
/// the kernel that is planned for its M alone, as the cost model sees both.
inline constexpr int kMostKernelsOfRange = 8;
inline constexpr double kLossOfRange = 0.03;
struct RangeLimits {
  int kernels = kMostKernelsOfRange;  ///< at least 1
  double loss = kLossOfRange;         ///< of the time; 0.03 are 3 %
  bool operator==(const RangeLimits&) const = default;
};

/// The fewest kernels with which no M of the problem's m_range loses more than that. Where so many
/// are not enough, those that lose least, half of the weight on rows and half on octaves. One where
/// the problem has no range, or where the caller has chosen it.
/// Each is right for every M; each plan's problem has as m the greatest that it is the best for, so
/// that its workspace is large enough, and no m_range. In the order of those.
///   throws  what make_plan throws; illegal_config: M is a literal, a limit allows nothing
[[nodiscard]] std::vector<Plan> make_plans(const Problem& problem, const DeviceInfo& device,
                                           const Config& config = {},
                                           const Catalogue& catalogue = {},
                                           const RangeLimits& limits = {});

/// Among plans that share out M, as those do that no warpgroup multiplies for and those of weights
/// that threads may convert: the place of the one for such rows, or for the most. None where the
/// model is asked which is the fastest.
[[nodiscard]] std::optional<std::size_t> place_by_rows(std::span<const Plan> plans, Index m);

/// The plan that the model expects to be the fastest for such rows; the first of several.
[[nodiscard]] const Plan& plan_for_m(std::span<const Plan> plans, Index m);

/// `kernels`: of each the greatest M that it is the best for, and what it is.
[[nodiscard]] Fields fields(std::span<const Plan> plans);

}  // namespace jute
