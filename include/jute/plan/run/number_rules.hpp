#pragma once
// Rules of the numbers that may differ from run to run: what a plan's kernels rest on.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

#include <vector>

namespace JUTE_API jute {

/// A number that a kernel holds as a literal.
struct LiteralRule {
  Count number;
  Index value = 0;
  bool operator==(const LiteralRule&) const = default;
};

/// A stride that a kernel walks in whole vectors.
struct StrideRule {
  Count stride;
  int multiple_of = 1;
  bool batch_only = false;  ///< matters when there is more than one matrix
  bool operator==(const StrideRule&) const = default;
};

struct NumberRules {
  std::vector<LiteralRule> literals;
  std::vector<StrideRule> strides;
  bool operator==(const NumberRules&) const = default;
};
/// The rules of all steps of the plan.
[[nodiscard]] NumberRules number_rules(const Plan& plan);
/// Holds a run to them.
///   throws  illegal_problem: the first that is broken, with the nearest legal number
void check(const NumberRules& rules, const RunValues& run);

}  // namespace jute
