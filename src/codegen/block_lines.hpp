#pragma once
// What a kernel knows of its blocks of D: whose each of a thread's values is, and what was found.
#include <jute/plan/values/plan.hpp>

#include <string>
#include <string_view>

namespace jute::codegen {

/// Empty texts for an epilogue that names none.
[[nodiscard]] std::string block_constants(const GemmStep& step);
[[nodiscard]] std::string block_functions(const GemmStep& step);
/// What the function of an epilogue takes, and the argument for a thread's `value`.
[[nodiscard]] std::string block_parameter(const GemmStep& step);
[[nodiscard]] std::string block_argument(const GemmStep& step, std::string_view value);

}  // namespace jute::codegen
