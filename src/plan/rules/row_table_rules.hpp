#pragma once
// Rules of steps in which tables name rows.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Empty where no table names rows, or all holds.
[[nodiscard]] Errors row_table_rules(const GemmStep& step);

}  // namespace jute::plan
