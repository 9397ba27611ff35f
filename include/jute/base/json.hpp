#pragma once
// Values as JSON, for programs and for callers that have no classes.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>

namespace JUTE_API jute {

struct JsonMember;

/// A JSON value as the text that spells it, on one line; an object's members stay in their order.
/// Writing needs no tree.
///   example  Json{{"name", "h200"}, {"tile", Json::array({128, 128, 64})}}.text()
class Json {
 public:
  Json(std::nullptr_t /*none*/ = nullptr) : text_("null") {}
  Json(std::same_as<bool> auto value) : text_(value ? "true" : "false") {}
  template <std::integral Number>
  requires(!std::same_as<Number, bool>) Json(Number value) : text_(std::to_string(value)) {}
  Json(double value);  ///< the shortest text that reads back the same; null where it is no number
  template <std::convertible_to<std::string_view> Text>
  Json(const Text& text) : text_(quoted(text)) {}
  template <class Value>
  Json(const std::optional<Value>& value) : Json(value ? Json(*value) : Json()) {}
  /// An object.
  Json(std::initializer_list<JsonMember> members);

  [[nodiscard]] static Json object() { return spelled("{}"); }
  [[nodiscard]] static Json array(std::initializer_list<Json> items = {}) { return list(items); }
  template <std::ranges::input_range Items>
  [[nodiscard]] static Json array(const Items& items) {
    return list(items);
  }
  /// Of what `item_of` makes of each, a function or a member.
  template <std::ranges::input_range Items, class ItemOf>
  [[nodiscard]] static Json array(const Items& items, const ItemOf& item_of) {
    Json json = spelled("[]");
    for (const auto& item : items) json.push_back(std::invoke(item_of, item));
    return json;
  }
  /// A text that is spelled already, on one line; it is not looked at.
  [[nodiscard]] static Json spelled(std::string text);

  void push_back(const Json& item);                    ///< to an array
  void add(std::string_view name, const Json& value);  ///< to an object that has no such member

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  /// Between quotes; bytes that are no UTF-8 become U+FFFD.
  static std::string quoted(std::string_view text);
  template <class Items>
  static Json list(const Items& items) {
    Json json = spelled("[]");
    for (const auto& item : items) json.push_back(item);
    return json;
  }
  void append(const std::string& text);

  std::string text_;
};

struct JsonMember {
  std::string_view name;
  Json value;
};

/// {"code", "message", "operand", "value", "violated_rules", "nearest_legal", "position", "detail"}
[[nodiscard]] Json to_json(const Error& error);
/// With a name of one's own for the kind of refusal.
[[nodiscard]] Json to_json(const Error& error, std::string_view code);

}  // namespace jute
