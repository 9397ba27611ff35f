#pragma once
// Bytes of what steps leave for each other in the workspace.
#include <jute/plan/values/plan.hpp>

#include <string_view>

namespace jute::plan {

/// Bytes, of which each region that kernels count in or leave sums in is a multiple.
inline constexpr Index kRegionUnit = 256;
inline constexpr int kCounterBytes = 4;

/// Where the list of groups lies that has copies in operands' places, and its bytes.
inline constexpr std::string_view kCopiedList = "list";
[[nodiscard]] Count copied_list_bytes();

/// Bytes of an operand's copy.
[[nodiscard]] Count copy_bytes(const Move& move);
/// Most bytes of an operand's sums.
[[nodiscard]] Count most_bytes(const Move& move);
[[nodiscard]] Count sum_bytes(const OperandSum& sum);

}  // namespace jute::plan
