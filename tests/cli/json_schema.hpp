#pragma once
// Holds JSON against the part of JSON Schema that docs/schemas uses.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace jute::test {

/// A schema with its `$defs`.
class JsonSchema {
 public:
  explicit JsonSchema(const std::string& text) : root_(nlohmann::json::parse(text)) {}

  [[nodiscard]] bool accepts(const nlohmann::json& value) const { return accepts(root_, value); }

 private:
  using Json = nlohmann::json;

  [[nodiscard]] bool accepts(const Json& schema, const Json& value) const {
    for (const auto& [key, rule] : schema.items())
      if (!follows(key, rule, schema, value)) return false;
    return true;
  }

  // A keyword that is not known here is a mistake in the schema or in this reader.
  [[nodiscard]] bool follows(const std::string& key, const Json& rule, const Json& schema,
                             const Json& value) const {
    if (key == "$schema" || key == "$defs" || key == "title" || key == "description") return true;
    if (key == "$ref")
      return accepts(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value);
    if (key == "anyOf")
      return std::ranges::any_of(rule, [&](const Json& each) { return accepts(each, value); });
    if (key == "enum") return std::ranges::find(rule, value) != rule.end();
    if (key == "type") return is_of_type(rule, value);
    if (key == "minimum") return !value.is_number() || value >= rule;
    if (key == "minItems") return !value.is_array() || value.size() >= rule;
    if (key == "maxItems") return !value.is_array() || value.size() <= rule;
    if (key == "items")
      return !value.is_array() ||
             std::ranges::all_of(value, [&](const Json& each) { return accepts(rule, each); });
    if (key == "required")
      return !value.is_object() || std::ranges::all_of(rule, [&](const Json& name) {
        return value.contains(name.get<std::string>());
      });
    if (key == "properties") return have_their_types(rule, value);
    if (key == "additionalProperties") return others_are_legal(rule, schema, value);
    throw std::runtime_error("a keyword that this reader does not know: " + key);
  }

  [[nodiscard]] static bool is_of_type(const Json& rule, const Json& value) {
    if (rule.is_array())
      return std::ranges::any_of(rule, [&](const Json& each) { return is_of_type(each, value); });
    if (rule == "null") return value.is_null();
    if (rule == "string") return value.is_string();
    if (rule == "boolean") return value.is_boolean();
    if (rule == "integer") return value.is_number_integer();
    if (rule == "number") return value.is_number();
    if (rule == "array") return value.is_array();
    return rule == "object" && value.is_object();
  }
  [[nodiscard]] bool have_their_types(const Json& properties, const Json& value) const {
    if (!value.is_object()) return true;
    for (const auto& [name, each] : value.items())
      if (properties.contains(name) && !accepts(properties[name], each)) return false;
    return true;
  }
  [[nodiscard]] bool others_are_legal(const Json& rule, const Json& schema,
                                      const Json& value) const {
    if (!value.is_object()) return true;
    for (const auto& [name, each] : value.items()) {
      if (schema.contains("properties") && schema["properties"].contains(name)) continue;
      if (rule.is_boolean() ? !rule.get<bool>() : !accepts(rule, each)) return false;
    }
    return true;
  }

  Json root_;
};

}  // namespace jute::test
