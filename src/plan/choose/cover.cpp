// Covers: the kernels of many problems, and what is lost with so few.
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/choose/cover.hpp>
#include <jute/plan/choose/width_choices.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>
#include <utility>

#include "base/format.hpp"
#include "plan/choose/row_intervals.hpp"

namespace jute {
namespace plan {
namespace {

/// The M that are looked at: each an eighth more than the one before.
std::vector<Index> looked_at(const Problem& problem) {
  if (!problem.m_range) return {};
  std::vector<Index> rows{std::max<Index>(problem.m_range->first, 1)};
  while (rows.back() < problem.m_range->last)
    rows.push_back(
        std::min(rows.back() + std::max<Index>(rows.back() / 8, 1), problem.m_range->last));
  return rows;
}

/// What the one that serves such rows is expected to take.
std::optional<double> held_clocks(const std::vector<Plan>& plans, Index m) {
  const Plan& serving = plan_for_m(plans, m);
  if (const std::vector<WidthCost> costs = width_costs(serving); !costs.empty())
    return best_width(costs, m, serving.problem.batch).clocks;
  const std::vector<double> clocks = clocks_for(serving, {m});
  return clocks.empty() ? std::nullopt : std::optional(clocks.front());
}

std::optional<ExpectedLoss> worst_loss(const CoveredProblem& covered, const DeviceInfo& device,
                                       const Config& config, const Catalogue& catalogue) {
  ExpectedLoss worst{0, covered.problem.m};
  for (const Index m : looked_at(covered.problem)) {
    Problem alone = covered.problem;
    alone.m = m;
    alone.m_range.reset();
    const auto best = prediction_of(make_plan(alone, device, config, catalogue));
    const auto held = held_clocks(covered.plans, m);
    if (!best || !held) return std::nullopt;
    const double part = *held / best->clocks - 1;
    if (part > worst.part) worst = {part, m};
  }
  return worst;
}

std::string counted(std::size_t kernels) {
  return base::format("{} kernel{}", kernels, kernels == 1 ? "" : "s");
}

Index workspace_of(const std::vector<Plan>& plans) {
  Index bytes = 0;
  for (const Plan& plan : plans) bytes = std::max(bytes, workspace_bytes(plan));
  return bytes;
}

Field field_of(const CoveredProblem& covered) {
  const Index bytes = workspace_of(covered.plans);
  Fields parts{{"problem", to_string(covered.problem)}};
  for (Field& kernels : jute::fields(std::span(covered.plans))) parts.push_back(std::move(kernels));
  std::string line = base::format("{}: {}, {} bytes of workspace", to_string(covered.problem),
                                  counted(covered.plans.size()), bytes);
  if (covered.worst) {
    const Index thousandths = static_cast<Index>(covered.worst->part * 1000 + 0.5);
    parts.push_back({"worst_loss_thousandths", thousandths});
    parts.push_back({"worst_m", covered.worst->m});
    line += base::format(", at most {:.1f} % lost, at M={}", 100 * covered.worst->part,
                         covered.worst->m);
  } else {
    line += ", the cost model says nothing of what is lost";
  }
  parts.push_back({"workspace_bytes", bytes});
  return {"problem", std::move(parts), std::move(line)};
}

}  // namespace
}  // namespace plan

std::size_t kernel_count(const Cover& cover) {
  std::size_t count = 0;
  for (const CoveredProblem& one : cover.problems) count += one.plans.size();
  return count;
}

Cover cover(std::span<const Problem> problems, const DeviceInfo& device,
            const CoverOptions& options, const Catalogue& catalogue) {
  Cover result;
  for (const Problem& problem : problems) try {
      CoveredProblem one{completed(problem),
                         make_plans(problem, device, options.config, catalogue, options.limits)};
      one.worst = plan::worst_loss(one, device, options.config, catalogue);
      result.problems.push_back(std::move(one));
    } catch (const Exception& exception) {
      Error error = exception.error();
      error.detail = to_string(problem);
      throw Exception(std::move(error));
    }
  return result;
}

Fields fields(const Cover& cover) {
  FieldList list;
  for (const CoveredProblem& one : cover.problems) list.items.push_back(plan::field_of(one));
  return {{"kernels", static_cast<Index>(kernel_count(cover))}, {"problems", std::move(list)}};
}

std::string to_string(const Cover& cover) {
  std::string text;
  for (const CoveredProblem& one : cover.problems) {
    text += plan::field_of(one).line + "\n";
    for (const Field& kernels : fields(std::span<const Plan>(one.plans)))
      for (const Field& kernel : std::get<FieldList>(kernels.value).items)
        text += "  " + kernel.line + "\n";
  }
  return text + plan::counted(kernel_count(cover)) + ", by the cost model\n";
}

}  // namespace jute
