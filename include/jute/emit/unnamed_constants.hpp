#pragma once
// Constants that a kernel does not need.
#include <jute/base/export.hpp>

#include <string>

namespace JUTE_API jute {

/// The text without products of a matrix's number and a stride that is zero.
[[nodiscard]] std::string without_zero_strides(std::string text);

/// The text without the lines of constants that no other line names. Pieces are chosen one by one,
/// and nobody but the whole text knows which of a plan's numbers they name.
[[nodiscard]] std::string without_unnamed_constants(const std::string& text);

}  // namespace jute
