// Which share, and its plan: every axis to M, N or K, copied or idle.
#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/words/summary.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>

#include "base/format.hpp"
#include "dist/arrivals.hpp"
#include "dist/derive.hpp"
#include "dist/step_cost.hpp"

namespace jute {
namespace {

/// The uses of an axis.
enum class AxisUse : std::uint8_t { m, n, k, copies, idle };
constexpr Index kUses = 5;

Dimension dimension_of(AxisUse use) {
  return use == AxisUse::n ? Dimension::n : use == AxisUse::k ? Dimension::k : Dimension::m;
}

/// The share in which each axis does what the digits of `number` say.
Share share_of(const DistributedProblem& problem, Index number) {
  Share share;
  std::vector<Deal> idle;
  Index parts = 1;  // that M is cut into
  for (const MeshAxis& axis : problem.mesh.axes) {
    const auto use = static_cast<AxisUse>(number % kUses);
    number /= kUses;
    if (use == AxisUse::copies) continue;
    if (use == AxisUse::idle) {
      idle.push_back({Dimension::m, axis.name, 0});
      continue;
    }
    share.deals.push_back({dimension_of(use), axis.name, 0});
    if (use == AxisUse::m) parts *= axis.size;
  }
  // One block for all of M: the widest cut, and a multiple of what is cut out of it.
  Index block = ceil_div(std::max<Index>(1, problem.problem.m), parts) * parts;
  for (auto deal = idle.rbegin(); deal != idle.rend(); ++deal) {
    deal->block = block;
    block *= problem.mesh.axes[static_cast<std::size_t>(axis_of(problem.mesh, deal->axis))].size;
    share.deals.insert(share.deals.begin(), *deal);
  }
  return share;
}

/// Copies of work where an axis of one rank does as well, and idle axes of one rank, are left out.
bool is_worth_it(const DistributedProblem& problem, Index number) {
  for (const MeshAxis& axis : problem.mesh.axes) {
    const auto use = static_cast<AxisUse>(number % kUses);
    number /= kUses;
    if (axis.size == 1 && use != AxisUse::copies) return false;
  }
  return true;
}

struct RatedDraft {
  dist::Draft draft;
  ConsideredShare rating;
};

RatedDraft rated(const DistributedProblem& problem, const DeviceInfo& device) {
  RatedDraft result{dist::derive(problem, device), {}};
  DistributedPlan& plan = result.draft.plan;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    DistributedStep& step = plan.steps[i];
    if (const auto* product = std::get_if<ProductStep>(&step.body))
      step.us = dist::roofline_us(result.draft.kernels[product->kernel], device);
    else if (const auto* sum = std::get_if<SumStep>(&step.body))
      step.us = dist::roofline_us(result.draft.kernels[sum->kernel], device);
    else
      step.us = dist::exchange_us(plan, i);
  }
  result.rating = {*problem.share, expected_us(plan), moved_bytes(plan), result.draft.least_bytes,
                   memory_bytes(plan)};
  return result;
}

/// Does D stay as summands over an axis that the share does not cut K by?
bool keeps_summands(const DistributedProblem& problem, const Share& share) {
  return std::ranges::all_of(problem.placements.d.sums, [&](const std::string& axis) {
    return std::ranges::any_of(share.deals, [&](const Deal& deal) {
      return deal.axis == axis && deal.dimension == Dimension::k;
    });
  });
}

std::vector<RatedDraft> drafts(DistributedProblem problem, const DeviceInfo& device) {
  std::vector<RatedDraft> result;
  if (problem.share) {
    result.push_back(rated(problem, device));
    return result;
  }
  Index ways = 1;
  for (std::size_t i = 0; i < problem.mesh.axes.size(); ++i) ways *= kUses;
  for (Index number = 0; number < ways; ++number) {
    if (!is_worth_it(problem, number)) continue;
    Share share = share_of(problem, number);
    if (!keeps_summands(problem, share)) continue;
    problem.share = std::move(share);
    try {
      result.push_back(rated(problem, device));
    } catch (const Exception& exception) {
      // This share's sums are none that a transport adds.
      if (exception.error().operand != "reduce") throw;
    }
  }
  if (result.empty())
    jute::refuse(ErrorCode::illegal_config, "D", to_string(problem.placements.d),
                 "axes over which D is left as summands must be of the mesh "
                 "and of more than one rank");
  const auto key = [](const RatedDraft& it) {
    return std::tuple(it.rating.us, it.rating.bytes, it.rating.memory);
  };
  std::ranges::stable_sort(result, {}, key);
  return result;
}

/// Has every rank that a step gives anything to do as many rows, columns and k as the kernel's
/// problem?
template <class Body>
bool are_sizes_alike(const dist::Draft& draft, const Body& body) {
  const Problem& problem = draft.kernels[body.kernel];
  for (Index rank = 0; rank < rank_count(draft.plan.problem.mesh); ++rank) {
    const StepSizes sizes = sizes_of(draft.plan, body, rank);
    if (sizes.m == 0 || sizes.n == 0) continue;
    if (sizes != StepSizes{problem.m, problem.n, problem.k}) return false;
  }
  return true;
}

/// The kernels of all steps; one whose numbers are every rank's may hold them as literals.
std::vector<bool> kernels_with_literals(const dist::Draft& draft) {
  std::vector<bool> result(draft.kernels.size(), true);
  const auto judge = [&](const auto& body) {
    result[body.kernel] = result[body.kernel] && are_sizes_alike(draft, body);
  };
  for (const DistributedStep& step : draft.plan.steps) {
    if (const auto* product = std::get_if<ProductStep>(&step.body)) judge(*product);
    if (const auto* sum = std::get_if<SumStep>(&step.body)) judge(*sum);
  }
  return result;
}

bool waits_for(const DistributedPlan& plan, std::size_t step, std::size_t other) {
  return std::ranges::any_of(plan.steps[step].after, [&](std::size_t it) {
    return it == other || (it > other && waits_for(plan, it, other));
  });
}

/// Is there an exchange of which neither waits for the other?
bool runs_beside_exchange(const DistributedPlan& plan, std::size_t step) {
  for (std::size_t other = 0; other < plan.steps.size(); ++other)
    if (plan.steps[other].lane == Lane::comm && !waits_for(plan, step, other) &&
        !waits_for(plan, other, step))
      return true;
  return false;
}

/// A kernel that walks over its tiles leaves the transport's multiprocessors alone; one that does
/// not gives way to it from block to block.
Plan plan_beside_exchange(const Problem& problem, const DistributedPlan& plan, const Config& wishes,
                          const Catalogue& catalogue) {
  Config fewer = wishes;
  fewer.blocks = plan.device.sm_count - plan.problem.transport_sms;
  try {
    return make_plan(problem, plan.device, fewer, catalogue);
  } catch (const Exception&) {
    return make_plan(problem, plan.device, wishes, catalogue);
  }
}

/// Do kernels follow each other at once, whom no exchange of the host's keeps apart?
bool reads_in_place(const DistributedPlan& plan) {
  return std::ranges::any_of(plan.steps, [](const DistributedStep& step) {
    const auto* exchange = std::get_if<ExchangeStep>(&step.body);
    return exchange != nullptr && exchange->carrier == Carrier::readers;
  });
}

/// Blocks that share columns of B read them at the same time, so that memory is asked once, as long
/// as they begin together. Behind other kernels they do not: two H200s took 108 us where one tile
/// of all rows took 81. Such a tile, of as many columns fewer, is taken where it is expected to
/// take little longer.
Plan plan_of_one_reading(const Problem& problem, const DistributedPlan& plan, const Config& wishes,
                         const Catalogue& catalogue) {
  constexpr double kMostLonger = 1.05;
  Plan usual = make_plan(problem, plan.device, wishes, catalogue);
  const GemmStep& step = gemm_step(usual);
  const auto [rows, columns, depth] = step.tile;
  const Index of_rows = ceil_div(problem.m, Index{rows});
  if (wishes.tile || blocks(step.schedule.cluster) > 1 || of_rows > kMostClusterBlocks)
    return usual;
  const auto tiles = static_cast<int>(of_rows);
  if (tiles < 2 || columns % tiles != 0) return usual;
  Config one = wishes;
  one.tile = TileShape{rows * tiles, columns / tiles, depth};
  try {
    Plan turned = make_plan(problem, plan.device, one, catalogue);
    const bool is_near = expected_time(turned).us <= kMostLonger * expected_time(usual).us;
    return is_near ? turned : usual;
  } catch (const Exception&) {
    return usual;  // no kernel has such a tile
  }
}

/// Over a link a tile is stored beside the next one's products only where consumers take turns: two
/// H200s took the sum of both times, as all blocks store at once and then multiply.
double us_with_stores(const Plan& planned, double stores_us) {
  const double us = expected_time(planned).us;
  if (stores_us == 0) return us;
  return gemm_step(planned).schedule.ping_pong > 1 ? std::max(us, stores_us) : us + stores_us;
}

/// The kernels of a draft, and what its steps are then expected to take.
void plan_kernels(dist::Draft& draft, const Config& config, const Catalogue& catalogue) {
  DistributedPlan& plan = draft.plan;
  plan.kernels.resize(draft.kernels.size());
  const std::vector<bool> has_literals = kernels_with_literals(draft);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    DistributedStep& step = plan.steps[i];
    const auto* product = std::get_if<ProductStep>(&step.body);
    const auto* sum = std::get_if<SumStep>(&step.body);
    if (product == nullptr && sum == nullptr) {
      step.us = dist::exchange_us(plan, i);
      continue;
    }
    const std::size_t kernel = product != nullptr ? product->kernel : sum->kernel;
    Plan& planned = plan.kernels[kernel];
    Config wishes = product != nullptr ? config : Config{};
    if (!has_literals[kernel]) wishes.specialize = Specialize::none;
    if (planned.steps.empty() && product != nullptr && product->arriving)
      planned = dist::plan_of_arrival(plan, *product, draft.kernels[kernel], wishes, catalogue);
    else if (planned.steps.empty() && product != nullptr && plan.problem.transport_sms > 0 &&
             !wishes.blocks && runs_beside_exchange(plan, i))
      planned = plan_beside_exchange(draft.kernels[kernel], plan, wishes, catalogue);
    else if (planned.steps.empty() && product != nullptr && reads_in_place(plan))
      planned = plan_of_one_reading(draft.kernels[kernel], plan, wishes, catalogue);
    else if (planned.steps.empty())
      planned = make_plan(draft.kernels[kernel], plan.device, wishes, catalogue);
    step.us = us_with_stores(planned, dist::stores_us(plan, i));
  }
}

