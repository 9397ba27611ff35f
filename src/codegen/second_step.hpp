#pragma once
// The step behind a product that makes D of values whose largest magnitudes it has found.
#include <jute/emit/template_set.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>
#include <string_view>

namespace jute::codegen {

/// An epilogue's output by its role: 1 of out1.
[[nodiscard]] constexpr Index place_of_output(TensorRole role) {
  return static_cast<Index>(role) - static_cast<Index>(TensorRole::first_output);
}
/// One of a step's scalars, in the type that is computed in; `matrix` of the batch.
[[nodiscard]] std::string scalar_of_move(const MoveStep& step, std::size_t place,
                                         std::string_view matrix);

/// Types and functions of a step that has such a move.
[[nodiscard]] std::string scaling_types(const TemplateSet& templates, const MoveStep& step);
/// The blocks that make D.
[[nodiscard]] std::string scaling_turn(const TemplateSet& templates, const MoveStep& step);

}  // namespace jute::codegen
