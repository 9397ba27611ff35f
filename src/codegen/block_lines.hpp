#pragma once
// Blocks of D as a kernel knows them: which one a thread's value lies in, and its number.
#include <jute/plan/values/plan.hpp>

#include <string>
#include <string_view>

namespace jute::codegen {

/// Empty texts for an epilogue that names none.
[[nodiscard]] std::string block_constants(const GemmStep& step);
[[nodiscard]] std::string block_functions(const GemmStep& step);
/// The parameter of an epilogue's function, and the argument for a thread's `value`.
[[nodiscard]] std::string block_parameter(const GemmStep& step);
[[nodiscard]] std::string block_argument(const GemmStep& step, std::string_view value);

}  // namespace jute::codegen
