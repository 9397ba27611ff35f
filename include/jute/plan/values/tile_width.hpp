#pragma once
// Kernels whose tiles take their columns from the launch, and into how many slices of K they are
// cut.
#include <jute/base/export.hpp>
#include <jute/plan/cost/kernel_cost.hpp>
#include <jute/plan/values/plan.hpp>

#include <memory>
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
  Index slices = 1;
  double clocks = 0;
};
/// Has a run's launch take tiles of so many columns, which are one of the step's widths, in so many
/// slices of K.
///   throws  out_of_range: more slices than blocks run together, for the rows of the run
void set_width(RunValues& run, const GemmStep& step, const WidthChoice& choice);

/// A kernel with tiles of one width in so many slices of K, as the model sees it.
struct WidthCost {
  Index width = 0;  ///< 0: the kernel has one
  KernelCost cost;
  bool operator==(const WidthCost&) const = default;
};
/// Of all that a launch may give, or of the only one; none where the model says nothing.
[[nodiscard]] std::vector<WidthCost> width_costs(const Plan& plan);

/// What a run is expected to take least with.
[[nodiscard]] WidthChoice best_width(const std::vector<WidthCost>& costs, Index m, Index batch);

/// The same for runs that come again: what was best for an M of late is not looked for again, where
/// there are as many matrices as usual. Any number of threads may ask.
class WidthChoices {
 public:
  WidthChoices(std::vector<WidthCost> costs, Index usual_batch);
  [[nodiscard]] WidthChoice best(Index m, Index batch) const;
  [[nodiscard]] const std::vector<WidthCost>& costs() const { return costs_; }

 private:
  struct Known;
  std::vector<WidthCost> costs_;
  Index usual_batch_;
  std::shared_ptr<Known> known_;
};

/// One of several kernels, and what its launch says.
struct KernelAndWidth {
  std::size_t kernel = 0;
  WidthChoice choice;
};
}  // namespace jute
