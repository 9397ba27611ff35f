// What a kernel may be chosen from: products that are scaled as they are summed, or else all
// others.
#include <jute/plan/values/plan.hpp>

#include <algorithm>
#include <string>

#include "plan/ask/broken_rule.hpp"
#include "plan/choose/derived.hpp"
#include "plan/choose/options/whole_options.hpp"
#include "plan/convert/epilogue_scales.hpp"
#include "plan/convert/product_scales.hpp"
#include "plan/derive/moves.hpp"
#include "plan/shapes/tile_ways.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

bool may_multiply(const Problem& problem, const Config& config) {
  return may_scale_products(problem) && !problem.c.view && !problem.d.view &&
         config.specialize != Specialize::generic &&
         config.main_loop.value_or(MainLoop::warp_specialised) == MainLoop::warp_specialised;
}

/// Kernels that multiply operands of 8 bits as they are. Nothing where the chip, a tile or an order
/// does not let them.
std::optional<Options> scaling_products(const Planning& planning) {
  if (!may_multiply(planning.problem, planning.config)) return std::nullopt;
  Config config = planning.config;
  config.main_loop = MainLoop::warp_specialised;
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
  std::erase_if(options->candidates, [&](const Candidate& one) {
    return !ways_of(one).scales_products || !is_wgmma(one.atom.form) ||
           !std::holds_alternative<GemmStep>(derived(own, *options, one));
  });
  if (options->candidates.empty()) return std::nullopt;
  return options;
}

/// No copy is made of groups, whose scaled operands are multiplied as they are, or not at all.
void refuse_other_groups(const Problem& problem) {
  if (problem.groups && problem.staged && is_small_float(problem.a.type) &&
      is_small_float(problem.b.type))
    refuse({broken("groups", to_string(*problem.groups),
                   "groups of scaled operands must be rows, cols or masked_rows of e4m3 or e5m2, "
                   "contiguous along K, whose blocks are multiples of 32 along K, on a chip with "
                   "wgmma: sm_90a")});
}

}  // namespace

Options options_for(const Planning& planning, size_t most) {
  if (std::optional<Options> read = straight_from_memory(planning)) return *std::move(read);
  std::optional<Options> scaled = scaling_products(planning);
  if (!scaled) refuse_other_groups(planning.problem);
  if (scaled && planning.problem.groups) return *std::move(scaled);
  if (!scaled) return whole_options(planning, most);
  Options converted = whole_options(planning, most);
  const bool is_faster =
      clocks_behind_copies(*scaled, planning) <= clocks_behind_copies(converted, planning);
  return is_faster ? *std::move(scaled) : converted;
}

}  // namespace jute::plan
