// What a kernel may be chosen from, and which operands are copied for it.
#include <jute/base/checked.hpp>
#include <jute/plan/ask/split.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "base/format.hpp"
#include "plan/ask/groups.hpp"
#include "plan/ask/product_of.hpp"
#include "plan/ask/row_tables.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/choose/candidate_search.hpp"
#include "plan/choose/derived.hpp"
#include "plan/choose/options/view_options.hpp"
#include "plan/choose/options/whole_options.hpp"
#include "plan/choose/planning.hpp"
#include "plan/choose/ranked/ranked_groups.hpp"
#include "plan/choose/step_cost.hpp"
#include "plan/cost/cost_model.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/tiles/staged_amounts.hpp"
#include "plan/derive/moves.hpp"
#include "plan/derive/operand/conversion.hpp"
#include "plan/shapes/tile_ways.hpp"

namespace jute::plan {
namespace {

bool is_by_groups(const Candidate& candidate) {
  return std::holds_alternative<WarpgroupTile>(candidate.tile);
}

/// TMA and cp.async cannot move what is not aligned to their least access; registers can.
bool copies_asynchronously(const Candidate& candidate) {
  if (is_by_groups(candidate)) return true;
  const auto* tile = std::get_if<WarpTile>(&candidate.tile);
  return tile != nullptr && tile->transfer == Transfer::cp_async;
}

}  // namespace

double clocks_of(const Options& options, const Problem& problem, const DeviceInfo& device) {
  const Candidate& first = options.candidates.front();
  // Of what reads operands as they lie.
  if (auto own = law_clocks(first, options.kernel, device)) return *own;
  std::optional<KernelCost> cost = kernel_cost(first, options.kernel, device);
  if (!cost) return std::numeric_limits<double>::infinity();
  if (options.moves) add_moves(*cost, *options.moves, problem);
  const double clocks = cost->at(problem.m, problem.batch).clocks;
  return is_by_groups(first) ? clocks : std::min(clocks, gathered_clocks(options.kernel, device));
}

namespace {

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
        most_(most),
        lying_(kernel_problem(problem_, config_, views_)),
        search_(lying_, device_, config_, catalogue_, most) {}

