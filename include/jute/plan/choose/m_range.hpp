#pragma once
// The kernels of a problem whose rows differ from run to run.
#include <jute/base/export.hpp>
#include <jute/plan/cost/prediction.hpp>
#include <jute/plan/values/plan.hpp>

#include <cstddef>
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

/// The place of the first plan that is for so many rows: it and those behind it are those that the
/// model is asked of. Of more rows than any is for, all are.
[[nodiscard]] std::size_t first_for_rows(std::span<const Plan> plans, Index m);

/// The one of those that the model expects to be the fastest for such rows; the first of several.
[[nodiscard]] const Plan& plan_for_m(std::span<const Plan> plans, Index m);

/// `kernels`: of each the greatest M that it is the best for, and what it is.
[[nodiscard]] Fields fields(std::span<const Plan> plans);

}  // namespace jute
