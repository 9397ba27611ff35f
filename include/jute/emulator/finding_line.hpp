#pragma once
// Findings on their way to another process, one a line.
#include <jute/base/export.hpp>
#include <jute/emulator/report.hpp>

#include <string>
#include <string_view>

namespace JUTE_API jute {

/// A line without its end: fields with tabs between them, `\t`, `\n` and `\\` for those in texts.
[[nodiscard]] std::string to_line(const Finding& finding);
/// Reads it.   throws  bad_file: it is none
[[nodiscard]] Finding parse_finding(std::string_view line);

}  // namespace jute
