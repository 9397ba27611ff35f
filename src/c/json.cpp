// Writes JSON.
#include "c/json.hpp"

#include <jute/base/utf8.hpp>

#include <algorithm>
#include <variant>

#include "base/format.hpp"

namespace jute::c {
namespace {

std::string escaped(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      return base::format("\\u{:04x}", static_cast<unsigned char>(c));
  }
}

bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }

struct FieldJson {
  std::string operator()(Index value) const { return std::to_string(value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return json(value); }
  std::string operator()(const std::vector<Index>& numbers) const {
    std::vector<std::string> values;
    for (const Index number : numbers) values.push_back(std::to_string(number));
    return json_list(values);
  }
  std::string operator()(const Fields& group) const { return json(group); }
  std::string operator()(const FieldList& list) const {
    std::vector<std::string> values;
    for (const Field& item : list.items) values.push_back(std::visit(*this, item.value));
    return json_list(values);
  }
};

}  // namespace

std::string json(std::string_view text) {
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

std::string json_list(const std::vector<std::string>& values) {
  std::string result;
  for (const std::string& value : values) result += (result.empty() ? "" : ",") + value;
  return "[" + result + "]";
}

std::string json(const std::vector<std::string>& texts) {
  std::vector<std::string> values;
  for (const std::string& text : texts) values.push_back(json(text));
  return json_list(values);
}

Object& Object::add(std::string_view name, std::string_view value) {
  if (text_.size() > 1) text_ += ',';
  text_ += json(name) + ':';
  text_ += value;
  return *this;
}

std::string json(const Error& error) {
  const auto position = [&] {
    return Object()
        .add("line", std::to_string(error.position->line))
        .add("column", std::to_string(error.position->column))
        .text();
  };
  return Object()
      .add("code", json(code_name(error.code)))
      .add("message", json(to_string(error)))
      .add("operand", json(error.operand))
      .add("value", json(error.value))
      .add("violated_rules", json(error.violated_rules))
      .add("nearest_legal", error.nearest_legal ? json(*error.nearest_legal) : "null")
      .add("position", error.position ? position() : "null")
      .add("detail", json(error.detail))
      .text();
}

std::string json_value(const Field& field) { return std::visit(FieldJson(), field.value); }

std::string json(const Fields& fields) {
  Object object;
  for (const Field& field : fields) object.add(field.name, json_value(field));
  return object.text();
}

}  // namespace jute::c
