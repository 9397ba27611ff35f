// Holds a step whose producer's warps copy operands to what its kernel is written for.
#include "plan/rules/carrier_rules.hpp"

#include <jute/plan/values/carried_stages.hpp>

#include <string>
#include <utility>

#include "plan/ask/wish_rules.hpp"
#include "plan/derive/operand/vector_width.hpp"

namespace jute::plan {
namespace {

/// Copies of a thread land in its own block, in the order in which it asks for them.
void schedule_suits_copies(Errors& errors, const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  const auto need = [&](bool holds, const char* choice, std::string value, const char* rule,
                        const char* nearest) {
    if (!holds) errors.push_back(broken(choice, std::move(value), rule, nearest));
  };
  need(blocks(schedule.cluster) == 1, "cluster", blocks_text(schedule.cluster),
       "what warps copy lands in their own block: its cluster must have no other", "1x1");
  need(schedule.first_stages == FirstStages::after_barrier, "first_stages",
       schedule.first_stages == FirstStages::prefetched ? "prefetched" : "by_initialiser",
       "all warps that copy must see the barriers before the first k-tiles", "after_barrier");
  need(schedule.k_starts == 1, "k_starts", std::to_string(schedule.k_starts),
       "warps that copy go from the first k-tile to the last", "1");
  need(schedule.widths.empty() && !schedule.split_k_at_run_time && !schedule.is_generic,
       "specialize", "shared", "a kernel whose producer's warps copy must be made for its problem",
       "usual");
}

/// Rules of stages: what they must hold for instructions to read it there.
void operand_suits_copies(Errors& errors, const char* choice, const GemmStep& step,
                          const OperandPlan& operand) {
  if (!is_carried(step, operand)) return;
  const auto refuse = [&](const char* rule) {
    errors.push_back(broken(choice, "cp_async", rule, "tma"));
  };
  if (operand.stored) refuse("what is converted behind its stages must come there by TMA");
  if (step.a.scales || step.b.scales)
    refuse(
        "operands whose products are scaled must come by TMA, beside which a warp copies scales");
  if (lists_operands(step.groups))
    refuse(
        "operands that only the device's list has must come by TMA, of which the producer makes "
        "maps");
  if (!is_async_sized(operand))
    refuse("cp.async moves 4 bytes at least, which must lie together in memory and in the stage");
}

}  // namespace

Errors carrier_rules(const GemmStep& step) {
  Errors errors;
  if (!carries(step)) return errors;
  schedule_suits_copies(errors, step);
  operand_suits_copies(errors, step.transposed ? "carry_b" : "carry_a", step, step.a);
  operand_suits_copies(errors, step.transposed ? "carry_a" : "carry_b", step, step.b);
  return errors;
}

}  // namespace jute::plan
