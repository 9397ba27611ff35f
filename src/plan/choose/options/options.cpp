// What a kernel may be chosen from, and which operands are copied for it.
#include <jute/base/arch_feature.hpp>
#include <jute/base/checked.hpp>
#include <jute/plan/ask/split.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/format.hpp"
#include "plan/ask/groups.hpp"
#include "plan/ask/product_of.hpp"
#include "plan/ask/row_tables.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/choose/asked.hpp"
#include "plan/choose/candidates.hpp"
#include "plan/choose/derived.hpp"
#include "plan/choose/instructions.hpp"
#include "plan/choose/options/view_options.hpp"
#include "plan/choose/options/whole_options.hpp"
#include "plan/choose/planning.hpp"
#include "plan/choose/ranked/ranked_groups.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/moves.hpp"
#include "plan/derive/moves.hpp"
#include "plan/derive/operand/conversion.hpp"

namespace jute::plan {
namespace {

bool comes_by_tma(const Candidate& candidate) {
  return row_of(candidate.family).transfer == Transfer::tma;
}

/// TMA and cp.async cannot move what is not aligned to their least access; registers can. What
/// threads multiply they copy as quickly one by one.
bool copies_asynchronously(const Candidate& candidate) {
  const FamilyRow& row = row_of(candidate.family);
  return comes_by_tma(candidate) ||
         (row.transfer == Transfer::cp_async && row.by != MultipliedBy::threads);
}

/// Do such kernels find their tiles of groups, if there are any? Those to which TMA brings operands
/// that only the device's list has make maps, and know what each tile has of K when it begins.
bool finds_groups(const Candidate& candidate, const std::optional<KernelGroups>& groups,
                  Arch arch) {
  const FamilyRow& row = row_of(candidate.family);
  if (!groups || deals_tiles(groups)) return !groups || row.deals_groups;
  return row.takes_parts_of_k ||
         (lists_operands(groups) && comes_by_tma(candidate) && candidate.tile.ping_pong == 1 &&
          provides(arch, ArchFeature::tensor_map_edits));
}

/// What the copies ahead of a kernel take.
double clocks_of(const std::optional<MoveStep>& moves, const Problem& problem) {
  MovedBytes copied;
  if (moves) add_moves(copied, *moves, problem);
  return clocks_of_moves(copied, problem.m, problem.batch);
}

/// The problem as the product finds it, behind the copies of its Views.
Problem behind(const std::vector<Move>& moves, Problem problem) {
  const RunValues planned = run_values(problem);
  for (const Move& move : moves) read_copy(problem, move, planned);
  return problem;
}

/// The problem, its operands copied like that, and what then may compute it.
class Alternatives {
 public:
  Alternatives(const Planning& planning, size_t most)
      : views_(view_moves(planning.problem)),
        problem_(behind(views_, planning.problem)),
        device_(planning.device),
        config_(planning.config),
        catalogue_(planning.catalogue),
        most_(most) {}

  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// But for its Views; without candidates.
  [[nodiscard]] Options as_it_lies() const {
    Problem read = problem_;
    std::optional<MoveStep> moves = move_operands(read, device_, config_, Copies::none, views_);
    return as_found(read, std::move(moves));
  }
  void add_candidates(Options& options) const {
    options.candidates = candidates(options.kernel, device_, config_, catalogue_, {.most = most_});
  }
  /// With what reads the copies, if there are any: of one candidate none, where it and they take
  /// `limit` or more.
  [[nodiscard]] std::optional<Options> copied(Copies copies, double limit = kNoLimit) const {
    std::optional<Options> options = behind_copies(copies);
    if (options) add_reading(*options, limit);
    return options;
  }
  /// With all copies that wgmma needs, where it then multiplies. What is refused of that is for the
  /// problem as it lies to refuse: there the nearest legal values are.
  [[nodiscard]] std::optional<Options> for_wgmma(double limit = kNoLimit) const {
    try {
      std::optional<Options> options = behind_copies(Copies::all);
      if (!options || !has_wgmma(options->kernel, device_, config_, catalogue_))
        return std::nullopt;
      add_reading(*options, limit);
      // What else reads copies stands behind it: none where it takes `limit` or more.
      std::vector<RankedCandidate>& list = options->candidates;
      if (!list.empty() && !is_wgmma(list.front().candidate.atom.form)) list.clear();
      return options;
    } catch (const Exception&) {
      return std::nullopt;
    }
  }
  /// Terms of split operands, which TMA brings to tensor cores product by product.
  [[nodiscard]] Options split() const {
    const auto cannot = [](const RankedCandidate& one) {
      return !comes_by_tma(one.candidate) || one.candidate.atom.form == MmaForm::fma;
    };
    std::optional<Options> options;
    try {
      options = copied(Copies::all);
      if (options) std::erase_if(options->candidates, cannot);
    } catch (const Exception&) {
      // Of terms, which the caller did not ask for; a choice of theirs stays what is refused.
      if (!(config_ == Config())) throw;
    }
    if (options && !options->candidates.empty()) return *std::move(options);
    const std::string asked(name(problem_.precision));
    throw Exception(
        {.code = ErrorCode::illegal_config,
         .operand = "precision",
         .value = asked,
         .violated_rules = {base::format(
             "{} needs tensor cores that multiply {} from tiles that TMA loads: wgmma of sm_90a, "
             "or mma.sync by the main loop warp_specialised",
             asked, name(split_of(problem_.precision)->term))},
         .nearest_legal = "f32"});
  }

