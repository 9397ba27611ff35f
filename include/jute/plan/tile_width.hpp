#pragma once
// Kernels whose tiles take their columns from the launch.
#include <jute/base/export.hpp>
#include <jute/plan/plan.hpp>
#include <jute/plan/prediction.hpp>

#include <vector>

namespace JUTE_API jute {

/// Does a launch say how many columns tiles have?
[[nodiscard]] inline bool has_widths(const GemmStep& step) { return !step.schedule.widths.empty(); }

/// K-tiles that shared memory holds where tiles have so many columns, no more than have barriers.
[[nodiscard]] int stages_of_width(const GemmStep& step, Index width);

/// The step's instruction with the columns of each width; where it has none, itself.
[[nodiscard]] std::vector<MmaAtom> atoms_of_widths(const GemmStep& step);

/// Has a run's launch take tiles of so many columns, which are one of the step's widths.
void set_width(RunValues& run, const GemmStep& step, Index width);

/// A kernel with tiles of one width, as the model sees it.
struct WidthCost {
  Index width = 0;  ///< 0: the kernel has one
  KernelCost cost;
  bool operator==(const WidthCost&) const = default;
};
/// Of each width that a launch may give, or of the only one; none where the model says nothing.
[[nodiscard]] std::vector<WidthCost> width_costs(const Plan& plan);

/// The width that a run is expected to take least with, and its clocks.
struct WidthChoice {
  Index width = 0;
  double clocks = 0;
};
/// One of several kernels, and a width of its tiles.
struct KernelAndWidth {
  std::size_t kernel = 0;
  Index width = 0;
};
[[nodiscard]] WidthChoice best_width(const std::vector<WidthCost>& costs, Index m, Index batch);

}  // namespace jute
