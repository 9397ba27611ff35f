#pragma once
// The product beta*c, which is 0 where beta is, without a look at C.
#include <jute/epilogue/expression.hpp>

namespace jute::epilogue {

/// Is the node beta*c or c*beta?
[[nodiscard]] bool is_beta_c(const EpilogueExpression& expression, int place);

}  // namespace jute::epilogue
