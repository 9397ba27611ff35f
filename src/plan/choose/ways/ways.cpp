// The table of ways, and what each makes of a problem.
#include "plan/choose/ways/ways.hpp"

#include <jute/base/arch_feature.hpp>
#include <jute/plan/ask/split.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/format.hpp"
#include "plan/ask/product_of.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/choose/ways/stored_ways.hpp"
#include "plan/convert/epilogue_scales.hpp"
#include "plan/convert/product_scales.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/moves.hpp"
#include "plan/derive/move_step.hpp"
#include "plan/derive/moves.hpp"
#include "plan/derive/operand/view_boxes.hpp"
#include "plan/shapes/warp_tiles.hpp"

namespace jute::plan {
namespace {

bool is_split(const Given& given) { return split_of(given.problem.precision) != nullptr; }
bool has_views(const Problem& problem) {
  return problem.a.view || problem.b.view || problem.c.view || problem.d.view;
}
constexpr std::string_view kNoTerms = "operands must not be split into terms";

// --- As it lies: what has a View or is converted is moved ahead, all else is read in place. ---

/// Clocks of moves: those by elements take a launch more than is known of copies of whole rows, A
/// and B together, C and D each.
double clocks_of(const std::vector<Move>& moves, const Problem& problem) {
  if (moves.empty()) return 0;
  MovedBytes moved;
  add_moves(moved, moves, problem);
  const std::vector<Move> operands = of_operands(moves);
  const size_t launches =
      moves.size() - operands.size() + (std::ranges::any_of(operands, goes_by_elements) ? 1 : 0);
  return clocks_of_moves(moved, problem.m, problem.batch) +
         static_cast<double>(launches) * fitted::kLeastOfCopies;
}

/// The problem behind moves that are made, and behind more copies of A and B: nothing where there
/// are no more than `least`, and none of those is transposed.
std::optional<Presentation> behind(const Given& given, const std::vector<Move>& made, Copies copies,
                                   std::optional<size_t> least = std::nullopt) {
  const Problem& problem = given.problem;
  Problem read = problem;
  if (!made.empty()) {
    const RunValues planned = run_values(problem);
    for (const Move& move : made) read_copy(read, move, planned);
  }
  Presentation result;
  result.ahead = move_operands(read, given.device, given.config, copies, made);
  std::vector<Move> all = result.ahead ? result.ahead->moves : std::vector<Move>();
  const auto is_transposed = [](const Move& move) {
    return move.transposed && !goes_by_elements(move);
  };
  if (least && all.size() <= *least && std::ranges::none_of(all, is_transposed))
    return std::nullopt;
  std::ranges::copy_if(made, std::back_inserter(all), [](const Move& move) {
    return move.tensor == TensorRole::c || move.tensor == TensorRole::d;
  });
  result.kernel = kernel_problem(read, given.config, all);
  for (const Move& move : all) {
    if (move.view) ++result.viewed;
    if (move.conversion) ++result.converted;
  }
  result.clocks = clocks_of(all, problem);
  return result;
}

std::string_view must_lie_whole(const Given& given) {
  if (is_split(given)) return kNoTerms;
  return has_lists(given.problem) ? kNoLists : kNone;
}
std::vector<Presentation> as_it_lies(const Given& given) {
  return {*behind(given, view_moves(given.problem), Copies::none)};
}

// --- Copied: what begins anywhere, and what wgmma does not read as it lies. ---

std::string_view must_be_copied(const Given& given) {
  const Config& config = given.config;
  if (const std::string_view rule = must_lie_whole(given); !rule.empty()) return rule;
  if (given.problem.gate) return "no copy must be needed of a B in halves";
  if (config.main_loop == MainLoop::straight)
    return "kernels that load straight from where operands lie must need no copies of them";
  return kNone;
}
/// Layouts by hand are for operands as they lie.
bool has_layouts(const Config& config) {
  return config.smem_a || config.smem_b || config.permutation;
}
/// Copies for others than wgmma: without a caller's choice, and where the caller chooses the main
/// loop that TMA feeds, whatever begins anywhere.
Copies for_others(const Config& config) {
  const bool is_any = config.main_loop
                          ? *config.main_loop == MainLoop::warp_specialised && !has_layouts(config)
                          : is_ranked(config);
  return is_any && !config.pad ? Copies::unaligned : Copies::worthwhile;
}
std::vector<Presentation> copied(const Given& given) {
  constexpr Arch kWgmma{90, 'a'};  // hardware: that has it
  const Config& config = given.config;
  const std::vector<Move> made = view_moves(given.problem);
  std::vector<Presentation> all;
  const auto add = [&](Copies copies) {
    const size_t least = all.empty() ? of_operands(made).size() : all.back().ahead->moves.size();
    std::optional<Presentation> one = behind(given, made, copies, least);
    if (!one) return;
    one->readers = copies == Copies::all && !config.transpose.value_or(false)
                       ? Readers::warpgroups
                       : Readers::asynchronous;
    all.push_back(*std::move(one));
  };
  add(for_others(config));
  const bool may_need = !made.empty() || wgmma_needs_copies(given.problem, given.device, config);
  if (may_need && provides(given.device.arch, kWgmma) &&
      (asks_for_copies(config) || !has_layouts(config)) &&
      config.main_loop.value_or(MainLoop::warp_specialised) == MainLoop::warp_specialised)
    add(Copies::all);
  return all;
}

// --- Split: terms of both operands, which TMA brings to tensor cores product by product. ---

std::string_view must_be_split(const Given& given) {
  return is_split(given) ? kNone : "operands must be split into terms";
}
std::vector<Presentation> split(const Given& given) {
  Presentation one = *behind(given, view_moves(given.problem), Copies::all);
  one.readers = Readers::asynchronous;
  return {std::move(one)};
}
bool multiplies_terms(const Candidate& candidate) {
  const FamilyRow& row = row_of(candidate.family);
  return row.transfer == Transfer::tma && row.by != MultipliedBy::threads;
}
Error needs_tensor_cores(const Given& given) {
  const std::string asked(name(given.problem.precision));
  return {.code = ErrorCode::illegal_config,
          .operand = "precision",
          .value = asked,
          .violated_rules = {base::format(
              "{} needs tensor cores that multiply {} from tiles that TMA loads: wgmma of sm_90a, "
              "or mma.sync by the main loop warp_specialised",
              asked, name(split_of(given.problem.precision)->term))},
          .nearest_legal = "f32"};
}

// --- Walked: threads find each run of a View where it lies. ---

std::string_view must_have_views(const Given& given) {
  if (const std::string_view rule = must_lie_whole(given); !rule.empty()) return rule;
  if (!has_views(given.problem)) return "an operand must have a View";
  if (has_second_step(given.problem)) return "D must be what the kernel stores";
  if (given.problem.staged) return "operands must not be converted";
  return asks_for_copies(given.config) ? "the caller must not ask for copies" : kNone;
}
std::string_view must_walk(const Given& given) {
  if (has_run_time_views(given.problem)) return "numbers of Views must be literal";
  return must_have_views(given);
}
std::vector<Presentation> walked(const Given& given) {
  return {{.kernel = kernel_problem(given.problem, given.config)}};
}
bool walks(const Candidate& candidate) {
  return row_of(row_of(candidate.family).transfer).walks_views;
}

// --- Boxed: TMA moves Views where they lie, of one operand or several; the others are packed. ---

std::string_view must_be_boxes(const Given& given) {
  if (given.config.specialize == Specialize::generic || given.config.specialize == Specialize::none)
    return "strides of Views must be literals of the kernel";
  if (given.problem.gate) return "maps must tell a gate's halves apart";
  return must_have_views(given);
}
std::vector<Presentation> boxed(const Given& given) {
  using enum TensorRole;
  const std::vector<Move> views = view_moves(given.problem);
  std::vector<std::vector<TensorRole>> tried;
  std::vector<Presentation> all;
  for (const std::vector<TensorRole>& wanted :
       {std::vector{a, b, c, d}, std::vector{a, b, d}, std::vector{a, b, c}, std::vector{a, b},
        std::vector{a}, std::vector{b}, std::vector{c, d}, std::vector{d}, std::vector{c}}) {
    std::vector<TensorRole> boxes;
    std::vector<Move> packed;
    for (const Move& move : views)
      if (std::ranges::find(wanted, move.tensor) != wanted.end() &&
          may_be_boxes(matrix_of(given.problem, move.tensor), move.tensor))
        boxes.push_back(move.tensor);
      else
        packed.push_back(move);
    if (boxes.empty() || std::ranges::find(tried, boxes) != tried.end()) continue;
    all.push_back(*behind(given, packed, Copies::all));
    bring_by_boxes(all.back().kernel);
    tried.push_back(std::move(boxes));
  }
  return all;
}
bool brings_boxes(const Candidate& candidate) {
  return row_of(row_of(candidate.family).transfer).boxes_views;
}

// --- Scaled: operands of 8 bits are multiplied as they are, and sums of them scaled. ---

std::string_view must_be_scaled(const Given& given) {
  const Problem& problem = given.problem;
  if (problem.groups && problem.groups->kind == GroupKind::each)
    return "scales must not be those of the device's list";  // which a conversion looks up
  if (!may_scale_products(problem))
    return "instructions must multiply what is stored, with scales of whole parts of K";
  if (problem.c.view || problem.d.view) return "C and D must have no Views";
  if (given.config.specialize == Specialize::generic) return "kernels must not be shared";
  if (given.config.main_loop == MainLoop::straight)
    return "the main loop must be one that adds up sums of parts of K";
  return kNone;
}
std::vector<Presentation> as_lists_say(const Given& given);
std::vector<Presentation> scaled(const Given& given) {
  using enum MainLoop;
  const Problem problem = as_multiplied(given.problem);
  std::vector<Presentation> all;
  for (const MainLoop main_loop : {warp_specialised, multistage, register_staged}) {
    // Groups have those by wgmma.
    if (given.config.main_loop.value_or(main_loop) != main_loop ||
        (given.problem.groups && main_loop != warp_specialised))
      continue;
    Config config = given.config;
    config.main_loop = main_loop;
    const Given own{problem, given.device, config};
    std::vector<Presentation> found = has_lists(problem) ? as_lists_say(own) : as_it_lies(own);
    if (must_be_copied(own).empty()) std::ranges::move(copied(own), std::back_inserter(found));
    for (Presentation& one : found) {
      find_epilogue_scales(one.kernel, given.problem);
      // Where no law says what mma.sync takes of such types, who wants it asks for it.
      if (main_loop != warp_specialised && !given.config.main_loop &&
          !suits_warp_tiles(one.kernel, given.device))
        continue;
      one.main_loop = main_loop;
      all.push_back(std::move(one));
    }
  }
  return all;
}
bool scales_products(const Candidate& candidate) {
  return row_of(candidate.family).scales_products;
}

// --- Lists: operands of groups and of tables of rows lie where those say, but for what is
// converted. ---

std::string_view must_have_lists(const Given& given) {
  return has_lists(given.problem) ? kNone : "groups or tables must say where rows lie";
}
std::vector<Presentation> as_lists_say(const Given& given) {
  std::vector<Move> made = view_moves(given.problem);
  std::erase_if(made, [](const Move& move) { return !move.conversion; });
  return {*behind(given, made, Copies::none)};
}

// --- Carried: the producer's warps fill stages with what TMA cannot bring, or with what the caller
// says; what is converted is moved ahead. ---

/// By cp.async of the producer's warps, in place of TMA?
bool is_copied(const std::optional<Transfer>& carry) { return carry == Transfer::cp_async; }
bool asks_for_carriers(const Config& config) {
  return is_copied(config.carry_a) || is_copied(config.carry_b);
}
std::string_view must_be_wished(const Given& given) {
  return asks_for_carriers(given.config) ? kNone : "the caller must say what fills stages";
}
std::string_view must_be_carried(const Given& given) {
  const Problem& problem = given.problem;
  const bool may_be_beyond_tma = has_views(problem) || has_row_tables(problem) ||
                                 (problem.groups && problem.groups->kind == GroupKind::k);
  if (!may_be_beyond_tma || asks_for_carriers(given.config))
    return "TMA must be unable to find an operand where it lies";
  return asks_for_copies(given.config) ? "the caller must not ask for copies" : kNone;
}
bool is_for_tma(const KernelMatrix& matrix) {
  constexpr int kOfTma = 16;  // hardware: bytes at multiples of which rows begin
  return matrix.access_bytes >= kOfTma && !matrix.view && !matrix.rows;
}
/// Anything that TMA cannot bring is copied, where the caller does not say that TMA must; of parts
/// of K both operands are, or none.
Transfer carrier_for(const KernelMatrix& matrix, const KernelProblem& kernel,
                     const std::optional<Transfer>& wish, const Config& config) {
  if (wish) return *wish;
  const bool are_together =
      has_parts_of_k(kernel.groups) &&
      (asks_for_carriers(config) || !is_for_tma(kernel.a) || !is_for_tma(kernel.b));
  return is_for_tma(matrix) && !are_together ? Transfer::tma : Transfer::cp_async;
}
std::vector<Presentation> carried_as_wished(const Given& given) {
  const Config& config = given.config;
  std::vector<Move> made = view_moves(given.problem);
  const bool are_packed = has_run_time_views(given.problem) || has_second_step(given.problem);
  std::erase_if(made, [&](const Move& move) {
    const bool is_by_tma = (move.tensor == TensorRole::a && config.carry_a == Transfer::tma) ||
                           (move.tensor == TensorRole::b && config.carry_b == Transfer::tma);
    return !move.conversion && !are_packed && !is_by_tma;
  });
  Presentation one = *behind(given, made, is_split(given) ? Copies::all : Copies::none);
  KernelProblem& kernel = one.kernel;
  KernelMatrix &a = kernel.transposed ? kernel.b : kernel.a,
               &b = kernel.transposed ? kernel.a : kernel.b;
  a.carry = carrier_for(a, kernel, config.carry_a, config);
  b.carry = carrier_for(b, kernel, config.carry_b, config);
  return {std::move(one)};
}
/// An operand that TMA does not find: rows of a table, parts of K that begin inside rows, Views
/// that are no boxes. Rows that begin at multiples of 4 and 8 bytes are copied ahead in less time:
/// bench/results/2026-12-01-carriers.md.
std::vector<Presentation> carried(const Given& given) {
  std::vector<Presentation> all = carried_as_wished(given);
  const KernelProblem& kernel = all.front().kernel;
  const auto is_beyond_tma = [&](const Matrix& matrix, TensorRole tensor) {
    const bool is_first = (tensor == TensorRole::a) != kernel.transposed;
    const KernelMatrix& found = is_first ? kernel.a : kernel.b;
    return is_copied(found.carry) && (found.view ? !may_be_boxes(matrix, tensor)
                                                 : found.rows || has_parts_of_k(kernel.groups));
  };
  if (!is_beyond_tma(given.problem.a, TensorRole::a) &&
      !is_beyond_tma(given.problem.b, TensorRole::b))
    all.clear();
  return all;
}
bool takes_copies(const Candidate& candidate) { return row_of(candidate.family).takes_copies; }
Error needs_wgmma(const Given& given) {
  const bool is_a = is_copied(given.config.carry_a);
  return {.code = ErrorCode::illegal_config,
          .operand = is_a ? "carry_a" : "carry_b",
          .value = "cp_async",
          .violated_rules = {base::format(
              "producer warps fill stages that wgmma of sm_90a reads: it must multiply {} as they "
              "lie, and rows must begin at multiples of 4 bytes; of what TMA brings beside that of "
              "16, and no table may name them, and no group's part of K end inside",
              name(given.problem.a.type))},
          .nearest_legal = "tma"};
}

// --- What settles it. ---

/// Weights that a tile of all rows reads once, in as many bytes as are stored.
bool always(const Given& /*any*/) { return true; }
/// Families' clocks of groups of several sizes are of different things.
bool has_groups(const Given& given) { return given.problem.groups.has_value(); }
/// Copies of so few rows take longer than is expected of them, and fragments were 1.5 times as
/// quick as stages on an H200, of 64 and of 256.
bool are_few_rows(const Given& given) {
  constexpr Index kFewRows = 256;
  return std::min(given.problem.m, given.problem.n) <= kFewRows;
}

// clang-format off
constexpr auto kWays = std::to_array<Way>({
  {.name = "scaled", .rule = must_be_scaled, .read = scaled, .suits = scales_products,
   .needs = "kernels must add up sums of parts of K", .settles = has_groups},
  {.name = "stored, to registers", .rule = must_be_of_few_rows, .read = stored_in_registers, .suits = converts_registers,
   .needs = "threads must convert what they load straight to registers", .holds = covers_rows, .settles = always},
  {"stored, to fragments", must_be_fragments, stored_in_fragments, converts_fragments,
   "a wgmma must take from registers what is converted", has_whole_vectors, kMostStored, are_few_rows},
  {"stored, to stages", must_be_staged, stored_in_stages, converts_stages,
   "threads must convert what they bring to stages", has_whole_vectors, kMostStored, has_groups},
  {"as it lies", must_lie_whole, as_it_lies},
  {"by lists", must_have_lists, as_lists_say},
  {"copied", must_be_copied, copied},
  {.name = "split", .rule = must_be_split, .read = split, .suits = multiplies_terms,
   .refusal = needs_tensor_cores},
  {"walked", must_walk, walked, walks, "threads must bring to stages what a View names"},
  {"boxed", must_be_boxes, boxed, brings_boxes, "TMA must bring to stages what a View names"},
  {"carried", must_be_carried, carried, takes_copies, "a producer's warps must fill stages by cp.async"},
  {.name = "carried, as wished", .rule = must_be_wished, .read = carried_as_wished, .suits = takes_copies,
   .refusal = needs_wgmma, .carries = true},
});
// clang-format on

}  // namespace

std::string_view broken_rule(const Way& way, const Given& given) {
  if (asks_for_carriers(given.config) && !way.carries)
    return "what fills stages must be the planner's choice";
  return way.rule(given);
}

std::span<const Way> ways() { return kWays; }

int unwished(const Presentation& presentation, const Config& config) {
  int count = config.main_loop ? presentation.converted : 0;
  if (config.pad)
    count += *config.pad ? int{presentation.readers == Readers::all} : presentation.viewed;
  const auto is_transposed = [&] {
    return presentation.ahead && std::ranges::any_of(presentation.ahead->moves, &Move::transposed);
  };
  return config.transpose.value_or(false) && !is_transposed() ? count + 1 : count;
}

}  // namespace jute::plan
