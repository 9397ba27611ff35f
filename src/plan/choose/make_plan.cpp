// The choice, start to end.
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/values/plan.hpp>

#include <algorithm>

#include "plan/ask/broken_rule.hpp"
#include "plan/ask/sums.hpp"
#include "plan/choose/planning.hpp"
#include "plan/derive/consequences.hpp"
#include "plan/derive/drain/bit_words.hpp"
#include "plan/derive/drain/gathers.hpp"
#include "plan/derive/drain/slices.hpp"
#include "plan/derive/fma_family.hpp"
#include "plan/derive/mma_family.hpp"
#include "plan/derive/moves.hpp"
#include "plan/derive/straight_family.hpp"
#include "plan/derive/warp_specialised_family.hpp"
#include "plan/rules/grid_rules.hpp"
#include "plan/rules/rules.hpp"
#include "plan/shapes/dot_products.hpp"
#include "plan/shapes/lane_tiles.hpp"
#include "plan/shapes/line_tiles.hpp"
#include "plan/shapes/shared_tiles.hpp"

namespace jute {
namespace plan {
namespace {

/// Candidates that are tried where the caller leaves the choice open.
constexpr size_t kMostTries = 3;

/// Does the caller leave open what candidates differ in?
bool is_open(const Config& config) {
  return !config.tile && !config.stages && !config.atom_layout && !config.permutation &&
         !config.smem_a && !config.smem_b;
}

class Derive {
 public:
  const KernelProblem& problem;
  const DeviceInfo& device;
  const Config& config;
  const Catalogue& catalogue;

  Derived operator()(const Candidate& candidate) const {
    Derived derived =
        std::visit([&](const auto& tile) { return derive(candidate, tile); }, candidate.tile);
    auto* step = std::get_if<GemmStep>(&derived);
    if (step == nullptr) return derived;
    if (config.specialize == Specialize::shared) keep_needed_multiples(*step);
    if (Errors errors = derived_rules(*step, device); !errors.empty()) return errors;
    return derived;
  }

