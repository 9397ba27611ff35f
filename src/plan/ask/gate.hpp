#pragma once
// The rules of a problem whose epilogue names `gate`.
#include <jute/plan/ask/problem.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Says which columns of B are the gate's where the problem leaves that open.
[[nodiscard]] Errors complete_gate(Problem& problem);
/// Settles a B whose View no order and strides say: the gate's columns and the others are then
/// pairs.
[[nodiscard]] Errors settle_gate(Problem& problem);

}  // namespace jute::plan
