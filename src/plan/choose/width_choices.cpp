// Looks for what a run takes least with, and remembers it.
#include <jute/plan/choose/width_choices.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "plan/choose/step_cost.hpp"
#include "plan/cost/least_clocks.hpp"

namespace jute {

std::vector<WidthCost> width_costs(const Plan& plan) {
  const GemmStep& step = gemm_step(plan);
  if (!step.schedule.widths.empty()) return plan::costs_of_widths(plan);
  const std::optional<KernelCost> cost = kernel_cost(plan);
  return cost ? std::vector{WidthCost{0, *cost}} : std::vector<WidthCost>{};
}
namespace {

/// The best of the costs, by its place; the first where nothing is known.
size_t best_place(const std::vector<WidthCost>& costs, Index m, Index batch) {
  size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (size_t place = 0; place < costs.size(); ++place) {
    const auto& [width, cost] = costs[place];
    if (width > 0) {
      const Grid grid = with_rows(cost.block, cost.grid, m, batch);
      const plan::Bound bound = plan::least_of_rounds(cost, grid);
      if (cost.cut.split_k > 1 && bound.rounds > 1) continue;  // all slices of a tile run together
      if (bound.clocks >= least) continue;
    }
    const double clocks = cost.at(m, batch).clocks;
    if (clocks < least) std::tie(best, least) = std::pair(place, clocks);
  }
  return best;
}

WidthChoice choice_of(const std::vector<WidthCost>& costs, size_t place, Index m, Index batch) {
  if (costs.empty()) return {};
  const auto& [width, cost] = costs[place];
  return {width, cost.cut.split_k, cost.at(m, batch).clocks};
}

constexpr size_t kRemembered = 256;  // values of M

}  // namespace

WidthChoice best_width(const std::vector<WidthCost>& costs, Index m, Index batch) {
  return choice_of(costs, best_place(costs, m, batch), m, batch);
}

/// Each holds an M and behind it, in its lowest bits, the place of what is best for it.
struct WidthChoices::Known {
  static constexpr int kPlaceBits = 16;
  static constexpr std::uint64_t kNothing = ~std::uint64_t{0};
  std::array<std::atomic<std::uint64_t>, kRemembered> places{};
  Known() {
    for (auto& place : places) place = kNothing;
  }
};

WidthChoices::WidthChoices(std::vector<WidthCost> costs, Index usual_batch)
    : costs_(std::move(costs)), usual_batch_(usual_batch), known_(std::make_shared<Known>()) {}

WidthChoice WidthChoices::best(Index m, Index batch) const {
  if (batch != usual_batch_) return best_width(costs_, m, batch);
  const auto rows = static_cast<std::uint64_t>(m);
  std::atomic<std::uint64_t>& known = known_->places[rows % kRemembered];
  std::uint64_t entry = known.load(std::memory_order_relaxed);
  if (entry >> Known::kPlaceBits != rows) {
    entry = rows << Known::kPlaceBits | best_place(costs_, m, batch);
    known.store(entry, std::memory_order_relaxed);
  }
  return choice_of(costs_, entry & ((1U << Known::kPlaceBits) - 1), m, batch);
}

}  // namespace jute
