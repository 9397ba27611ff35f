// Fields of the kernels that share out a range of M.
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <string>
#include <utility>
#include <vector>

#include "base/format.hpp"

namespace jute {

Fields fields(std::span<const Plan> plans) {
  FieldList list;
  for (const Plan& plan : plans) {
    const GemmStep& step = gemm_step(plan);
    const bool swapped = step.epilogue.d_order == Order::col;
    Fields parts{{"greatest_m", plan.problem.m},
                 {"atom", step.mma.atom().name},
                 {"tile", std::vector<Index>{step.tile.m, step.tile.n, step.tile.k}},
                 {"split_k", Index{step.schedule.split_k}},
                 {"swapped", swapped},
                 {"workspace_bytes", workspace_bytes(plan)}};
    std::string line = base::format("to M={} {} on {}x{}", plan.problem.m, step.mma.atom().name,
                                    step.tile.m, step.tile.n);
    if (step.schedule.split_k > 1) line += base::format(", {} slices of K", step.schedule.split_k);
    if (swapped) line += ", operands swapped";
    if (const std::vector<int>& widths = step.schedule.widths; !widths.empty()) {
      parts.push_back({"widths", std::vector<Index>(widths.begin(), widths.end())});
      line += base::format(", {} to {} columns{} as a run asks", widths.front(), widths.back(),
                           step.schedule.split_k_at_run_time ? " and slices of K" : "");
    }
    list.items.push_back({"kernel", std::move(parts), std::move(line)});
  }
  return {{"kernels", std::move(list)}};
}

}  // namespace jute
