// Regions that slices and gathered outputs leave, one behind the other.
#include "plan/derive/drain/regions.hpp"

#include <jute/layout/layout.hpp>
#include <jute/plan/values/group_maps.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>

#include "base/format.hpp"
#include "plan/derive/drain/gathers.hpp"
#include "plan/derive/drain/slices.hpp"
#include "plan/values/workspace.hpp"

namespace jute::plan {
namespace {

constexpr Index kFaultBytes = 256;  // a word, in whole lines

bool is_gemm(const Step& step) { return std::holds_alternative<GemmStep>(step); }

/// Does a parameter of some step name the region?
bool is_used(const Plan& plan, std::string_view region) {
  const auto names = [&](const KernelParameter& parameter) {
    const auto* base = std::get_if<Base>(&parameter.role);
    const auto* map = std::get_if<MapOf>(&parameter.role);
    if (map != nullptr) base = &map->base;
    const auto* place = base != nullptr ? std::get_if<InWorkspace>(base) : nullptr;
    return place != nullptr && place->region == region;
  };
  return std::ranges::any_of(plan.steps, [&](const Step& step) {
    return std::ranges::any_of(head_of(step).parameters, names);
  });
}

/// A region of that name that is as large as the step's needs to be.
void region_is_there(Errors& errors, const Plan& plan, const WorkspaceRegion& need) {
  const auto found = std::ranges::find(plan.workspace, need.name, &WorkspaceRegion::name);
  if (found == plan.workspace.end()) {
    errors.push_back(broken("workspace", need.name, "a step's region must be one of the plan's"));
    return;
  }
  const RunValues planned = run_values(plan.problem);
  if (found->bytes.evaluate(planned) < need.bytes.evaluate(planned))
    errors.push_back(broken("workspace." + need.name, to_string(found->bytes),
                            base::format("{} must have the bytes that its step writes", need.name),
                            to_string(need.bytes)));
  if (found->zeroed != need.zeroed)
    errors.push_back(broken("workspace." + need.name, found->zeroed ? "zeroed" : "not zeroed",
                            "counters must be zero between runs, and nothing else",
                            need.zeroed ? "zeroed" : "not zeroed"));
}

}  // namespace

std::vector<WorkspaceRegion> step_regions(const GemmStep& step) {
  std::vector<WorkspaceRegion> regions = slice_regions(step);
  for (WorkspaceRegion& region : gather_regions(step)) regions.push_back(std::move(region));
  if (step.groups || has_row_tables(step)) regions.push_back({"fault", kFaultBytes});
  if (makes_maps(step))
    regions.push_back({std::string(kMadeMaps), Index{step.schedule.persistent_blocks} *
                                                   map_turns(*step.groups) * kMapsOfGroup *
                                                   kMadeMapBytes});
  std::stable_partition(regions.begin(), regions.end(),
                        [](const WorkspaceRegion& region) { return region.zeroed; });
  return regions;
}

Errors workspace_rules(const Plan& plan) {
  Errors errors;
  const auto product = std::ranges::find_if(plan.steps, &is_gemm);
  const auto follows = [](const Step& step) {
    const auto* moves = std::get_if<MoveStep>(&step);
    if (moves == nullptr) return false;
    const bool unpacks = !moves->moves.empty() && moves->moves.front().tensor == TensorRole::d;
    return moves->follows || unpacks;
  };
  if (product == plan.steps.end() || std::any_of(plan.steps.begin(), product, follows) ||
      !std::all_of(product + 1, plan.steps.end(), follows))
    errors.push_back(broken("steps", std::to_string(plan.steps.size()),
                            "a plan must have one GEMM, behind what prepares its operands and "
                            "ahead of what follows it"));
  for (const WorkspaceRegion& region : plan.workspace)
    if (!is_used(plan, region.name))
      errors.push_back(broken("workspace", region.name, "a region must be one that steps name"));
  bool was_zeroed = true;
  for (const WorkspaceRegion& region : plan.workspace) {
    if (region.zeroed && !was_zeroed)
      errors.push_back(broken("workspace." + region.name, "behind others",
                              "regions that are zero between runs must lie first"));
    was_zeroed = region.zeroed;
  }
  for (const Step& step : plan.steps)
    if (const auto* gemm = std::get_if<GemmStep>(&step))
      for (const WorkspaceRegion& need : step_regions(*gemm)) region_is_there(errors, plan, need);
  for (const Step& step : plan.steps)
    if (const auto* moves = std::get_if<MoveStep>(&step)) {
      if (moves->moves.empty() == moves->sums.empty())
        errors.push_back(broken("moves", std::to_string(moves->moves.size()),
                                "a step that prepares operands must have moves or sums, not both"));
      for (const Move& move : moves->moves)
        region_is_there(errors, plan, {move.region, copy_bytes(move)});
      for (const Move& move : moves->moves)
        if (move.scaling) region_is_there(errors, plan, {move.scaling->region, most_bytes(move)});
      for (const OperandSum& sum : moves->sums)
        if (!sum.region.empty()) region_is_there(errors, plan, {sum.region, sum_bytes(sum)});
    }
  return errors;
}

}  // namespace jute::plan
