#pragma once
// Lines of a kernel's text that a screen holds.
#include <jute/base/export.hpp>

#include <string>

namespace JUTE_API jute {

/// The text with no line of more than 160 columns: code goes on in the next line behind a comma or
/// a statement, or ahead of an operator; a string as a string that follows it; a comment between
/// words. What stands in a line behind code goes ahead of it.
[[nodiscard]] std::string folded_lines(const std::string& text);

}  // namespace jute
