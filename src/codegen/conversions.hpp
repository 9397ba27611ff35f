#pragma once
// Operands that become another type on their way into the workspace.
#include <jute/emit/template_set.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>

namespace jute::codegen {

/// Element types of what the step converts, and how each is read and written; empty where it
/// converts nothing.
[[nodiscard]] std::string conversion_types(const TemplateSet& templates, const MoveStep& step);
/// The function of an operand's way, and its call for the blocks that make it.
[[nodiscard]] std::string converting_text(const TemplateSet& templates, const Move& move);
[[nodiscard]] std::string converting_turn(const TemplateSet& templates, const Move& move);

}  // namespace jute::codegen
