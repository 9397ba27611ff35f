#pragma once
// The lines that a stamped kernel has more: none where the plan asks for no stamps.
#include <jute/plan/derive/stamps.hpp>

#include <string>

#include "codegen/kernel.hpp"

namespace jute::codegen {

/// A stamp of a moment by its number.
[[nodiscard]] std::string stamp_piece(const GemmStep& step, Moment moment);
/// A piece of kernel/stamp.cu, or another of what stamps need.
[[nodiscard]] std::string if_stamped(const Kernel& kernel, const char* path);
[[nodiscard]] std::string stamp_constants(const GemmStep& step);
/// The clock, and where a role's stamps go.
[[nodiscard]] std::string stamp_functions(const Kernel& kernel);
/// The epilogue of a tile, from `acc` to D, between the moments at which it begins and ends.
[[nodiscard]] std::string stamped_epilogue(const GemmStep& step, const std::string& epilogue);

}  // namespace jute::codegen
