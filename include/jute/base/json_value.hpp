#pragma once
// JSON that was read, as a tree.
#include <jute/base/export.hpp>
#include <jute/base/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace JUTE_API jute {

/// A number as it was spelled: whole where it is written so and fits 64 bits.
using JsonNumber = std::variant<std::int64_t, std::uint64_t, double>;

struct JsonEntry;

/// A JSON value; null is none of the others. An object's members stay in their order.
struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonEntry>;
  std::variant<std::monostate, bool, JsonNumber, std::string, Array, Object> content;

  /// Null where it is of another kind.
  template <class Kind>
  [[nodiscard]] const Kind* as() const {
    return std::get_if<Kind>(&content);
  }
  template <class Kind>
  [[nodiscard]] Kind* as() {
    return std::get_if<Kind>(&content);
  }
  /// The member of an object; null where there is none.
  [[nodiscard]] const JsonValue* find(std::string_view name) const;
  [[nodiscard]] JsonValue* find(std::string_view name);
};

struct JsonEntry {
  std::string name;
  JsonValue value;
};

/// `file` is how messages call the text.
///   throws  bad_file: with the line and column of the first mistake, or a key that its object has
///           twice
[[nodiscard]] JsonValue parse_json(std::string_view text, const std::string& file);

[[nodiscard]] Json to_json(const JsonValue& value);
/// On several lines, two blanks a level, with a line end.
[[nodiscard]] std::string indented(const Json& json);

}  // namespace jute
