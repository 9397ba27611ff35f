#pragma once
// Values as JSON on one line, for callers that have no classes.
#include <jute/base/error.hpp>
#include <jute/launch/device_info.hpp>
#include <jute/plan/values/fields.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jute::c {

/// A text between quotes. Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string json(std::string_view text);
[[nodiscard]] std::string json(const std::vector<std::string>& texts);
/// {"code", "message", "operand", "value", "violated_rules", "nearest_legal", "position", "detail"}
[[nodiscard]] std::string json(const Error& error);
/// As `jute plan --json` has them.
[[nodiscard]] std::string json(const Fields& fields);
/// What a field holds.
[[nodiscard]] std::string json_value(const Field& field);

/// An object, member by member: `Object().add("m", "4").add("name", json("h200")).text()`.
class Object {
 public:
  /// `value` is JSON.
  Object& add(std::string_view name, std::string_view value);
  [[nodiscard]] std::string text() const { return text_ + "}"; }

 private:
  std::string text_ = "{";
};
/// A list of JSON values.
[[nodiscard]] std::string json_list(const std::vector<std::string>& values);

}  // namespace jute::c
