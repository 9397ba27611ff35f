#pragma once
// Consequences for a stamped step.
#include <jute/plan/derive/stamps.hpp>

namespace jute::plan {

/// Roles of a block that stamp: groups of consumers, and the producer; or warps that are all alike.
[[nodiscard]] int stamping_roles(const GemmStep& step);
/// The parameter that says where stamps go.
[[nodiscard]] KernelParameter stamps_parameter();

}  // namespace jute::plan
