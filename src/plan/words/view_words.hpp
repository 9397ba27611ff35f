#pragma once
// Words on operands whose Views no kernel reads where they lie.
#include <jute/plan/values/plan.hpp>

#include <string>

namespace jute::plan {

/// Why it is copied, from which question on that TMA and wide loads ask of a View.
[[nodiscard]] std::string view_reason(const Move& move, const Problem& problem);

}  // namespace jute::plan
