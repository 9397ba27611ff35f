// Judges the expression of a plan against itself and against the scale factors beside it.
#include "plan/epilogue_rules.hpp"

#include <utility>

#include "base/format.hpp"

namespace jute::plan {

std::vector<Error> epilogue_rules(const EpiloguePlan& epilogue) {
  using Kind = EpilogueNode::Kind;
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

}  // namespace jute::plan
