// Asks the model once for every number of rows.
#include "bundle/choices.hpp"

#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/choose/width_choices.hpp>
#include <jute/plan/cost/width_cost.hpp>
#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <limits>

namespace jute::bundle {
namespace {

/// The plans of a product with what the model says of their launches.
class Chooser {
 public:
  Chooser(const std::vector<Plan>& plans, const BundleProduct& product)
      : plans_(plans), product_(product), run_(run_values(plans.front().problem)) {
    for (const Plan& plan : plans) costs_.push_back(width_costs(plan));
  }

  [[nodiscard]] BundleChoice at(Index m) {
    run_.m = m;
    BundleChoice choice{.last_m = m};
    if (plans_.size() == 1 && costs_.front().size() < 2) return choice;
    const WidthChoice width = fastest(choice.kernel);
    if (width.width == 0) return choice;
    RunValues launched = run_;
    set_width(launched, gemm_step(plans_[choice.kernel]), width);
    choice.width = launched.width;
    choice.stages = launched.stages;
    choice.split_k = launched.split_k;
    return choice;
  }

 private:
  [[nodiscard]] bool has_room(size_t kernel) const {
    const BundleKernel& it = product_.kernels[kernel];
    return workspace_bytes(it.workspace, run_) <= it.workspace_bytes;
  }

  /// The largest kernel has room for every M.
  [[nodiscard]] WidthChoice fastest(size_t& kernel) const {
    double least = std::numeric_limits<double>::infinity();
    WidthChoice best;
    for (size_t i = first_for_rows(plans_, run_.m); i < plans_.size(); ++i) {
      const WidthChoice one = best_width(costs_[i], run_.m, run_.batch);
      if (one.clocks >= least || !has_room(i)) continue;
      least = one.clocks;
      best = one;
      kernel = i;
    }
    return best;
  }

  const std::vector<Plan>& plans_;
  const BundleProduct& product_;
  RunValues run_;
  std::vector<std::vector<WidthCost>> costs_;
};

bool is_same(BundleChoice left, const BundleChoice& right) {
  left.last_m = right.last_m;
  return left == right;
}

}  // namespace

std::vector<BundleChoice> choices_of(const std::vector<Plan>& plans, const BundleProduct& product,
                                     const std::optional<MRange>& range) {
  Chooser chooser(plans, product);
  const Index planned = plans.back().problem.m;
  const MRange rows = range.value_or(MRange{planned, planned});
  std::vector<BundleChoice> choices;
  for (Index m = rows.first; m <= rows.last; ++m) {
    const BundleChoice choice = chooser.at(m);
    if (choices.empty() || !is_same(choices.back(), choice)) choices.push_back(choice);
    choices.back().last_m = m;
  }
  return choices;
}

}  // namespace jute::bundle
