// Holds a step of a gated product to what its kernel is written for.
#include "plan/rules/gate_rules.hpp"

#include <string>
#include <utility>

#include "base/format.hpp"
#include "plan/derive/operand/stage_layout.hpp"

namespace jute::plan {
namespace {

/// A stage holds two tiles, one behind the other, and TMA finds the second by its line.
void stages_hold_halves(Errors& errors, const GemmStep& step) {
  const bool is_a = step.gate->operand == Operand::a;
  const OperandPlan& operand = is_a ? step.a : step.b;
  const Index tile_mn = is_a ? step.tile.m : step.tile.n;
  const Layout& mn = stage_of(operand).smem.layout()[0];
  if (mn.rank() != 2 || size(mn[0]) != tile_mn || size(mn[1]) != 2)
    errors.push_back(broken(is_a ? "smem_a" : "smem_b", to_string(stage_of(operand).smem),
                            base::format("a stage must hold both halves of a gated product, "
                                         "(({},2),k)",
                                         tile_mn),
                            std::nullopt));
  if (tma_of(operand).boxes && !step.gate->is_beside)
    errors.push_back(broken("main_loop", "warp_specialised",
                            "columns of a gate in pairs with what they gate must be loaded by "
                            "threads: the main loop must be multistage or register_staged",
                            "multistage"));
}

}  // namespace

Errors gate_rules(const GemmStep& step) {
  Errors errors;
  if (step.gate.has_value() != names(step.epilogue.expression, EpilogueOp::gate))
    errors.push_back(broken("gate", step.gate ? to_string(*step.gate) : "none",
                            "a step must have a gate exactly where its epilogue names one",
                            std::nullopt));
  if (!errors.empty() || !step.gate) return errors;
  const KernelSchedule& schedule = step.schedule;
  const auto need = [&](bool holds, const char* choice, std::string value, const char* rule,
                        const char* nearest) {
    if (!holds) errors.push_back(broken(choice, std::move(value), rule, nearest));
  };
  const bool is_straight = schedule.main_loop == MainLoop::straight;
  const OperandPlan& halves = step.gate->operand == Operand::a ? step.a : step.b;
  need(!is_straight || (step.gate->is_beside && !straight_of(halves).shifted &&
                        !straight_of(halves).from_chunk),
       "main_loop", "straight",
       "a gated product whose halves are pairs, or begin anywhere, needs tiles in shared memory: "
       "the main loop must be warp_specialised, multistage or register_staged",
       "multistage");
  need(schedule.split_k <= 1, "split_k", std::to_string(schedule.split_k),
       "a block of a gated product must have all of K", "1");
  need(schedule.widths.empty() && !schedule.split_k_at_run_time && !schedule.is_generic,
       "specialize", "shared", "a kernel of a gated product must be made for its problem", "usual");
  const int sharing = step.gate->operand == Operand::a ? schedule.cluster.n : schedule.cluster.m;
  need(sharing <= 1, "cluster", base::format("{}x{}", schedule.cluster.m, schedule.cluster.n),
       "blocks of a cluster must share the operand that has no gate", "1x1");
  need(step.epilogue.store != Store::staged_rows, "epilogue.store", "staged",
       "a thread must store what it holds of a gated product, or by subtiles", "direct");
  if (errors.empty() && !is_straight) stages_hold_halves(errors, step);
  return errors;
}

}  // namespace jute::plan
