// Asks the family of a tile, and judges what it made.
#include "plan/choose/derived.hpp"

#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"
#include "plan/choose/planning.hpp"
#include "plan/derive/fma_family.hpp"
#include "plan/derive/mma_family.hpp"
#include "plan/derive/step_rules.hpp"
#include "plan/derive/straight_family.hpp"
#include "plan/derive/warp_specialised_family.hpp"
#include "plan/derive/work.hpp"
#include "plan/shapes/dot_products.hpp"
#include "plan/shapes/generic_tiles.hpp"
#include "plan/shapes/lane_tiles.hpp"
#include "plan/shapes/line_tiles.hpp"
#include "plan/shapes/straight_tiles.hpp"

namespace jute::plan {
namespace {

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
    if (config.specialize == Specialize::generic) keep_needed_multiples(*step);
    step->work = work_of(*step, device);
    if (Errors errors = derived_rules(*step, device); !errors.empty()) return errors;
    return derived;
  }

 private:
  Derived derive(const Candidate& candidate, const WarpgroupTile& tile) const {
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

}  // namespace

KernelProblem as_kernels_see(const KernelProblem& problem, const Config& config) {
  return config.specialize == Specialize::generic ? with_shared_numbers(problem) : problem;
}

Derived derived(const Planning& planning, const Options& options, const Candidate& candidate) {
  const KernelProblem seen = as_kernels_see(options.kernel, planning.config);
  return Derive{seen, planning.device, planning.config, planning.catalogue}(candidate);
}

}  // namespace jute::plan
