// What a kernel may be chosen from, and which operands are copied for it.
#include "plan/cost_model.hpp"
#include "plan/moves.hpp"
#include "plan/planning.hpp"
#include "plan/split.hpp"
#include "plan/straight_cost.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "base/format.hpp"

namespace jute::plan {
namespace {

bool is_by_groups(const Candidate& candidate) {
  return std::holds_alternative<GroupTile>(candidate.tile);
}

/// TMA and cp.async cannot move what is not aligned to their least access; loads into registers
/// can.
bool copies_asynchronously(const Candidate& candidate) {
  if (is_by_groups(candidate)) return true;
  const auto* tile = std::get_if<WarpTile>(&candidate.tile);
  return tile != nullptr && tile->transfer == Transfer::cp_async;
}

/// The problem, its operands copied like that, and what then may compute it.
class Alternatives {
 public:
  const Problem& problem;
  const DeviceInfo& device;
  const Config& config;
  const Catalogue& catalogue;

  [[nodiscard]] Options as_it_lies() const { return with(problem, {}); }
  [[nodiscard]] Options copied(Copies copies) const {
    Problem read = problem;
    std::optional<MoveStep> moves = move_operands(read, device, config, copies);
    return with(read, std::move(moves));
  }
  /// With all copies that wgmma needs, where it then is what computes. What is refused of that is
  /// for the problem as it lies to refuse: there the nearest legal values are.
  [[nodiscard]] std::optional<Options> for_wgmma() const {
    try {
      Options options = copied(Copies::all);
      if (is_wgmma(options.candidates.front().atom.form)) return options;
    } catch (const Exception&) {
    }
    return std::nullopt;
  }
  /// Terms of split operands, which TMA brings to tensor cores product by product.
  [[nodiscard]] Options split() const {
    const auto cannot = [](const Candidate& candidate) {
      return !is_by_groups(candidate) || candidate.atom.form == MmaForm::fma;
    };
    std::optional<Options> options;
    try {
      options = copied(Copies::all);
      std::erase_if(options->candidates, cannot);
    } catch (const Exception&) {
      // Of terms, which the caller did not ask for; a choice of theirs stays what is refused.
      if (!(config == Config())) throw;
    }
    if (options && !options->candidates.empty()) return *std::move(options);
    const std::string asked(name(problem.precision));
    throw Exception(
        {.code = ErrorCode::illegal_config,
         .operand = "precision",
         .value = asked,
         .violated_rules = {base::format(
             "{} needs tensor cores that multiply {} from tiles that TMA loads: wgmma of sm_90a, "
             "or mma.sync by the main loop warp_specialised",
             asked, name(split_of(problem.precision)->term))},
         .nearest_legal = "f32"});
  }
  [[nodiscard]] double clocks(const Options& options) const {
    std::optional<KernelCost> cost =
        kernel_cost(options.candidates.front(), options.kernel, device);
    if (!cost) return std::numeric_limits<double>::infinity();
    if (options.moves) add_moves(*cost, *options.moves, problem);
    const double clocks = cost->at(problem.m, problem.batch).clocks;
    return is_by_groups(options.candidates.front())
               ? clocks
               : std::min(clocks, gathered_clocks(options.kernel, device));
  }

 private:
  [[nodiscard]] Options with(const Problem& read, std::optional<MoveStep> moves) const {
    KernelProblem kernel =
        kernel_problem(read, config.specialize,
                       moves ? std::span<const Move>(moves->moves) : std::span<const Move>());
    std::vector<Candidate> list = candidates(kernel, device, config, catalogue);
    return {std::move(kernel), std::move(moves), std::move(list)};
  }
};

}  // namespace

bool transposes(const Options& options) {
  return options.moves && std::ranges::any_of(options.moves->moves, &Move::transposed);
}

Options options_for(const Problem& problem, const DeviceInfo& device, const Config& config,
                    const Catalogue& catalogue) {
  const Alternatives alternatives{problem, device, config, catalogue};
  if (split_of(problem.precision) != nullptr) return alternatives.split();
  // Copies are for kernels that read them asynchronously: what needs none comes first.
  if (prefers_straight(kernel_problem(problem, config.specialize), device, config, catalogue))
    return alternatives.as_it_lies();
  const bool is_asked = config.pad.value_or(false) || config.transpose.value_or(false);
  // Layouts by hand are for operands as they lie.
  const bool has_layouts = config.smem_a || config.smem_b || config.permutation;
  std::optional<Options> for_wgmma;
  if (wgmma_needs_copies(problem, device, config) && (is_asked || !has_layouts))
    for_wgmma = alternatives.for_wgmma();
  if (for_wgmma) {
    if (is_asked || needs_groups(config, catalogue)) return *std::move(for_wgmma);
    // What wgmma does with copies, against what mma.sync does without.
    Options lying = alternatives.as_it_lies();
    return alternatives.clocks(*for_wgmma) < alternatives.clocks(lying) ? *std::move(for_wgmma)
                                                                        : lying;
  }
  Options padded = alternatives.copied(Copies::worthwhile);
  return is_asked || !padded.moves || copies_asynchronously(padded.candidates.front())
             ? padded
             : alternatives.as_it_lies();
}

}  // namespace jute::plan