 private:
  [[nodiscard]] Options as_found(const Problem& read, std::optional<MoveStep> moves) const {
    std::vector<Move> all = moves ? moves->moves : views_;
    if (moves)
      std::ranges::copy_if(views_, std::back_inserter(all), [](const Move& move) {
        return move.tensor == TensorRole::c || move.tensor == TensorRole::d;
      });
    return {kernel_problem(read, config_, all), std::move(moves), {}};
  }
  /// Nothing where none is made.
  [[nodiscard]] std::optional<Options> behind_copies(Copies copies) const {
    Problem read = problem_;
    std::optional<MoveStep> moves = move_operands(read, device_, config_, copies, views_);
    if (!moves) return std::nullopt;
    return as_found(read, std::move(moves));
  }
  void add_reading(Options& options, double limit) const {
    options.candidates = candidates(options.kernel, device_, config_, catalogue_,
                                    {.most = most_,
                                     .limit = limit - clocks_of(options.moves, problem_),
                                     .are_of_copies = true});
  }

  std::vector<Move> views_;
  Problem problem_;
  const DeviceInfo& device_;
  const Config& config_;
  const Catalogue& catalogue_;
  size_t most_;
};

}  // namespace

double clocks_behind_copies(const Options& options, const Planning& planning) {
  const Problem& problem = planning.problem;
  MoveStep all = options.moves.value_or(MoveStep());
  double launches = options.moves ? fitted::kLeastOfCopies : 0;
  for (Move& move : view_moves(problem))
    if ((move.tensor == TensorRole::c && is_copy(options.kernel.c)) ||
        (move.tensor == TensorRole::d && is_copy(options.kernel.d))) {
      all.moves.push_back(std::move(move));
      launches += fitted::kLeastOfCopies;
    }
  return options.candidates.front().clocks + launches + clocks_of(all, problem);
}

namespace {

/// Has the first candidate what the caller wishes? One that the planner chose does.
bool suits_wishes(const Planning& planning, const Options& options) {
  const bool has_any = planning.config.tile || needs_groups(planning.config, planning.catalogue);
  return !has_any || std::holds_alternative<GemmStep>(
                         derived(planning, options, options.candidates.front().candidate));
}

}  // namespace

bool transposes(const Options& options) {
  return options.moves && std::ranges::any_of(options.moves->moves, &Move::transposed);
}

namespace {

/// With the copies that it reads.
double clocks_with_copies(const Options& options, const Problem& problem) {
  return options.candidates.front().clocks + clocks_of(options.moves, problem);
}

/// Which rows that begin anywhere are worth a copy, where no warpgroup multiplies it?
Copies copies_for_others(Asked lying) {
  const Config& config = lying.config;
  if (config.pad || !needs_copies(lying.problem)) return Copies::worthwhile;
  if (config.main_loop)
    return lying.is_for_threads() && *config.main_loop == MainLoop::warp_specialised
               ? Copies::unaligned
               : Copies::worthwhile;
  return is_ranked(config) ? Copies::unaligned : Copies::worthwhile;
}

/// What reads the operands as they lie, or what reads copies of them if that takes less with those.
Options options_behind_copies(const Planning& planning, size_t most) {
  const auto& [problem, device, config, catalogue, limits] = planning;
  if (const Errors errors = wish_rules(config); !errors.empty()) refuse(errors);
  const bool is_split = split_of(problem.precision) != nullptr;
  // Of all candidates only some multiply terms of split operands.
  const Alternatives alternatives(planning, is_split ? kAllCandidates : most);
  if (is_split) return alternatives.split();
  const bool is_asked = config.pad.value_or(false) || config.transpose.value_or(false);
  // Layouts by hand are for operands as they lie.
  const bool has_layouts = config.smem_a || config.smem_b || config.permutation;
  // No copy is made of a B in halves, nor for what loads straight from where operands lie.
  const bool are_copied = !problem.gate && config.main_loop != MainLoop::straight;
  const bool may_be_wgmma =
      are_copied && wgmma_needs_copies(alternatives.problem(), device, config) &&
      (is_asked || !has_layouts) &&
      config.main_loop.value_or(MainLoop::warp_specialised) == MainLoop::warp_specialised;
  if (may_be_wgmma && is_asked)
    if (std::optional<Options> asked = alternatives.for_wgmma()) return *std::move(asked);
  Options lying = alternatives.as_it_lies();
  std::optional<Exception> refusal;
  try {
    alternatives.add_candidates(lying);
  } catch (const Exception& refused) {
    if (!are_copied) throw;
    refusal = refused;
  }
  if (!are_copied) return lying;
  const bool has_wishes = config.tile || needs_groups(config, catalogue);
  const double limit = refusal || has_wishes ? kNoLimit : lying.candidates.front().clocks;
  const auto is_faster = [&](const Options& copied) {
    return clocks_with_copies(copied, alternatives.problem()) < lying.candidates.front().clocks;
  };
  if (may_be_wgmma)
    if (std::optional<Options> copied = alternatives.for_wgmma(limit)) {
      // It may have what the caller chose where nothing else may.
      const bool is_better = refusal || (!copied->candidates.empty() &&
                                         (is_faster(*copied) || (!suits_wishes(planning, lying) &&
                                                                 suits_wishes(planning, *copied))));
      return is_better ? *std::move(copied) : std::move(lying);
    }
  const Copies copies = copies_for_others({lying.kernel, device, config, catalogue});
  const bool are_ranked = copies == Copies::unaligned && !config.main_loop;
  std::optional<Options> copied = alternatives.copied(copies, are_ranked ? limit : kNoLimit);
  const bool reads_copies =
      copied && !copied->candidates.empty() &&
      (is_asked || copies_asynchronously(copied->candidates.front().candidate));
  if (reads_copies && (refusal || !are_ranked || is_faster(*copied))) return *std::move(copied);
  if (refusal) throw *refusal;
  return lying;
}

/// Also tiles that are for larger groups, and all by what groups of several sizes take.
void add_for_more(Options& options, const Planning& planning) {
  if (options.kernel.groups->along != GroupedAlong::m || planning.config.tile) return;
  KernelProblem more = options.kernel;
  more.m.value += ceil_div(more.m.value, Index{2});
  for (RankedCandidate& one :
       candidates(more, planning.device, planning.config, planning.catalogue)) {
    const auto is_same = [&](const RankedCandidate& other) {
      return other.candidate.atom.name == one.candidate.atom.name &&
             to_string(other.candidate) == to_string(one.candidate);
    };
    if (comes_by_tma(one.candidate) && std::ranges::none_of(options.candidates, is_same))
      options.candidates.insert(options.candidates.begin(), std::move(one));
  }
  const auto end =
      std::stable_partition(options.candidates.begin(), options.candidates.end(),
                            [](const RankedCandidate& one) { return comes_by_tma(one.candidate); });
  for (auto one = options.candidates.begin(); one != end; ++one)
    one->clocks = clocks_of_groups(one->candidate.tile, options.kernel, planning.device);
  std::ranges::stable_sort(options.candidates.begin(), end, {}, &RankedCandidate::clocks);
}

/// Copies of what is converted, ahead of kernels of groups.
std::vector<Move> conversions_of(const Problem& problem) {
  std::vector<Move> moves = view_moves(problem);
  std::erase_if(moves, [](const Move& move) { return !move.conversion; });
  return moves;
}

/// Kernels of groups and of tables of rows, which read and write operands where they lie, but for
/// those that are converted.
Options options_of_lists(const Planning& planning) {
  const auto& [problem, device, config, catalogue, limits] = planning;
  if (const Errors errors = wish_rules(config); !errors.empty()) refuse(errors);
  const std::vector<Move> made = conversions_of(problem);
  Problem read = behind(made, problem);
  Options options{kernel_problem(read, config, made), {}, {}};
  options.moves = move_operands(read, device, config, Copies::none, made);
  options.candidates = candidates(options.kernel, device, config, catalogue);
  if (deals_tiles(options.kernel.groups)) add_for_more(options, planning);
  std::vector<RankedCandidate> able;
  std::ranges::copy_if(
      options.candidates, std::back_inserter(able), [&](const RankedCandidate& one) {
        return finds_groups(one.candidate, options.kernel.groups, device.arch) &&
               (!has_row_tables(options.kernel) || row_of(one.candidate.family).finds_rows);
      });
  // Where none is able, the first one's refusal says why.
  if (!able.empty()) options.candidates = std::move(able);
  return options;
}

/// Of the ways of boxes; where copies are unwished that with the fewest.
std::optional<Options> fastest_by_boxes(const Planning& planning) {
  std::vector<Options> all = by_boxes(planning);
  if (all.empty()) return std::nullopt;
  size_t best = 0;
  for (size_t i = 1; i < all.size() && !planning.config.pad; ++i)
    if (clocks_behind_copies(all[i], planning) < clocks_behind_copies(all[best], planning))
      best = i;
  return std::move(all[best]);
}

}  // namespace

Options whole_options(const Planning& planning, size_t most) {
  std::optional<Options> staged = converted_by_threads(planning);
  if (planning.problem.groups || has_row_tables(planning.problem)) {
    if (staged) return *std::move(staged);
    return options_of_lists(planning);
  }
  if (staged && planning.config.main_loop) return *std::move(staged);
  // Of so few rows copies take longer than is expected of them.
  constexpr Index kFewRows = 256;
  const bool are_few = std::min(planning.problem.m, planning.problem.n) <= kFewRows;
  if (staged && are_few && staged->candidates.front().candidate.atom.form == MmaForm::wgmma_rs)
    return *std::move(staged);
  Options packed = options_behind_copies(planning, most);
  if (staged && staged->candidates.front().clocks < clocks_behind_copies(packed, planning))
    return *std::move(staged);
  if (has_second_step(planning.problem) || view_moves(planning.problem).empty()) return packed;
  // Of what takes equally long boxes come first: they need no workspace.
  if (std::optional<Options> boxed = fastest_by_boxes(planning);
      boxed && (planning.config.pad ||
                clocks_behind_copies(*boxed, planning) <= clocks_behind_copies(packed, planning)))
    packed = *std::move(boxed);
  std::optional<Options> walked = walking(planning);
  if (!walked) return packed;
  const Derived step = derived(planning, *walked, walked->candidates.front().candidate);
  if (!std::holds_alternative<GemmStep>(step)) return packed;
  const bool is_faster =
      (planning.config.pad && packs_views(packed)) ||  // asked to leave operands where they lie
      walked->candidates.front().clocks <= clocks_behind_copies(packed, planning);
  return is_faster ? *std::move(walked) : packed;
}

}  // namespace jute::plan
