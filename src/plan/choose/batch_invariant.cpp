// One order of sums for all M.
#include <jute/base/refuse.hpp>
#include <jute/plan/choose/batch_invariant.hpp>
#include <jute/plan/derive/sum_order.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/format.hpp"
#include "base/own_stack.hpp"
#include "plan/choose/planning.hpp"

namespace jute {
namespace plan {
namespace {

/// Rows that decide which kernels are chosen: few, and more and more of them.
constexpr auto kRows =
    std::to_array<Index>({1, 2, 8, 16, 32 + 1, 64, 100, 256, 512 + 1, 1024, 4096, 16384});
constexpr Index kRowsOfMany = 4096, kMostRows = Index{1} << 20;

/// Strides are those that each M has alone.
Problem with_rows(const Problem& problem, Index m) {
  return for_rows(problem, m, ShortStrides::packed);
}
Problem for_last_rows(const Problem& problem) {
  const Problem whole = completed(problem);
  return for_rows(whole, whole.m_range ? whole.m_range->last : whole.m);
}

[[noreturn]] void refuse_choice(const char* choice, std::string value, const char* nearest) {
  refuse(ErrorCode::illegal_config, choice, std::move(value),
         "every row must be summed in the order of its k alone", nearest);
}

Config held_choices(Config config) {
  if (config.split_k.value_or(1) != 1)
    refuse_choice("split_k", std::to_string(*config.split_k), "1");
  if (config.whole_tiles.value_or(0) != 0)
    refuse_choice("whole_tiles", std::to_string(*config.whole_tiles), "0");
  if (config.k_starts.value_or(1) != 1)
    refuse_choice("k_starts", std::to_string(*config.k_starts), "1");
  config.split_k = 1;
  config.k_starts = 1;
  config.whole_tiles = 0;
  return config;
}

/// Choices that may hold every M to one order, and the rows whose plans must show it.
struct Attempt {
  Config config;
  std::vector<Index> rows;
};

std::vector<Index> some_rows() { return {kRows.begin(), kRows.end()}; }

/// At most a sixteenth apart: of kernels whose parts of K nothing holds.
std::vector<Index> many_rows() {
  std::vector<Index> rows;
  for (Index m = 1; m <= kMostRows; m += std::max<Index>(1, m / 16)) rows.push_back(m);
  return rows;
}

/// Do warps of a block take parts of K where their layout says so?
bool has_warps_along_k(const Plan& plan) {
  const MmaForm form = gemm_step(plan).mma.atom().form;
  return form != MmaForm::fma && form != MmaForm::dp && !is_wgmma(form);
}

/// Layouts of a block's warps of which each sums all of K: as for many rows, or a square of four.
std::vector<Layout> layouts_of_whole_k(const Plan& many) {
  std::vector<Layout> layouts;
  const Layout own = gemm_step(many).mma.atom_layout();
  if (size(own[2]) == 1) layouts.push_back(own);
  layouts.emplace_back("(2,2,1):(1,2,4)");
  return layouts;
}

Planned plan_of_rows(const Planning& planning, Index m, const Config& config) {
  return planned(with_rows(planning.problem, m), planning.device, config, planning.catalogue);
}

/// A main loop's attempts, the one that leaves planning most freedom last but for wgmma, whose sums
/// have one order.
std::vector<Attempt> attempts_with(const Planning& planning) {
  const Config& config = planning.config;
  const Planned made = plan_of_rows(planning, kRowsOfMany, config);
  const auto* many = std::get_if<Plan>(&made);
  if (many == nullptr) return {};  // the chip or the problem has no such main loop
  if (is_wgmma(gemm_step(*many).mma.atom().form)) return {{config, some_rows()}};
  std::vector<Attempt> attempts;
  if (has_warps_along_k(*many) && !config.atom_layout && *config.main_loop != MainLoop::straight)
    for (const Layout& layout : layouts_of_whole_k(*many)) {
      attempts.push_back({config, some_rows()});
      attempts.back().config.atom_layout = layout;
    }
  attempts.push_back({config, many_rows()});
  return attempts;
}

/// The order of all plans; none where two differ, or one is refused, and then why.
std::optional<std::string> common_order(const Planning& planning, const Attempt& attempt,
                                        std::string& why) {
  std::optional<std::string> common;
  for (const Index m : attempt.rows) {
    const Planned made = plan_of_rows(planning, m, attempt.config);
    const auto* plan = std::get_if<Plan>(&made);
    if (plan == nullptr) return std::nullopt;  // such a main loop has no kernel for these rows
    const std::string order = sum_order(*plan);
    if (!order.empty() && order == common.value_or(order)) {
      common = order;
      continue;
    }
    why +=
        base::format("{}: {} rows would be summed by {}, others by {}\n", to_string(attempt.config),
                     m, order.empty() ? "several orders" : order, common.value_or("none"));
    return std::nullopt;
  }
  return common;
}

}  // namespace
}  // namespace plan

namespace {

BatchInvariant found_invariant(const Problem& problem, const DeviceInfo& device,
                               const Config& config, const Catalogue& catalogue) {
  BatchInvariant result{plan::held_choices(config), {}};
  const Problem open = plan::for_last_rows(problem);
  const Plan many =
      plan::one_plan(plan::with_rows(open, plan::kRowsOfMany), device, result.config, catalogue);
  std::vector<MainLoop> loops{gemm_step(many).schedule.main_loop};
  for (const MainLoop loop : {MainLoop::warp_specialised, MainLoop::multistage,
                              MainLoop::register_staged, MainLoop::straight})
    if (loop != loops.front()) loops.push_back(loop);
  std::string why;
  for (const MainLoop loop : loops) {
    if (config.main_loop.value_or(loop) != loop) continue;
    result.config.main_loop = loop;
    const plan::Planning planning{open, device, result.config, catalogue};
    for (const plan::Attempt& attempt : plan::attempts_with(planning))
      if (auto order = plan::common_order(planning, attempt, why))
        return {attempt.config, *std::move(order)};
  }
  throw Exception({.code = ErrorCode::unsupported,
                   .operand = "batch-invariant",
                   .value = to_string(problem),
                   .violated_rules = {"one main loop must serve every M in one order of sums, and "
                                      "none does for such a problem"},
                   .detail = why});
}

}  // namespace

BatchInvariant batch_invariant(const Problem& problem, const DeviceInfo& device,
                               const Config& config, const Catalogue& catalogue) {
  return base::with_enough_stack(
      [&] { return found_invariant(problem, device, config, catalogue); });
}

}  // namespace jute
