#pragma once
// The frames that tell a kernel's story in time, each with all that is its own.
#include <string>

#include "codegen/kernel.hpp"

namespace jute::codegen {

/// kernel/straight.cu: fragments come straight from global memory.
[[nodiscard]] Piece straight_body(const Kernel& kernel);

/// kernel/warp_specialised.cu: a producer and groups of consumers.
[[nodiscard]] Piece specialised_body(const Kernel& kernel);
/// The block's share of the work, its roles, signals and subtiles.
[[nodiscard]] std::string specialised_constants(const Kernel& kernel);
/// Functions of their own beside operands, epilogue and mma: where a tile lies, a subtile's rows.
[[nodiscard]] std::string specialised_functions(const Kernel& kernel);

/// kernel/move.cu: operands on their way into the workspace. All of it but its signature.
[[nodiscard]] Piece move_piece(const MoveStep& step, const TemplateSet& templates);

}  // namespace jute::codegen
