#pragma once
// The kernel that copies operands into the workspace.
#include <jute/emit/piece.hpp>
#include <jute/plan/plan.hpp>

namespace jute::codegen {

/// All of it but its signature.
[[nodiscard]] Piece move_piece(const MoveStep& step, const TemplateSet& templates);

}  // namespace jute::codegen
