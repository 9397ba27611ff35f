#pragma once
// PNG and PDF of a picture, by a program of the machine that draws SVG.
#include <string>
#include <vector>

namespace jute::command {

/// The suffixes that need such a program.
[[nodiscard]] const std::vector<std::string>& converted_suffixes();
[[nodiscard]] bool is_converted(const std::string& path);

/// The bytes of the file that `path` names, by its suffix. A PNG has two pixels for one of the SVG.
///   throws  unwritable: the machine has no such program, or it fails
[[nodiscard]] std::string converted(const std::string& svg, const std::string& path);

}  // namespace jute::command
