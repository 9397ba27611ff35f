#pragma once
// The parameters and literals of a kernel as its text declares them.
#include <jute/plan/values/plan.hpp>

#include <string>

namespace jute::codegen {

/// The parameter list, one a line.
[[nodiscard]] std::string parameter_text(const StepHead& step);
/// Literals under the names that parameters would have.
[[nodiscard]] std::string literal_text(const GemmStep& step);

/// Literals of the way out.
[[nodiscard]] std::string epilogue_constants(const GemmStep& step);

}  // namespace jute::codegen
