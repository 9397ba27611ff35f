#pragma once
// Constants that a kernel does not need.
#include <jute/base/export.hpp>

#include <string>

namespace JUTE_API jute {

/// The text without the lines of constants that no other line names. Pieces are chosen one by one,
/// and nobody but the whole text knows which of a plan's numbers they name.
[[nodiscard]] std::string without_unnamed_constants(const std::string& text);

}  // namespace jute
