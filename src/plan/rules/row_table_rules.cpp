// Holds a step with tables of rows to what its kernel is written for.
#include "plan/rules/row_table_rules.hpp"

#include <jute/plan/values/carried_stages.hpp>

#include <string>

namespace jute::plan {

Errors row_table_rules(const GemmStep& step) {
  Errors errors;
  if (!has_row_tables(step)) return errors;
  const EpiloguePlan& out = step.epilogue;
  const MainLoop main_loop = step.schedule.main_loop;
  const auto is_found = [&](const OperandPlan& operand) {
    return !operand.rows || is_carried(step, operand);
  };
  const bool are_carried = carries(step) && is_found(step.a) && is_found(step.b);
  if (main_loop != MainLoop::multistage && main_loop != MainLoop::register_staged && !are_carried)
    errors.push_back(broken("main_loop",
                            main_loop == MainLoop::straight ? "straight" : "warp_specialised",
                            "rows by a table must be found by the threads that copy them, once a "
                            "tile: TMA moves rows that lie at equal distances, and straight "
                            "kernels step from one to the next; the main loop must be multistage "
                            "or register_staged, or its producer's warps must copy them (carry_a)",
                            "multistage"));
  for (const OperandPlan* operand : {&step.a, &step.b})
    if (operand->rows && operand->major != Major::k)
      errors.push_back(broken("A.major", "mn", "rows by a table must be contiguous along K", "k"));
  if (out.d_rows && (out.store != Store::direct || step.transposed))
    errors.push_back(broken("store", "by rows at equal distances",
                            "threads must store the rows of D that a table names", "direct"));
  return errors;
}

}  // namespace jute::plan
