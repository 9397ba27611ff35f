#pragma once
// What a chip's row makes of models whose constants are times of one chip.
#include <jute/plan/cost/prediction.hpp>
#include <jute/plan/values/work.hpp>

#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The row beside that chip's, and what no kernel of a problem takes less than.
struct RowScale {
  double memory = 1;   ///< bytes in a clock, of that chip's
  double threads = 1;  ///< clocks of a multiply-add, of that chip's
  double least = 0;    ///< clocks of all products, or of all bytes, whichever are more
};
/// Of instructions of a form.
[[nodiscard]] RowScale row_scale(const KernelProblem& problem, MmaForm form,
                                 const DeviceInfo& device);
/// Likewise, of a problem that was kept.
[[nodiscard]] RowScale row_scale(const WorkProblem& problem, MmaForm form,
                                 const DeviceInfo& device);

/// Whichever of work and memory is longer grows by what is expected too little.
void hold_above_least(Prediction& prediction, const RowScale& scale);

}  // namespace jute::plan
