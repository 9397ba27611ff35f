// Judges the expression of a plan against itself and against the scale factors beside it.
#include "plan/epilogue_rules.hpp"

#include <utility>

#include "base/format.hpp"
#include "plan/gathers.hpp"

namespace jute::plan {

std::vector<Error> epilogue_rules(const EpiloguePlan& epilogue) {
  using Kind = EpilogueOp;
  const EpilogueExpression& expression = epilogue.expression;
  std::vector<std::string> rules = broken_rules(expression);
  if (rules.empty()) {
    if (names(expression, Kind::alpha) != (epilogue.alpha != Scale::one))
      rules.emplace_back("the expression must name alpha exactly where it is not 1");
    if (names(expression, Kind::c) != (epilogue.beta != Scale::zero))
      rules.emplace_back("the expression must name c exactly where beta is not 0");
  }
  if (rules.empty()) return {};
  return {{ErrorCode::illegal_config,
           "epilogue",
           base::format("{} nodes", expression.nodes.size()),
           std::move(rules),
           to_string(scaled_sum(epilogue.alpha, epilogue.beta)),
           std::nullopt,
           {}}};
}

Errors drain_rules(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  Errors errors = gather_rules(step);
  if (out.d_order == Order::row || (out.drain && out.drain->exit == SlabExit::boxes)) return errors;
  errors.push_back(
      broken("swapped", "on",
             "a D along the kernel's M is stored by slabs alone: it must have elements of 16 "
             "bits, columns that begin at multiples of 16 bytes and end there, as literals tell",
             "off"));
  return errors;
}

}  // namespace jute::plan
