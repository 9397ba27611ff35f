// A plan from its options: the first legal candidate, and the steps around it.
#include "plan/choose/planning.hpp"

#include <jute/plan/values/plan.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "plan/ask/broken_rule.hpp"
#include "plan/choose/derived.hpp"
#include "plan/derive/drain/regions.hpp"
#include "plan/derive/moves.hpp"
#include "plan/derive/sums.hpp"
#include "plan/rules/grid_rules.hpp"
#include "plan/values/workspace.hpp"

namespace jute::plan {
namespace {

/// Candidates that are tried where the caller leaves the choice open.
constexpr size_t kMostTries = 3;

/// Does the caller leave open what candidates differ in?
bool is_open(const Config& config) {
  return !config.tile && !config.stages && !config.atom_layout && !config.permutation &&
         !config.smem_a && !config.smem_b;
}

/// An atom that no kernel is generated from: what planning would choose is the nearest.
void offer_planned_atom(Errors& errors, const Planning& planning, const Options& options) {
  Error& error = errors.front();
  if (error.operand != "mma_atom" || error.nearest_legal) return;
  Config open = planning.config;
  open.mma_atom.reset();
  const KernelProblem seen = as_kernels_see(options.kernel, planning.config);
  error.nearest_legal =
      candidates(seen, planning.device, open, planning.catalogue).front().candidate.atom.name;
}

bool is_by_threads(const Candidate& candidate) { return candidate.atom.form == MmaForm::fma; }

/// How many may be worth a try.
size_t most_candidates(const Config& config) {
  return is_open(config) ? kMostTries : kAllCandidates;
}

/// How many candidates are worth a try. What a caller chose may suit another instruction of the
/// tensor cores than the first; it never moves the problem to threads alone.
size_t most_tries(const std::vector<RankedCandidate>& list, const Config& config) {
  if (is_open(config)) return std::min(list.size(), kMostTries);
  size_t tries = 1;
  while (tries < list.size() &&
         row_of(list[tries - 1].candidate.family).transfer == Transfer::tma &&
         !is_by_threads(list[tries].candidate))
    ++tries;
  return tries;
}

/// The first legal candidate; else what keeps the last one that was tried from being legal.
GemmStep plan_gemm(const Planning& planning, const Options& options) {
  Errors errors;
  const size_t tries = planning.problem.groups ? options.candidates.size()
                                               : most_tries(options.candidates, planning.config);
  for (size_t i = 0; i < tries; ++i) {
    Derived one = derived(planning, options, options.candidates[i].candidate);
    if (auto* step = std::get_if<GemmStep>(&one)) return *std::move(step);
    errors = std::get<Errors>(std::move(one));
  }
  offer_planned_atom(errors, planning, options);
  refuse(errors);
}

}  // namespace

Plan whole_plan(const Planning& planning, const Options& options, GemmStep step) {
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
  if (const Errors errors = grid_rules(plan); !errors.empty()) refuse(errors);
  return plan;
}

namespace {

/// By the first candidate, where it is legal: nothing is ranked for places behind it.
std::optional<Plan> plan_of_first(const Planning& planning) {
  const Options options = options_for(planning, 1);
  Derived one = derived(planning, options, options.candidates.front().candidate);
  auto* step = std::get_if<GemmStep>(&one);
  if (step == nullptr) return std::nullopt;
  return whole_plan(planning, options, *std::move(step));
}

}  // namespace

Plan one_plan(const Problem& problem, const DeviceInfo& device, const Config& config,
              const Catalogue& catalogue) {
  const Problem whole = completed(problem);
  const Config open = for_groups(config, whole);
  const Planning planning{whole, device, open, catalogue};
  if (is_open(config) && !whole.groups)
    if (std::optional<Plan> plan = plan_of_first(planning)) return *std::move(plan);
  const Options options = options_for(planning, most_candidates(config));
  return whole_plan(planning, options, plan_gemm(planning, options));
}

}  // namespace jute::plan
