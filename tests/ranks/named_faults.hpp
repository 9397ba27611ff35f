#pragma once
// Faults that tests seed into plans, kernels and ranks, each of which must be named.
#include <functional>
#include <string>

#include "ranks/ranks_case.hpp"

namespace jute::test {

/// Every rule that a plan breaks, a line each.
[[nodiscard]] std::string rules_said(const DistributedPlan& plan);

struct PlanFault {
  std::function<void(DistributedPlan&)> seed;
  std::string rule;  ///< a part of what must be said
};
/// Checks that a copy of the right plan says so once the fault is in it.
void expect_named(const PlanFault& fault, const DistributedPlan& right);

/// One part of a template's text for another, and the finding that must follow.
struct KernelFault {
  std::string from, to, code;
};
/// Checks that so many runs of a plan for two ranks end by that, which names both.
void expect_named(const KernelFault& fault, const DistributedPlan& plan, const WholeData& data,
                  int runs, const std::string& piece = "kernel/barrier.cu");

/// Checks that three ranks run a plan once, and that the two that run it again end in time with an
/// error that names the third, which has left or thrown.
void expect_missing_rank_named(const RanksOfEmulators& emulators, const DistributedPlan& plan);

}  // namespace jute::test
