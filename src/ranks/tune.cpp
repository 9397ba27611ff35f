// Races one rank's product for all of them.
#include <jute/base/refuse.hpp>
#include <jute/ranks/distributed_gemm.hpp>

#include <utility>

#include "base/format.hpp"

namespace jute {
namespace {

/// The product that multiplies most.
const Problem& largest_product(const DistributedPlan& plan) {
  const Problem* largest = nullptr;
  double most = -1;
  for (const DistributedStep& step : plan.steps) {
    const auto* const product = std::get_if<ProductStep>(&step.body);
    if (product == nullptr) continue;
    const Problem& problem = plan.kernels[product->kernel].problem;
    const double work = static_cast<double>(problem.m) * static_cast<double>(problem.n) *
                        static_cast<double>(problem.k) * static_cast<double>(problem.batch);
    if (work > most) largest = &problem, most = work;
  }
  if (largest == nullptr)
    refuse(ErrorCode::illegal_config, "race", to_string(plan.problem.problem),
           "a plan must have a product to race");
  return *largest;
}

Config winner_of(Context& context, const DistributedPlan& plan, const TuneOptions& options) {
  TuneOptions held = options;
  held.orders = SumOrders::as_planned;
  return tune(context, largest_product(plan), held).best().choice.config;
}

/// The plan by these choices, where it is one and sums as the given one.
DistributedPlan with_choices(const Context& context, const DistributedPlan& plan,
                             const Config& config) try {
  DistributedPlan other = make_plan(plan.problem, plan.device, config, context.catalogue());
  return sum_orders(other) == sum_orders(plan) ? other : plan;
} catch (const Exception&) {
  return plan;
}

constexpr std::string_view kWinner = "winner ", kRefused = "refused ";

}  // namespace

DistributedPlan tune(Context& context, const DistributedPlan& plan, const TuneOptions& options) {
  return with_choices(context, plan, winner_of(context, plan, options));
}

DistributedPlan tune(Rendezvous& ranks, Context& context, const DistributedPlan& plan,
                     const TuneOptions& options) {
  std::string said;
  std::optional<Exception> refused;
  if (ranks.rank() == 0) try {
      said = std::string(kWinner) + to_string(winner_of(context, plan, options));
    } catch (const Exception& exception) {
      refused = exception;
      said = std::string(kRefused) + exception.what();
    }
  const std::string first = ranks.gather_texts("race", said).front();
  if (refused) throw Exception(*refused);
  if (!first.starts_with(kWinner))
    throw Exception({.code = ErrorCode::communication_failed,
                     .operand = "race",
                     .value = "rank 0",
                     .violated_rules = {"rank 0 must be able to race"},
                     .detail = first});
  return with_choices(context, plan, parse_config(first.substr(kWinner.size())));
}

}  // namespace jute
