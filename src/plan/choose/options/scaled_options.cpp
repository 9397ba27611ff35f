// What a kernel may be chosen from: products that are scaled as they are summed, or else all
// others.
#include <jute/plan/values/plan.hpp>

#include <algorithm>
#include <string>

#include "plan/choose/derived.hpp"
#include "plan/choose/options/whole_options.hpp"
#include "plan/convert/epilogue_scales.hpp"
#include "plan/convert/product_scales.hpp"
#include "plan/derive/moves.hpp"
#include "plan/shapes/warp_tiles.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

/// Of groups of their own the device's list has scales, which only a conversion looks up.
bool may_multiply(const Problem& problem, const Config& config) {
  const bool are_listed = problem.groups && problem.groups->kind == GroupKind::each;
  return !are_listed && may_scale_products(problem) && !problem.c.view && !problem.d.view &&
         config.specialize != Specialize::generic && config.main_loop != MainLoop::straight;
}

/// Kernels of one main loop that multiply operands of 8 bits as they are. Nothing where the chip, a
/// tile or an order does not let them.
std::optional<Options> scaling_products(const Planning& planning, MainLoop main_loop) {
  Config config = planning.config;
  config.main_loop = main_loop;
  std::optional<Options> options;
  Problem problem;
  const Planning own{problem, planning.device, config, planning.catalogue, planning.limits};
  try {
    problem = as_multiplied(planning.problem);
    options = whole_options(own, kAllCandidates);
  } catch (const Exception&) {
    return std::nullopt;  // of the problem behind a copy it is to be refused
  }
  find_epilogue_scales(options->kernel, planning.problem);
  // Where no law says what mma.sync takes of such types, who wants it asks for it.
  if (main_loop != MainLoop::warp_specialised && !planning.config.main_loop &&
      !suits_warp_tiles(options->kernel, planning.device))
    return std::nullopt;
  std::erase_if(options->candidates, [&](const RankedCandidate& one) {
    return !row_of(one.candidate.family).scales_products ||
           !std::holds_alternative<GemmStep>(derived(own, *options, one.candidate));
  });
  if (options->candidates.empty()) return std::nullopt;
  return options;
}

/// The fastest of them; groups have those by wgmma.
std::optional<Options> scaling_products(const Planning& planning) {
  using enum MainLoop;
  if (!may_multiply(planning.problem, planning.config)) return std::nullopt;
  std::optional<Options> best;
  for (const MainLoop main_loop : {warp_specialised, multistage, register_staged}) {
    if (planning.config.main_loop.value_or(main_loop) != main_loop ||
        (planning.problem.groups && main_loop != warp_specialised))
      continue;
    std::optional<Options> options = scaling_products(planning, main_loop);
    if (options &&
        (!best || clocks_behind_copies(*options, planning) < clocks_behind_copies(*best, planning)))
      best = std::move(options);
  }
  return best;
}

}  // namespace

Options options_for(const Planning& planning, size_t most) {
  std::optional<Options> read = straight_from_memory(planning);
  std::optional<Options> scaled = scaling_products(planning);
  if (read &&
      !(scaled && clocks_behind_copies(*scaled, planning) < clocks_behind_copies(*read, planning)))
    return *std::move(read);
  // An instruction that the caller names multiplies these, or what they would become.
  if (scaled && (planning.problem.groups || planning.config.mma_atom)) return *std::move(scaled);
  if (!scaled) return whole_options(planning, most);
  Options converted = whole_options(planning, most);
  const bool is_faster =
      clocks_behind_copies(*scaled, planning) <= clocks_behind_copies(converted, planning);
  return is_faster ? *std::move(scaled) : converted;
}

}  // namespace jute::plan
