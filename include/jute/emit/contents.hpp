#pragma once
// What a reader of a kernel's text finds where.
#include <jute/base/export.hpp>

#include <string>

namespace JUTE_API jute {

/// A table of the text's parts with their lines, counted as they will be once the table stands in
/// the text itself.
[[nodiscard]] std::string contents_of(const std::string& text);

}  // namespace jute
