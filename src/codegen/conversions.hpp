#pragma once
// Operands that become another type on their way into the workspace.
#include <jute/emit/template_set.hpp>
#include <jute/plan/values/plan.hpp>

#include <set>
#include <string>

#include "codegen/operand.hpp"

namespace jute::codegen {

/// Are its elements asked for a k-tile ahead of what is multiplied, by threads that load fragments?
[[nodiscard]] bool is_asked_ahead(const OperandPlan& operand);

/// Element types of what the step converts, and how each is read and written; empty where it
/// converts nothing.
[[nodiscard]] std::string conversion_types(const TemplateSet& templates, const MoveStep& step);
/// The same of what a product's threads convert in registers.
[[nodiscard]] std::string conversion_types(const TemplateSet& templates, const GemmStep& step);
/// The types among them, beside that which is multiplied.
void add_stored_types(std::set<DType>& types, const OperandPlan& operand);
/// Where what has been loaded becomes what is multiplied; empty where that is the same.
[[nodiscard]] std::string settle_text(const GemmStep& step);
/// The lines that load such an operand's vectors, and those that make elements of them.
[[nodiscard]] std::string stored_piece(const TemplateSet& templates, const OperandSide& side,
                                       Arch arch);

/// The function of an operand's way, and its call for the blocks that make it.
[[nodiscard]] std::string converting_text(const TemplateSet& templates, const Move& move,
                                          Arch arch);
[[nodiscard]] std::string converting_turn(const TemplateSet& templates, const Move& move);

/// The device's list where it has the operands of a step: its entries, and the blocks that write
/// the list which the product reads.
[[nodiscard]] std::string listed_types(const TemplateSet& templates, const MoveStep& step);
[[nodiscard]] std::string list_turn(const TemplateSet& templates, const MoveStep& step);

}  // namespace jute::codegen
