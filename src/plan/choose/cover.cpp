// Covers: the kernels of many problems, and what is lost with so few.
#include <jute/plan/choose/cover.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <utility>

#include "base/format.hpp"
#include "base/own_stack.hpp"
#include "plan/choose/covered.hpp"

namespace jute {
namespace plan {
namespace {

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
      result.problems.push_back(base::with_enough_stack([&] {
        return plan::covered(problem, device, options.config, catalogue, options.limits);
      }));
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
