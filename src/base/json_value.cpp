// Reads JSON, and sets it on lines.
#include <jute/base/json_value.hpp>
#include <jute/base/parsed_number.hpp>
#include <jute/base/refuse.hpp>
#include <jute/base/utf8.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/format.hpp"

namespace jute {
namespace {

constexpr int kDeepestJson = 512;

void append_character(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  out += static_cast<char>((0xFF00U >> (more + 1) & 0xFF) | code >> 6 * more);
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (code >> 6 * i & 0x3F));
}

/// Source: RFC 8259.
class JsonParser {
 public:
  JsonParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  JsonValue whole() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    JsonValue value = next(0);
    if (at_ < text_.size()) fail();
    return value;
  }

 private:
  /// The value and the blanks behind it.
  JsonValue next(int depth) {
    if (depth > kDeepestJson)
      refuse(ErrorCode::bad_file, file_, "",
             base::format("it must nest at most {} deep", kDeepestJson));
    skip_blanks();
    JsonValue value;
    if (took('{')) {
      value.content = object(depth);
    } else if (took('[')) {
      value.content = array(depth);
    } else if (took('"')) {
      value.content = string();
    } else if (took("true")) {
      value.content = true;
    } else if (took("false")) {
      value.content = false;
    } else if (!took("null")) {
      value.content = number();
    }
    skip_blanks();
    return value;
  }

  JsonValue::Object object(int depth) {
    JsonValue::Object members;
    skip_blanks();
    if (took('}')) return members;
    do {
      skip_blanks();
      expect('"');
      std::string name = string();
      if (std::ranges::find(members, name, &JsonEntry::name) != members.end())
        refuse(ErrorCode::bad_file, file_, name, "it must be a key once in its object");
      skip_blanks();
      expect(':');
      members.push_back({std::move(name), next(depth + 1)});
    } while (took(','));
    expect('}');
    return members;
  }

  JsonValue::Array array(int depth) {
    JsonValue::Array items;
    skip_blanks();
    if (took(']')) return items;
    do items.push_back(next(depth + 1));
    while (took(','));
    expect(']');
    return items;
  }

  /// Behind its first quote.
  std::string string() {
    std::string out;
    while (!took('"')) {
      const std::size_t bytes = character_bytes(text_.substr(at_));
      if (bytes == 0 || static_cast<unsigned char>(text_[at_]) < 0x20) fail();
      if (took('\\')) {
        append_escape(out);
      } else {
        out += text_.substr(at_, bytes);
        at_ += bytes;
      }
    }
    return out;
  }

  void append_escape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    for (std::size_t i = 0; i < kLetters.size(); ++i)
      if (took(kLetters[i])) {
        out += kMeant[i];
        return;
      }
    std::uint32_t code = code_unit();
    constexpr std::uint32_t kHigh = 0xD800, kLow = 0xDC00, kEnd = 0xE000;
    if (kLow <= code && code < kEnd) fail();
    if (kHigh <= code && code < kLow) {
      expect('\\');
      const std::uint32_t low = code_unit();
      if (low < kLow || low >= kEnd) fail();
      code = 0x10000 + ((code - kHigh) << 10) + (low - kLow);
    }
    append_character(out, code);
  }

  std::uint32_t code_unit() {
    expect('u');
    constexpr std::size_t kDigits = 4;
    const std::string_view digits = text_.substr(at_, kDigits);
    const auto unit = parsed_number<std::uint32_t>(digits, 16);
    if (digits.size() < kDigits || !unit) fail();
    at_ += kDigits;
    return *unit;
  }

  JsonNumber number() {
    const std::size_t begin = at_;
    (void)took('-');
    if (!took('0')) take_digits();
    const bool is_whole = !is_one_of(".eE");
    if (took('.')) take_digits();
    if (took('e') || took('E')) {
      if (!took('+')) (void)took('-');
      take_digits();
    }
    const std::string digits(text_.substr(begin, at_ - begin));
    if (is_whole) {
      if (const auto value = parsed_number<std::int64_t>(digits)) return *value;
      if (const auto value = parsed_number<std::uint64_t>(digits)) return *value;
    }
    if (const auto value = parsed_number<double>(digits)) return *value;
    // What is too near zero is zero.
    const double value = std::strtod(digits.c_str(), nullptr);
    if (std::isinf(value)) refuse(ErrorCode::bad_file, file_, "", "its numbers must fit 64 bits");
    return value;
  }

  [[nodiscard]] bool is_one_of(std::string_view letters) const {
    return at_ < text_.size() && letters.find(text_[at_]) != std::string_view::npos;
  }
  void skip_blanks() {
    while (is_one_of(" \t\r\n")) ++at_;
  }
  void take_digits() {
    constexpr std::string_view kDigits = "0123456789";
    if (!is_one_of(kDigits)) fail();
    while (is_one_of(kDigits)) ++at_;
  }
  bool took(char letter) { return took(std::string_view(&letter, 1)); }
  bool took(std::string_view word) {
    const bool is_there = text_.substr(at_).starts_with(word);
    if (is_there) at_ += word.size();
    return is_there;
  }
  void expect(char letter) {
    if (!took(letter)) fail();
  }

  [[noreturn]] void fail() const {
    const std::string_view before = text_.substr(0, at_);
    const std::size_t line_end = before.rfind('\n');
    const std::size_t column = line_end == std::string_view::npos ? at_ + 1 : at_ - line_end;
    refuse(ErrorCode::bad_file, file_, "",
           base::format("it must be valid JSON, and is not at line {}, column {}",
                        1 + std::ranges::count(before, '\n'), column));
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
};

struct ToJson {
  Json operator()(std::monostate /*none*/) const { return {}; }
  Json operator()(bool value) const { return value; }
  Json operator()(const JsonNumber& number) const {
    return std::visit([](const auto value) { return Json(value); }, number);
  }
  Json operator()(const std::string& text) const { return text; }
  Json operator()(const JsonValue::Array& items) const {
    return Json::array(items, [](const JsonValue& item) { return to_json(item); });
  }
  Json operator()(const JsonValue::Object& members) const {
    Json json = Json::object();
    for (const JsonEntry& member : members) json.add(member.name, to_json(member.value));
    return json;
  }
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
  const auto* members = as<Object>();
  if (members == nullptr) return nullptr;
  const auto found = std::ranges::find(*members, name, &JsonEntry::name);
  return found == members->end() ? nullptr : &found->value;
}

JsonValue* JsonValue::find(std::string_view name) {
  return const_cast<JsonValue*>(std::as_const(*this).find(name));
}

JsonValue parse_json(std::string_view text, const std::string& file) {
  return JsonParser(text, file).whole();
}

Json to_json(const JsonValue& value) { return std::visit(ToJson(), value.content); }

std::string indented(const Json& json) {
  std::string out;
  std::size_t depth = 0;
  bool is_quoted = false;
  const std::string& text = json.text();
  const auto new_line = [&] { out += '\n' + std::string(2 * depth, ' '); };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (is_quoted) {
      out += c;
      if (c == '\\') out += text[++at];
      is_quoted = c != '"';
      continue;
    }
    is_quoted = c == '"';
    const bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
    const bool is_empty = closes && (out.back() == '{' || out.back() == '[');
    if (closes) --depth;
    if (opens) ++depth;
    if (closes && !is_empty) new_line();
    out += c;
    if (c == ':') out += ' ';
    if (c == ',' || (opens && text[at + 1] != '}' && text[at + 1] != ']')) new_line();
  }
  return out + '\n';
}

}  // namespace jute
