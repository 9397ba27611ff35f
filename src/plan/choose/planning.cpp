// A plan from the step that was found: that, and the steps around it.
#include "plan/choose/planning.hpp"

#include <jute/plan/values/plan.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "plan/ask/broken_rule.hpp"
#include "plan/convert/product_scales.hpp"
#include "plan/derive/drain/regions.hpp"
#include "plan/derive/moves.hpp"
#include "plan/derive/operand/conversion.hpp"
#include "plan/derive/sums.hpp"
#include "plan/rules/grid_rules.hpp"
#include "plan/values/workspace.hpp"

namespace jute::plan {
Planned whole_plan(const Planning& planning, const Options& options, GemmStep step) {
  Plan plan{planning.problem, planning.device, {}, {}};
  std::optional<MoveStep> sums = sum_operands(planning.problem, planning.device);
  if (sums) {
    follow(*sums, step);
    for (const OperandSum& sum : sums->sums)
      if (!sum.region.empty()) plan.workspace.push_back({sum.region, sum_bytes(sum)});
    if (!sums->follows) plan.steps.emplace_back(*sums);
  }
  if (options.moves) {
    for (const Move& move : options.moves->moves)
      plan.workspace.push_back({move.region, copy_bytes(move)});
    if (!options.moves->list.empty())
      plan.workspace.push_back({options.moves->list, copied_list_bytes()});
    plan.steps.emplace_back(*options.moves);
  }
  const auto add_view = [&](TensorRole tensor, const KernelMatrix& matrix) {
    if (matrix.view || matrix.boxed) return;  // the kernel walks it, or TMA moves it
    std::optional<MoveStep> moves = view_step(planning.problem, tensor, planning.device);
    if (!moves) return;
    const Move& move = moves->moves.front();
    plan.workspace.push_back({move.region, copy_bytes(move)});
    if (move.scaling) plan.workspace.push_back({move.scaling->region, most_bytes(move)});
    plan.steps.emplace_back(*std::move(moves));
  };
  add_view(TensorRole::c, options.kernel.c);
  plan.steps.emplace_back(std::move(step));
  add_view(TensorRole::d, options.kernel.d);
  if (sums && sums->follows) plan.steps.emplace_back(*std::move(sums));
  for (WorkspaceRegion& region : step_regions(gemm_step(plan))) {
    const auto zeroed_end = std::ranges::find(plan.workspace, false, &WorkspaceRegion::zeroed);
    plan.workspace.insert(region.zeroed ? zeroed_end : plan.workspace.end(), std::move(region));
  }
  if (Errors errors = grid_rules(plan); !errors.empty()) return errors;
  return plan;
}

Planned planned(const Problem& problem, const DeviceInfo& device, const Config& config,
                const Catalogue& catalogue) {
  const Problem whole = completed(problem);
  const Config open = for_groups(config, whole);
  const Planning planning{whole, device, open, catalogue};
  Found found = fastest(planning);
  if (auto* errors = std::get_if<Errors>(&found.step)) return std::move(*errors);
  return whole_plan(planning, found.options, std::get<GemmStep>(std::move(found.step)));
}

Plan one_plan(const Problem& problem, const DeviceInfo& device, const Config& config,
              const Catalogue& catalogue) {
  Planned made = planned(problem, device, config, catalogue);
  if (const auto* errors = std::get_if<Errors>(&made)) refuse(*errors);
  return std::get<Plan>(std::move(made));
}

}  // namespace jute::plan
