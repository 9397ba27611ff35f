#pragma once
// Groups of a problem: what follows from them, and what must hold.
#include <jute/plan/ask/problem.hpp>

#include <optional>
#include <string>
#include <vector>

namespace jute::plan {

/// A rule of a problem's groups that does not hold.
struct BrokenGroupRule {
  std::string operand, value, rule;
  std::optional<std::string> nearest{};
};

/// Operands that groups cut are one matrix for all of them, and `expected` becomes a number.
[[nodiscard]] std::vector<BrokenGroupRule> complete_groups(Problem& problem);

/// The problem with the extents of one group that is as long as is expected: what a kernel is
/// chosen for.
[[nodiscard]] Problem usual_group(const Problem& problem);

}  // namespace jute::plan