  [[nodiscard]] bool prefer_straight() { return search_.prefers_straight(); }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// But for its Views.
  [[nodiscard]] Options as_it_lies() {
    Problem read = problem_;
    return {lying_, move_operands(read, device_, config_, Copies::none, views_),
            search_.candidates()};
  }
  [[nodiscard]] Options copied(Copies copies) {
    Problem read = problem_;
    std::optional<MoveStep> moves = move_operands(read, device_, config_, copies, views_);
    if (!moves) return as_it_lies();
    std::vector<Move> all = moves->moves;
    std::ranges::copy_if(views_, std::back_inserter(all), [](const Move& move) {
      return move.tensor == TensorRole::c || move.tensor == TensorRole::d;
    });
    KernelProblem kernel = kernel_problem(read, config_, all);
    std::vector<Candidate> list =
        CandidateSearch(kernel, device_, config_, catalogue_, most_).candidates();
    return {std::move(kernel), std::move(moves), std::move(list)};
  }
  /// Of rows that begin anywhere, for what reads them asynchronously without wgmma.
  [[nodiscard]] Copies copies_for_warps() { return search_.copies_for_warps(); }
  /// With all copies that wgmma needs, where it then is what computes. What is refused of that is
  /// for the problem as it lies to refuse: there the nearest legal values are.
  [[nodiscard]] std::optional<Options> for_wgmma() {
    try {
      Options options = copied(Copies::all);
      if (is_wgmma(options.candidates.front().atom.form)) return options;
    } catch (const Exception&) {
    }
    return std::nullopt;
  }
  /// Terms of split operands, which TMA brings to tensor cores product by product.
  [[nodiscard]] Options split() {
    const auto cannot = [](const Candidate& candidate) {
      return !is_by_groups(candidate) || candidate.atom.form == MmaForm::fma;
    };
    std::optional<Options> options;
    try {
      options = copied(Copies::all);
      std::erase_if(options->candidates, cannot);
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
  [[nodiscard]] double clocks(const Options& options) const {
    return clocks_of(options, problem_, device_);
  }

 private:
  std::vector<Move> views_;
  Problem problem_;
  const DeviceInfo& device_;
  const Config& config_;
  const Catalogue& catalogue_;
  size_t most_;
  KernelProblem lying_;
  CandidateSearch search_;
};

}  // namespace

double clocks_behind_copies(Options& options, const Planning& planning) {
  const Problem& problem = planning.problem;
  std::optional<MoveStep> moves = std::exchange(options.moves, std::nullopt);
  MoveStep all = moves.value_or(MoveStep());
  double launches = moves ? fitted::kLeastOfCopies : 0;
  for (Move& move : view_moves(problem))
    if ((move.tensor == TensorRole::c && is_copy(options.kernel.c)) ||
        (move.tensor == TensorRole::d && is_copy(options.kernel.d))) {
      all.moves.push_back(std::move(move));
      launches += fitted::kLeastOfCopies;
    }
  KernelCost copies;
  add_moves(copies, all, problem);
  const double clocks = clocks_of(options, problem, planning.device) + launches +
                        clocks_of_moves(copies.moved, problem.m, problem.batch);
  options.moves = std::move(moves);
  return clocks;
}

namespace {

/// Nothing is known of threads' multiply-adds but what tensor cores take where rows begin anywhere.
double walking_clocks(const Options& options, const Planning& planning) {
  return law_clocks(options.candidates.front(), options.kernel, planning.device)
      .value_or(gathered_clocks(options.kernel, planning.device));
}

/// Does the caller's tile suit the first candidate? One that the planner chose does.
bool suits_tile_wish(const Planning& planning, const Options& options) {
  return !planning.config.tile ||
         std::holds_alternative<GemmStep>(derived(planning, options, options.candidates.front()));
}

}  // namespace

bool transposes(const Options& options) {
  return options.moves && std::ranges::any_of(options.moves->moves, &Move::transposed);
}

namespace {

/// Behind copies of whatever no kernel reads as it lies.
Options options_behind_copies(const Planning& planning, size_t most) {
  const auto& [problem, device, config, catalogue, limits] = planning;
  if (const Errors errors = wish_rules(config); !errors.empty()) refuse(errors);
  const bool is_split = split_of(problem.precision) != nullptr;
  // Of all candidates only some multiply terms of split operands.
  Alternatives alternatives(planning, is_split ? kAllCandidates : most);
  if (is_split) return alternatives.split();
  if (problem.gate) return alternatives.as_it_lies();  // no copy is made of a B in halves
  // Copies are for kernels that read them asynchronously: what needs none comes first.
  if (alternatives.prefer_straight()) return alternatives.as_it_lies();
  const bool is_asked = config.pad.value_or(false) || config.transpose.value_or(false);
  // Layouts by hand are for operands as they lie.
  const bool has_layouts = config.smem_a || config.smem_b || config.permutation;
  std::optional<Options> for_wgmma;
  if (wgmma_needs_copies(alternatives.problem(), device, config) && (is_asked || !has_layouts))
    for_wgmma = alternatives.for_wgmma();
  if (for_wgmma) {
    if (is_asked || needs_groups(config, catalogue)) return *std::move(for_wgmma);
    // What wgmma does with copies, against what mma.sync does without, if it may have what the
    // caller chose.
    Options lying = alternatives.as_it_lies();
    const bool is_faster = alternatives.clocks(*for_wgmma) < alternatives.clocks(lying);
    return is_faster || (!suits_tile_wish(planning, lying) && suits_tile_wish(planning, *for_wgmma))
               ? *std::move(for_wgmma)
               : std::move(lying);
  }
  const Copies copies = alternatives.copies_for_warps();
  if (copies == Copies::none) return alternatives.as_it_lies();
  Options padded = alternatives.copied(copies);
  return is_asked || !padded.moves || copies_asynchronously(padded.candidates.front())
             ? padded
             : alternatives.as_it_lies();
}

/// Also tiles that are for larger groups, and all by what groups of several sizes take.
void add_for_more(Options& options, const Planning& planning) {
  if (options.kernel.groups->along != GroupedAlong::m || planning.config.tile) return;
  KernelProblem more = options.kernel;
  more.m.value += ceil_div(more.m.value, Index{2});
  for (Candidate& one :
       CandidateSearch(more, planning.device, planning.config, planning.catalogue, kAllCandidates)
           .candidates()) {
    const auto is_same = [&](const Candidate& other) {
      return other.atom.name == one.atom.name && to_string(other) == to_string(one);
    };
    if (is_by_groups(one) && std::ranges::none_of(options.candidates, is_same))
      options.candidates.insert(options.candidates.begin(), std::move(one));
  }
  const auto end =
      std::stable_partition(options.candidates.begin(), options.candidates.end(), is_by_groups);
  std::vector<std::pair<double, Candidate>> ranked;
  for (auto one = options.candidates.begin(); one != end; ++one)
    ranked.emplace_back(
        clocks_of_groups(std::get<WarpgroupTile>(one->tile), options.kernel, planning.device),
        std::move(*one));
  std::ranges::stable_sort(ranked, {}, &std::pair<double, Candidate>::first);
  for (size_t i = 0; i < ranked.size(); ++i) options.candidates[i] = std::move(ranked[i].second);
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
  options.candidates =
      CandidateSearch(options.kernel, device, config, catalogue, kAllCandidates).candidates();
  if (deals_tiles(options.kernel.groups)) add_for_more(options, planning);
  std::vector<Candidate> able;
  std::ranges::copy_if(options.candidates, std::back_inserter(able), [&](const Candidate& one) {
    return finds_groups(one, options.kernel.groups, device.arch) &&
           (!has_row_tables(options.kernel) || ways_of(one).finds_rows);
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
  if (staged && are_few && staged->candidates.front().atom.form == MmaForm::wgmma_rs)
    return *std::move(staged);
  Options packed = options_behind_copies(planning, most);
  if (staged && clocks_of(*staged, planning.problem, planning.device) <
                    clocks_behind_copies(packed, planning))
    return *std::move(staged);
  if (has_second_step(planning.problem) || view_moves(planning.problem).empty()) return packed;
  // Of what takes equally long boxes come first: they need no workspace.
  if (std::optional<Options> boxed = fastest_by_boxes(planning);
      boxed && (planning.config.pad ||
                clocks_behind_copies(*boxed, planning) <= clocks_behind_copies(packed, planning)))
    packed = *std::move(boxed);
  std::optional<Options> walked = walking(planning);
  if (!walked) return packed;
  const Derived step = derived(planning, *walked, walked->candidates.front());
  if (!std::holds_alternative<GemmStep>(step)) return packed;
  const bool is_faster =
      (planning.config.pad && packs_views(packed)) ||  // asked to leave operands where they lie
      walking_clocks(*walked, planning) <= clocks_behind_copies(packed, planning);
  return is_faster ? *std::move(walked) : packed;
}

}  // namespace jute::plan
