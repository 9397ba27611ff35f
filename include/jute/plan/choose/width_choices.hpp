#pragma once
// The width and the slices of K that a run is expected to take least with.
#include <jute/base/export.hpp>
#include <jute/plan/cost/width_cost.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace JUTE_API jute {

/// The cost of the plan's GEMM; none for kernels that the model says nothing of. It speaks of all.
[[nodiscard]] std::optional<KernelCost> kernel_cost(const Plan& plan);

/// The costs of all widths that a launch may give, or of the only one; none without a model.
[[nodiscard]] std::vector<WidthCost> width_costs(const Plan& plan);

/// The width that a run is expected to take least with.
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
