#pragma once
// Values as JSON, for programs.
#include <jute/base/error.hpp>
#include <jute/emulator/report.hpp>

#include <nlohmann/json.hpp>
#include <string>

namespace jute::command {

using Json = nlohmann::ordered_json;

/// {"code", "message", "operand", "value", "violated_rules", "nearest_legal", "position", "detail"}
[[nodiscard]] Json to_json(const Error& error);
/// {"clean", "findings": [{"code", "message", "count", "parties": […]}], "counters": {…}}
[[nodiscard]] Json to_json(const Report& report);

/// On one line; bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string one_line(const Json& json);
/// Indented, with a line end.
[[nodiscard]] std::string indented(const Json& json);

}  // namespace jute::command
