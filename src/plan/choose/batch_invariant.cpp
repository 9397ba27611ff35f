// One order of sums for all M.
#include <jute/plan/choose/batch_invariant.hpp>
#include <jute/plan/derive/sum_order.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "plan/choose/planning.hpp"

namespace jute {
namespace plan {
namespace {

/// Rows that decide which kernels are chosen: few, and more and more of them.
constexpr std::array<Index, 12> kRows{1, 2, 8, 16, 33, 64, 100, 256, 513, 1024, 4096, 16384};
constexpr Index kRowsOfMany = 4096;

[[noreturn]] void refuse_choice(const char* choice, std::string value, const char* nearest) {
  throw Exception({.code = ErrorCode::illegal_config,
                   .operand = choice,
                   .value = std::move(value),
                   .violated_rules = {"every row must be summed in the order of its k alone"},
                   .nearest_legal = nearest});
}

Config held_choices(Config config) {
  if (config.slices.value_or(1) != 1) refuse_choice("slices", std::to_string(*config.slices), "1");
  if (config.whole_tiles.value_or(0) != 0)
    refuse_choice("whole_tiles", std::to_string(*config.whole_tiles), "0");
  if (config.k_starts.value_or(1) != 1)
    refuse_choice("k_starts", std::to_string(*config.k_starts), "1");
  config.slices = 1;
  config.k_starts = 1;
  config.whole_tiles = 0;
  return config;
}

/// The order of all plans; none where two differ, or one is refused.
std::optional<std::string> common_order(const Planning& planning) {
  std::optional<std::string> common;
  for (const Index m : kRows) try {
      const std::string order = sum_order(make_plan(for_rows(planning.problem, m), planning.device,
                                                    planning.config, planning.catalogue));
      if (order.empty() || (common && order != *common)) return std::nullopt;
      common = order;
    } catch (const Exception&) {
      return std::nullopt;  // such a main loop has no kernel for these rows
    }
  return common;
}

}  // namespace
}  // namespace plan

BatchInvariant batch_invariant(const Problem& problem, const DeviceInfo& device,
                               const Config& config, const Catalogue& catalogue) {
  BatchInvariant result{plan::held_choices(config), {}};
  Problem open = problem;  // strides are those of each M
  open.m_range.reset();
  const Plan many =
      make_plan(plan::for_rows(open, plan::kRowsOfMany), device, result.config, catalogue);
  std::vector<MainLoop> loops{gemm_step(many).schedule.main_loop};
  for (const MainLoop loop : {MainLoop::warp_specialised, MainLoop::multistage,
                              MainLoop::register_staged, MainLoop::straight})
    if (loop != loops.front()) loops.push_back(loop);
  for (const MainLoop loop : loops) {
    if (config.main_loop.value_or(loop) != loop) continue;
    result.config.main_loop = loop;
    if (auto order = plan::common_order({open, device, result.config, catalogue})) {
      result.order = *std::move(order);
      return result;
    }
  }
  throw Exception({.code = ErrorCode::unsupported,
                   .operand = "batch-invariant",
                   .value = to_string(problem),
                   .violated_rules = {"one main loop must serve every M in one order of sums, and "
                                      "none does for such a problem"}});
}

}  // namespace jute
