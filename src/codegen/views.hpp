#pragma once
// Where a View has its elements, as a device function.
#include <jute/plan/ask/view.hpp>

#include <string>
#include <string_view>

namespace jute::codegen {

/// `long long element_a(unsigned row, unsigned column, unsigned matrix)`, of the View's rows and
/// columns; -1 where zero stands for it.
[[nodiscard]] std::string element_function(std::string_view operand, const View& view);

}  // namespace jute::codegen
