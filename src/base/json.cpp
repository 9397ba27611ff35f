// Writes JSON.
#include <jute/base/json.hpp>
#include <jute/base/utf8.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/format.hpp"

namespace jute {
namespace {

std::string escaped(char c) {
  constexpr std::string_view kMeant = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
  const std::size_t at = kMeant.find(c);
  if (at == std::string_view::npos) return base::format("\\u{:04x}", static_cast<unsigned char>(c));
  return {'\\', kLetters[at]};
}

bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }

/// A number without a point would be read as an integer.
std::string spelling(double value) {
  if (!std::isfinite(value)) return "null";
  std::string text = base::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

Json::Json(double value) : text_(spelling(value)) {}

Json::Json(std::initializer_list<JsonMember> members) : text_("{}") {
  for (const JsonMember& member : members) add(member.name, member.value);
}

void Json::push_back(const Json& item) { append(item.text_); }

void Json::add(std::string_view name, const Json& value) {
  append(quoted(name) + ":" + value.text_);
}

Json Json::spelled(std::string text) {
  Json json;
  json.text_ = std::move(text);
  return json;
}

std::string Json::quoted(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = character_bytes(text);
    if (length == 0)
      result += "\xEF\xBF\xBD";
    else if (length == 1 && !is_plain(text.front()))
      result += escaped(text.front());
    else
      result += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result + '"';
}

/// Before the bracket that closes.
void Json::append(const std::string& text) {
  text_.insert(text_.size() - 1, (text_.size() > 2 ? "," : "") + text);
}

Json to_json(const Error& error) { return to_json(error, code_name(error.code)); }

Json to_json(const Error& error, std::string_view code) {
  return {{"code", code},
          {"message", to_string(error)},
          {"operand", error.operand},
          {"value", error.value},
          {"violated_rules", Json::array(error.violated_rules)},
          {"nearest_legal", error.nearest_legal},
          {"position",
           error.position ? Json{{"line", error.position->line}, {"column", error.position->column}}
                          : Json()},
          {"detail", error.detail}};
}

}  // namespace jute