/// Fraction of one step after the other: a gain that is less is within what is known of links.
constexpr double kOverlapMargin = 0.97;

[[noreturn]] void refuse_overlap(OverlapChoice asked) {
  constexpr std::array<std::string_view, 6> kRules{
      "",
      "an operand must come from 2 to 8 ranks, or D's summands go to them, each as whole rows or "
      "columns",
      "D must be a sum of 2 to 64 ranks' summands, of which each rank needs one piece",
      "an operand must come from other ranks by rows, contiguous along K: from each rank those of "
      "one part, all parts multiples of 64 rows",
      "D must be a sum of 2 to 8 ranks' summands, of which each rank adds whole lines, one piece "
      "of "
      "each: rows of a D by rows, columns of one by columns",
      ""};
  jute::refuse(ErrorCode::illegal_config, "overlap", std::string(name(asked)),
               std::string(kRules.at(static_cast<std::size_t>(asked))), "none");
}

/// The orders that are asked for, the preferred one first.
std::vector<dist::Draft> orders_of(const dist::Draft& draft, OverlapChoice asked) {
  const bool is_free = asked == OverlapChoice::fastest;
  std::vector<dist::Draft> result;
  if (is_free || asked == OverlapChoice::none) result.push_back(draft);
  if (is_free || asked == OverlapChoice::chunks) {
    std::vector<dist::Draft> cut = dist::in_chunks(draft);
    std::ranges::move(cut, std::back_inserter(result));
  }
  if (is_free || asked == OverlapChoice::one_shot)
    if (auto one_shot = dist::in_one_shot(draft)) result.push_back(std::move(*one_shot));
  // Rounds were faster on two H200s: whoever wants it asks.
  if (asked == OverlapChoice::arrival) result = dist::by_arrival(draft);
  // So they were here: by 5 to 41 %.
  if (asked == OverlapChoice::store) result = dist::by_stores(draft);
  return result;
}

