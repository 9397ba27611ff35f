// Counts the blocks of a plan's launches.
#include "plan/rules/grid_rules.hpp"

#include <jute/plan/values/planned_values.hpp>

#include <iterator>

#include "base/format.hpp"
#include "plan/chip/grid_limits.hpp"

namespace jute::plan {

Errors grid_rules(const Plan& plan) {
  constexpr const char* kAxes[] = {"first", "second", "third"};
  Errors errors;
  const RunValues planned = run_values(plan);
  for (const Step& step : plan.steps)
    for (size_t axis = 0; axis < std::size(kAxes); ++axis) {
      const Index blocks = head_of(step).grid[axis].evaluate(planned);
      const Index most = axis == 0 ? kMostBlocksAlong : kMostBlocksAcross;
      if (blocks > most)
        errors.push_back(broken("grid", std::to_string(blocks),
                                base::format("a grid must have at most {} blocks along its {} "
                                             "axis; the problem's extents give this one more",
                                             most, kAxes[axis]),
                                std::to_string(most)));
    }
  return errors;
}

}  // namespace jute::plan