 private:
  Derived derive(const Candidate& candidate, const GroupTile& tile) const {
    return warp_specialised_step(problem, candidate, tile, device, config, catalogue);
  }
  Derived derive(const Candidate& candidate, const StraightTile& tile) const {
    return straight_step(problem, candidate, form_of(tile, candidate.atom), device, config);
  }
  Derived derive(const Candidate& candidate, const LaneTile& tile) const {
    return straight_step(problem, candidate, form_of(tile, problem), device, config);
  }
  Derived derive(const Candidate& candidate, const DotTile& tile) const {
    return straight_step(problem, candidate, form_of(tile, problem), device, config);
  }
  Derived derive(const Candidate& candidate, const LineTile& tile) const {
    return straight_step(problem, candidate, form_of(tile, candidate.atom, problem), device,
                         config);
  }
  Derived derive(const Candidate& candidate, const WarpTile& tile) const {
    return mma_step(problem, candidate, tile, device, config, catalogue);
  }
  Derived derive(const Candidate& candidate, const ThreadTile& tile) const {
    return fma_step(problem, candidate, tile, device, config);
  }
};

/// The problem that a kernel is chosen for, as that kernel sees it.
KernelProblem as_kernels_see(const KernelProblem& problem, const Config& config) {
  return config.specialize == Specialize::shared ? with_shared_numbers(problem) : problem;
}

/// An atom that no kernel is generated from: what planning would choose is the nearest.
void offer_planned_atom(Errors& errors, const Derive& derive) {
  Error& error = errors.front();
  if (error.operand != "mma_atom" || error.nearest_legal) return;
  Config open = derive.config;
  open.mma_atom.reset();
  error.nearest_legal =
      candidates(derive.problem, derive.device, open, derive.catalogue).front().atom.name;
}

bool is_by_threads(const Candidate& candidate) { return candidate.atom.form == MmaForm::fma; }

/// How many may be worth a try.
size_t most_candidates(const Config& config) {
  return is_open(config) ? kMostTries : kAllCandidates;
}

/// How many candidates are worth a try. What a caller chose may suit another instruction of the
/// tensor cores than the first; it never moves the problem to threads alone.
size_t most_tries(const std::vector<Candidate>& list, const Config& config) {
  if (is_open(config)) return std::min(list.size(), kMostTries);
  size_t tries = 1;
  while (tries < list.size() && std::holds_alternative<GroupTile>(list[tries - 1].tile) &&
         !is_by_threads(list[tries]))
    ++tries;
  return tries;
}

/// The first legal candidate; else what keeps the last one that was tried from being legal.
GemmStep plan_gemm(const Derive& derive, const std::vector<Candidate>& list) {
  Errors errors;
  for (size_t i = 0; i < most_tries(list, derive.config); ++i) {
    Derived derived = derive(list[i]);
    if (auto* step = std::get_if<GemmStep>(&derived)) return *std::move(step);
    errors = std::get<Errors>(std::move(derived));
  }
  offer_planned_atom(errors, derive);
  refuse(errors);
}

}  // namespace

Derived derived(const Planning& planning, const Options& options, const Candidate& candidate) {
  const KernelProblem seen = as_kernels_see(options.kernel, planning.config);
  return Derive{seen, planning.device, planning.config, planning.catalogue}(candidate);
}

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
    plan.steps.emplace_back(*options.moves);
  }
  plan.steps.emplace_back(std::move(step));
  if (sums && sums->follows) plan.steps.emplace_back(*std::move(sums));
  for (WorkspaceRegion& region : step_regions(gemm_step(plan))) {
    const auto zeroed_end = std::ranges::find(plan.workspace, false, &WorkspaceRegion::zeroed);
    plan.workspace.insert(region.zeroed ? zeroed_end : plan.workspace.end(), std::move(region));
  }
  if (const Errors errors = grid_rules(plan); !errors.empty()) refuse(errors);
  return plan;
}

}  // namespace plan

Plan make_plan(const Problem& problem, const DeviceInfo& device, const Config& config,
               const Catalogue& catalogue) {
  const Problem whole = completed(problem);
  if (whole.m_range) return plan_for_m(make_plans(whole, device, config, catalogue), whole.m);
  const plan::Planning planning{whole, device, config, catalogue};
  const plan::Options options = plan::options_for(planning, plan::most_candidates(config));
  const plan::KernelProblem seen = plan::as_kernels_see(options.kernel, config);
  return plan::whole_plan(planning, options,
                          plan::plan_gemm({seen, device, config, catalogue}, options.candidates));
}

const GemmStep& gemm_step(const Plan& plan) {
  const auto is_gemm = [](const Step& step) { return std::holds_alternative<GemmStep>(step); };
  return std::get<GemmStep>(*std::ranges::find_if(plan.steps, is_gemm));
}

std::vector<Error> check(const Plan& plan) try {
  std::vector<Error> errors = plan::workspace_rules(plan);
  for (Error& error : plan::grid_rules(plan)) errors.push_back(std::move(error));
  if (const Problem whole = completed(plan.problem); !(whole == plan.problem))
    errors.push_back(
        plan::broken("problem", to_string(plan.problem),
                     "a plan's problem must have what follows from its types, extents and epilogue",
                     to_string(whole)));
  for (const Step& step : plan.steps)
    if (const auto* gemm = std::get_if<GemmStep>(&step)) {
      plan::Errors broken = plan::step_rules(*gemm, plan.device);
      if (broken.empty()) broken = plan::consequence_rules(plan, *gemm);
      for (Error& error : broken) errors.push_back(std::move(error));
    }
  return errors;
} catch (const Exception& refused) {
  return {refused.error()};  // nothing follows from a problem that is none
}

}  // namespace jute
