// What a kernel may be chosen from that has Views where they lie.
#include "plan/choose/options/view_options.hpp"

#include <jute/plan/ask/split.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "plan/choose/candidates.hpp"
#include "plan/choose/derived.hpp"
#include "plan/derive/move_step.hpp"
#include "plan/derive/moves.hpp"
#include "plan/derive/operand/view_boxes.hpp"

namespace jute::plan {

std::optional<Options> walking(const Planning& planning) {
  const Config& config = planning.config;
  if (has_run_time_views(planning.problem) || config.pad.value_or(false) ||
      config.transpose.value_or(false) || split_of(planning.problem.precision) != nullptr ||
      planning.problem.staged)
    return std::nullopt;
  Options options{kernel_problem(planning.problem, config), {}, {}};
  try {
    options.candidates =
        plan::candidates(options.kernel, planning.device, config, planning.catalogue);
  } catch (const Exception&) {
    return std::nullopt;  // of the problem behind copies it is to be refused
  }
  std::erase_if(options.candidates, [](const RankedCandidate& one) {
    return !row_of(one.candidate.family).walks_views;
  });
  if (options.candidates.empty()) return std::nullopt;
  return options;
}

namespace {

/// Kernels to which TMA brings Views where they lie, and takes them to D's; what it cannot move is
/// packed or unpacked. `packed` are the moves of those.
std::optional<Options> boxes_behind(const Planning& planning, const std::vector<Move>& packed) {
  const Config& config = planning.config;
  const RunValues planned = run_values(planning.problem);
  Problem read = planning.problem;
  for (const Move& move : packed) read_copy(read, move, planned);
  Options options;
  try {
    options.moves = move_operands(read, planning.device, config, Copies::all, packed);
    std::vector<Move> all = options.moves ? options.moves->moves : std::vector<Move>();
    std::ranges::copy_if(packed, std::back_inserter(all), [](const Move& move) {
      return move.tensor == TensorRole::c || move.tensor == TensorRole::d;
    });
    options.kernel = kernel_problem(read, config, all);
    bring_by_boxes(options.kernel);
    options.candidates =
        plan::candidates(options.kernel, planning.device, config, planning.catalogue);
  } catch (const Exception&) {
    return std::nullopt;
  }
  std::erase_if(options.candidates, [](const RankedCandidate& one) {
    return !row_of(one.candidate.family).boxes_views;
  });
  const auto is_able = [&](const RankedCandidate& one) {
    return std::holds_alternative<GemmStep>(derived(planning, options, one.candidate));
  };
  options.candidates.erase(options.candidates.begin(),
                           std::ranges::find_if(options.candidates, is_able));
  if (options.candidates.empty()) return std::nullopt;
  return options;
}

}  // namespace

std::vector<Options> by_boxes(const Planning& planning) {
  const Config& config = planning.config;
  if (config.pad.value_or(false) || config.transpose.value_or(false) ||
      split_of(planning.problem.precision) != nullptr || planning.problem.staged ||
      config.specialize == Specialize::generic || config.specialize == Specialize::none ||
      planning.problem.gate)
    return {};  // of a gate's two halves a map would have to tell, too
  const std::vector<Move> views = view_moves(planning.problem);
  using enum TensorRole;
  std::vector<std::vector<TensorRole>> tried;
  std::vector<Options> all;
  for (const std::vector<TensorRole>& wanted :
       {std::vector{a, b, c, d}, std::vector{a, b, d}, std::vector{a, b, c}, std::vector{a, b},
        std::vector{a}, std::vector{b}, std::vector{c, d}, std::vector{d}, std::vector{c}}) {
    std::vector<TensorRole> boxed;
    std::vector<Move> packed;
    for (const Move& move : views)
      if (std::ranges::find(wanted, move.tensor) != wanted.end() &&
          may_be_boxes(matrix_of(planning.problem, move.tensor), move.tensor))
        boxed.push_back(move.tensor);
      else
        packed.push_back(move);
    if (boxed.empty() || std::ranges::find(tried, boxed) != tried.end()) continue;
    if (std::optional<Options> options = boxes_behind(planning, packed))
      all.push_back(*std::move(options));
    tried.push_back(std::move(boxed));
  }
  return all;
}

bool walks_views(const Options& options) {
  const KernelProblem& kernel = options.kernel;
  return kernel.a.view || kernel.b.view || kernel.c.view || kernel.d.view;
}

bool packs_views(const Options& options) {
  const KernelProblem& kernel = options.kernel;
  return !walks_views(options) &&
         !((kernel.a.boxed || kernel.b.boxed || kernel.c.boxed || kernel.d.boxed) &&
           !options.moves);
}

}  // namespace jute::plan
