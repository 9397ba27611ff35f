#pragma once
// The step behind a product that makes D of values whose largest magnitudes it has found.
#include <jute/emit/template_set.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>

namespace jute::codegen {

/// Types and functions of a step that has such a move.
[[nodiscard]] std::string scaling_types(const TemplateSet& templates, const MoveStep& step);
/// The blocks that make D.
[[nodiscard]] std::string scaling_turn(const TemplateSet& templates, const MoveStep& step);

}  // namespace jute::codegen
