#pragma once
// Kernels whose tiles take their columns from the launch, and into how many slices of K they are
// cut.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

#include <vector>

namespace JUTE_API jute {

/// Does a launch say how many columns tiles have?
[[nodiscard]] inline bool has_widths(const GemmStep& step) { return !step.schedule.widths.empty(); }

/// Bytes at whose multiples stages begin, of A and of B, where a launch says how many there are:
/// the span of every swizzle divides it.
inline constexpr int kStagesAlignment = 1024;
/// Does a launch say how many stages there are?
[[nodiscard]] inline bool says_stages(const GemmStep& step) {
  return has_widths(step) || says_cluster(step.schedule);
}

/// K-tiles that shared memory holds where tiles have so many columns, no more than have barriers.
[[nodiscard]] int stages_of_width(const GemmStep& step, Index width);

/// The step's instruction with the columns of each width; where it has none, itself.
[[nodiscard]] std::vector<MmaAtom> atoms_of_widths(const GemmStep& step);

/// A width of a kernel's tiles and slices of K, and the clocks that a run is expected to take.
struct WidthChoice {
  Index width = 0;  ///< 0: the kernel has one
  Index split_k = 1;
  double clocks = 0;
};

}  // namespace jute