/// The first share that is looked at, the faster first, that has what is asked for stands first
/// then.
std::vector<dist::Draft> first_orders(std::vector<RatedDraft>& all, OverlapChoice asked) {
  for (auto it = all.begin(); it != all.end(); ++it) {
    std::vector<dist::Draft> orders = orders_of(it->draft, asked);
    if (orders.empty()) continue;
    std::rotate(all.begin(), it, it + 1);
    return orders;
  }
  refuse_overlap(asked);
}

/// One step after the other, cut by rounds, by arrival, or summands read in place or stored where
/// they go: as the problem says.
dist::Draft fastest_order(std::vector<dist::Draft> orders, OverlapChoice asked,
                          const Config& config, const Catalogue& catalogue) {
  std::vector<double> ends;
  for (dist::Draft& order : orders) {
    plan_kernels(order, config, catalogue);
    ends.push_back(expected_us(order.plan));
  }
  const auto best = static_cast<std::size_t>(std::ranges::min_element(ends) - ends.begin());
  const bool is_gain =
      asked != OverlapChoice::fastest ||
      (ends[best] < kOverlapMargin * ends.front() && broken_rules(orders[best].plan).empty());
  return std::move(orders[is_gain ? best : 0]);
}

}  // namespace

DistributedPlan make_plan(const DistributedProblem& problem, const DeviceInfo& device,
                          const Config& config, const Catalogue& catalogue) {
  if (problem.transport_sms >= device.sm_count && problem.transport_sms > 0)
    jute::refuse(
        ErrorCode::illegal_problem, "transport-sms", std::to_string(problem.transport_sms),
        base::format("it must leave products some of the {} multiprocessors", device.sm_count),
        std::to_string(device.sm_count - 1));
  std::vector<RatedDraft> all = drafts(completed(problem), device);
  DistributedPlan plan =
      fastest_order(first_orders(all, problem.overlap), problem.overlap, config, catalogue).plan;
  for (RatedDraft& draft : all) plan.considered.push_back(std::move(draft.rating));
  if (std::vector<std::string> rules = broken_rules(plan); !rules.empty())
    throw Exception({.code = ErrorCode::illegal_config,
                     .operand = "placement",
                     .value = to_string(problem.placements),
                     .violated_rules = std::move(rules)});
  return plan;
}

}  // namespace jute
