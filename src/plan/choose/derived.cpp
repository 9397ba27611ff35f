// Asks the candidate's family for its step, and judges what that made.
#include "plan/choose/derived.hpp"

#include <jute/plan/values/plan.hpp>

#include <array>

#include "plan/ask/broken_rule.hpp"
#include "plan/choose/planning.hpp"
#include "plan/derive/block_of.hpp"
#include "plan/derive/fma_family.hpp"
#include "plan/derive/mma_family.hpp"
#include "plan/derive/step_rules.hpp"
#include "plan/derive/straight_family.hpp"
#include "plan/derive/warp_specialised_family.hpp"
#include "plan/shapes/direct/dot_products.hpp"
#include "plan/shapes/direct/lane_tiles.hpp"
#include "plan/shapes/direct/line_tiles.hpp"
#include "plan/shapes/direct/straight_tiles.hpp"
#include "plan/shapes/generic_tiles.hpp"

namespace jute::plan {
namespace {

/// The givens that a family's steps are derived from.
struct Chosen {
  const KernelProblem& problem;
  const Candidate& candidate;
  const DeviceInfo& device;
  const Config& config;
  const Catalogue& catalogue;
};

Derived specialised(const Chosen& of) {
  return warp_specialised_step(of.problem, of.candidate, of.device, of.config, of.catalogue);
}
Derived by_warps(const Chosen& of) {
  return mma_step(of.problem, of.candidate, of.device, of.config, of.catalogue);
}
Derived by_threads(const Chosen& of) {
  return fma_step(of.problem, of.candidate, of.device, of.config);
}
template <StraightForm (*kForm)(const Candidate&, const KernelProblem&)>
Derived straight(const Chosen& of) {
  return straight_step(of.problem, of.candidate, kForm(of.candidate, of.problem), of.device,
                       of.config);
}
StraightForm of_fragments(const Candidate& one, const KernelProblem& /*any*/) {
  return straight_form(one.tile, one.atom);
}
StraightForm of_lanes(const Candidate& one, const KernelProblem& problem) {
  return lane_form(one.tile, problem);
}
StraightForm of_dots(const Candidate& one, const KernelProblem& problem) {
  return dot_form(one.tile, problem);
}
StraightForm of_lines(const Candidate& one, const KernelProblem& problem) {
  return line_form(one.tile, one.atom, problem);
}

/// In the order of families.
using DeriveStep = Derived (*)(const Chosen&);
constexpr std::array<DeriveStep, kFamilies.size()> kDerive{
    specialised,  // warpgroups
    specialised,  // warp_groups
    specialised,  // thread_groups
    by_warps,     // warps_async
    by_warps,     // warps_registers
    by_threads,   // threads_async
    by_threads,   // threads_registers
    straight<of_fragments>,
    straight<of_lanes>,
    straight<of_dots>,
    straight<of_lines>,  // line_warps
    straight<of_lines>,  // line_threads
};

Derived derive(const Chosen& of) {
  if (of.config.specialize == Specialize::generic && of.problem.gate)
    return Errors{broken("specialize", "shared",
                         "a kernel of a gated product must be made for its problem", "usual")};
  Derived derived = kDerive.at(static_cast<size_t>(of.candidate.family))(of);
  auto* step = std::get_if<GemmStep>(&derived);
  if (step == nullptr) return derived;
  if (of.config.specialize == Specialize::generic) keep_needed_multiples(*step);
  step->block = block_of(*step, of.device);
  if (Errors errors = derived_rules(*step, of.device); !errors.empty()) return errors;
  return derived;
}

}  // namespace

KernelProblem as_kernels_see(const KernelProblem& problem, const Config& config) {
  return config.specialize == Specialize::generic ? with_shared_numbers(problem) : problem;
}

Derived derived(const Planning& planning, const Options& options, const Candidate& candidate) {
  const KernelProblem seen = as_kernels_see(options.kernel, planning.config);
  return derive({seen, candidate, planning.device, planning.config, planning.catalogue});
}

}  // namespace jute::plan
