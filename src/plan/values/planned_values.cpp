// Fills in the numbers of a problem, and adds up regions.
#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

#include "plan/values/step_grid.hpp"

namespace jute {

void set_width(RunValues& run, const GemmStep& step, const WidthChoice& choice) {
  run.width = choice.width;
  run.stages = stages_of_width(step, choice.width);
  run.split_k = choice.split_k;
  if (run.split_k <= 1) return;
  const Index most =
      step.schedule.persistent_blocks / std::max<Index>(1, plan::tiles(step).evaluate(run));
  if (run.split_k > most)
    refuse(ErrorCode::out_of_range, "split_k", std::to_string(run.split_k),
           "blocks of all slices must run together", std::to_string(std::max<Index>(most, 1)));
}

const GemmStep* step_of_widths(const Plan& plan) {
  for (const Step& step : plan.steps)
    if (const auto* gemm = std::get_if<GemmStep>(&step); gemm != nullptr && has_widths(*gemm))
      return gemm;
  return nullptr;
}

RunValues run_values(const Problem& problem) {
  RunValues run{.m = problem.m, .n = problem.n, .k = problem.k, .batch = problem.batch};
  const auto strides = [](const Matrix& matrix) {
    return TensorValues{0, matrix.ld_elems, matrix.batch_stride_elems};
  };
  run[TensorRole::a] = strides(problem.a);
  run[TensorRole::b] = strides(problem.b);
  run[TensorRole::c] = strides(problem.c);
  run[TensorRole::d] = strides(problem.d);
  for (const auto& [role, numbers] : {std::pair(TensorRole::scale_a, &problem.scale_a.scale),
                                      std::pair(TensorRole::scale_b, &problem.scale_b.scale),
                                      std::pair(TensorRole::zero_a, &problem.scale_a.zero),
                                      std::pair(TensorRole::zero_b, &problem.scale_b.zero)})
    if (*numbers) run[role] = strides(**numbers);
  const Matrix* const viewed[] = {&problem.a, &problem.b, &problem.c, &problem.d};
  for (size_t i = 0; i < std::size(viewed); ++i)
    if (viewed[i]->view && viewed[i]->view->numbers == ViewNumbers::run_time)
      run.views[i] = run_view(*viewed[i]->view);
  if (!problem.epilogue) return run;
  const Epilogue& epilogue = *problem.epilogue;
  for (size_t i = 0; i < epilogue.inputs.size(); ++i)
    run[input_role(static_cast<int>(i))] = strides(epilogue.inputs[i]);
  for (size_t i = 0; i < epilogue.outputs.size(); ++i)
    run[output_role(static_cast<int>(i))] = strides(epilogue.outputs[i]);
  return run;
}

RunValues run_values(const Plan& plan) {
  RunValues run = run_values(plan.problem);
  if (const GemmStep* gemm = step_of_widths(plan)) set_width(run, *gemm, {.width = gemm->tile.n});
  return run;
}

Index workspace_bytes(std::span<const WorkspaceRegion> regions, const RunValues& run) {
  Index bytes = 0;
  for (const WorkspaceRegion& region : regions)
    bytes = checked_add(bytes, region.bytes.evaluate(run), "workspace");
  return bytes;
}

namespace {

/// The workspace of one part of D.
Index own_workspace_bytes(const Plan& plan) {
  return workspace_bytes(plan.workspace, run_values(plan.problem));
}
Index own_zeroed_bytes(const Plan& plan) {
  return zeroed_bytes(plan.workspace, run_values(plan.problem));
}

}  // namespace

Index workspace_bytes(const Plan& plan) {
  Index data = own_workspace_bytes(plan) - own_zeroed_bytes(plan);
  for (const Plan& part : plan.behind)
    data = std::max(data, own_workspace_bytes(part) - own_zeroed_bytes(part));
  return checked_add(zeroed_bytes(plan), data, "workspace");
}

Index zeroed_bytes(std::span<const WorkspaceRegion> regions, const RunValues& run) {
  const auto end = std::ranges::find(regions, false, &WorkspaceRegion::zeroed);
  return workspace_bytes(regions.first(static_cast<size_t>(end - regions.begin())), run);
}

Index zeroed_bytes(const Plan& plan) {
  Index bytes = own_zeroed_bytes(plan);
  for (const Plan& part : plan.behind) bytes = std::max(bytes, own_zeroed_bytes(part));
  return bytes;
}

}  // namespace jute
