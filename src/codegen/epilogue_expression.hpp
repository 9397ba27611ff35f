#pragma once
// An epilogue's expression as a function of the kernel.
#include <jute/emit/piece.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>
#include <string_view>

namespace jute::codegen {

/// The expression as a function, that of a template which takes it. Outputs beside D are stored
/// where the function's arguments say.
[[nodiscard]] std::string expression_function(const TemplateSet& templates, const GemmStep& step,
                                              const char* path = "epilogue/expression.cu");

/// Calls a function that takes the expression's arguments; `beta`, `c` and the `rest` are texts. Of
/// a gated product `acc` says where the gate's accumulator is.
[[nodiscard]] std::string call_of_expression(const GemmStep& step, std::string_view function,
                                             std::string_view acc, std::string_view beta,
                                             std::string_view c, std::string_view rest);

/// A call that computes an output of blocks, by its place, of `block_most[slot]` and scalars.
[[nodiscard]] std::string block_output_call(const GemmStep& step, std::size_t place);

}  // namespace jute::codegen
