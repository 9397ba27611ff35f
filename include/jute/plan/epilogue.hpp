#pragma once
// The usual epilogue of a problem.
#include <jute/base/export.hpp>
#include <jute/epilogue/expression.hpp>
#include <jute/plan/problem.hpp>

namespace JUTE_API jute {

/// alpha*acc + beta*c without what the scale factors leave out: no alpha where it is 1, no c where
/// beta is 0. A beta of 1 stays: its kernel holds the 1.
[[nodiscard]] EpilogueExpression scaled_sum(Scale alpha, Scale beta);

}  // namespace jute
