#pragma once
// The finite set of kernels that serve problems whose numbers are known beforehand.
#include <jute/base/export.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/values/fields.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// The loss that the cost model expects of an M with the kernels of a cover: the part by which its
/// run is longer than with the kernel that is planned for that M alone.
struct ExpectedLoss {
  double part = 0;  ///< 0.03: 3 %
  Index m = 0;
};

/// A problem, and the kernels that serve all its M.
struct CoveredProblem {
  Problem problem;          ///< completed
  std::vector<Plan> plans;  ///< as make_plans gives them
  /// The M that loses most, of those that are looked at; none where a caller chose the kernel.
  std::optional<ExpectedLoss> worst{};
};

struct Cover {
  std::vector<CoveredProblem> problems;
};
[[nodiscard]] std::size_t kernel_count(const Cover& cover);

struct CoverOptions {
  Config config{};
  RangeLimits limits{};
};
/// Plans all of them. Needs no GPU and no compiler.
///   throws  what make_plans throws, with the problem's text as detail
[[nodiscard]] Cover cover(std::span<const Problem> problems, const DeviceInfo& device,
                          const CoverOptions& options = {}, const Catalogue& catalogue = {});

/// `problems`: each with its kernels, its worst loss and the bytes of its workspace.
[[nodiscard]] Fields fields(const Cover& cover);
/// A paragraph a problem.
[[nodiscard]] std::string to_string(const Cover& cover);

}  // namespace jute
