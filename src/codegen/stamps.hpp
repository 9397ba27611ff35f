#pragma once
// What a stamped kernel's text has more: nothing where the plan asks for no stamps.
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
/// What computes a tile of D from `acc`, between the moments that it begins and ends at.
[[nodiscard]] std::string stamped_epilogue(const GemmStep& step, const std::string& epilogue);

}  // namespace jute::codegen
