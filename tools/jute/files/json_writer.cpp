// JSON as the command prints it.
#include "files/json_writer.hpp"

#include <nlohmann/json.hpp>

namespace jute::command {

using Parsed = nlohmann::ordered_json;

Json parsed_json(const std::string& text) { return Json::spelled(Parsed::parse(text).dump()); }

Json to_json(const Dim3& extents) { return Json::array({extents.x, extents.y, extents.z}); }

std::string indented(const Json& json) { return Parsed::parse(json.text()).dump(2) + "\n"; }

}  // namespace jute::command
