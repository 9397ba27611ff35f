#pragma once
// JSON as the command prints it.
#include <jute/base/json.hpp>
#include <jute/launch/launch_spec.hpp>

#include <string>

namespace jute::command {

using jute::to_json;

/// The value that a text spells.   throws  std::exception: it spells none
[[nodiscard]] Json parsed_json(const std::string& text);

/// [x, y, z]
[[nodiscard]] Json to_json(const Dim3& extents);

[[nodiscard]] inline std::string one_line(const Json& json) { return json.text(); }
/// Indented, with a line end.
[[nodiscard]] std::string indented(const Json& json);

}  // namespace jute::command
