// What mma.sync takes for what wgmma does in 1; steps by the tile that they were made of.
#include "plan/choose/step_cost.hpp"

#include <algorithm>
#include <array>

#include "plan/cost/cost_model.hpp"
#include "plan/cost/tiles/work_cost.hpp"
#include "plan/derive/moves.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

/// What mma.sync takes for what wgmma does in 1: by the operands' type, and by the bytes that one
/// access to a row may have. Measured on an H200, 2026-11-21.
struct Access {
  int bytes;
  double factor;
};

constexpr std::array kAccesses{Access{16, 1}, Access{8, 1.75}, Access{4, 2.25}, Access{2, 4},
                               Access{1, 4}};

double slowness(const KernelProblem& problem) {
  const bool is_gathered = problem.a.major != Major::k || problem.b.major != Major::k;
  const int least = std::min(problem.a.access_bytes, problem.b.access_bytes);
  const double factor = std::ranges::find(kAccesses, least, &Access::bytes)->factor;
  if (is_small_float(problem.a.type)) return factor * 4.2;  // which it converts first
  if (width_bits(problem.a.type) == 16) return factor * 1.55;
  return factor * (is_gathered ? 2.4 : 1.75);  // element by element from its tile
}

}  // namespace

std::optional<KernelCost> kernel_cost(const Candidate& candidate, const KernelProblem& problem,
                                      const DeviceInfo& device) {
  if (const auto* groups = std::get_if<WarpgroupTile>(&candidate.tile))
    return kernel_cost(*groups, groups->swapped ? transposed(problem) : problem, device);
  const auto* warps = std::get_if<WarpTile>(&candidate.tile);
  if (warps == nullptr) return std::nullopt;
  WarpgroupTile tile{};
  tile.m = warps->m;
  tile.n = warps->n;
  KernelProblem unscaled = problem;  // scales of sums are known of wgmma's tiles, and by the law
  unscaled.a.scales.reset();
  unscaled.b.scales.reset();
  KernelCost cost = kernel_cost(tile, unscaled, device);
  cost.feed.reset();
  cost.parts.k_block = cost.parts.products * slowness(problem);
  return cost;
}

std::optional<KernelCost> kernel_cost(const GemmStep& step, const DeviceInfo& device,
                                      bool m_at_run_time) {
  return warpgroup_cost(step.work, device, m_at_run_time);
}

std::optional<KernelCost> kernel_cost(const Plan& plan, const Work& work, bool m_at_run_time) {
  std::optional<KernelCost> cost = warpgroup_cost(work, plan.device, m_at_run_time);
  if (cost)
    for (const Step& other : plan.steps)
      if (const auto* moves = std::get_if<MoveStep>(&other)) add_moves(*cost, *moves, plan.problem);
  return cost;
}

}  // namespace jute::plan

namespace jute {

std::optional<KernelCost> kernel_cost(const Plan& plan) {
  return plan::kernel_cost(plan, gemm_step(plan).work, true);
}

}  // namespace jute
