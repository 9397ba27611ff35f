// Reading from left to right, and refusals that say where.
#include "dist/text_reader.hpp"

#include <algorithm>
#include <charconv>

namespace jute::dist {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_char(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; }

}  // namespace

bool TextReader::take(char mark) {
  if (peek() != mark || is_done()) return false;
  ++at_;
  return true;
}

void TextReader::expect(char mark, std::string_view rule) {
  if (!take(mark)) refuse(ErrorCode::syntax, at_, rule);
}

void TextReader::expect_end(std::string_view rule) const {
  if (!is_done()) refuse(ErrorCode::syntax, at_, rule);
}

std::string TextReader::name(std::string_view what) {
  const std::size_t first = at_;
  if (is_letter(peek()))
    while (!is_done() && is_name_char(peek())) ++at_;
  if (at_ == first) refuse(ErrorCode::syntax, at_, "here must stand " + std::string(what));
  return std::string(text_.substr(first, at_ - first));
}

Index TextReader::number(Index least, Index most, std::string_view rule) {
  Index value = 0;
  const char* first = text_.data() + at_;
  const auto [end, fault] = std::from_chars(first, text_.data() + text_.size(), value);
  if (fault == std::errc::invalid_argument) refuse(ErrorCode::syntax, at_, rule);
  if (fault != std::errc{} || value < least || value > most)
    refuse(ErrorCode::out_of_range, at_, rule,
           fault == std::errc{} ? std::optional(std::to_string(std::clamp(value, least, most)))
                                : std::nullopt);
  at_ += static_cast<std::size_t>(end - first);
  return value;
}

std::string_view TextReader::upto_comma() {
  const std::size_t first = at_;
  for (int depth = 0; !is_done(); ++at_) {
    if (peek() == '(') ++depth;
    if (peek() == ')') --depth;
    if (peek() == ',' && depth <= 0) break;
  }
  return text_.substr(first, at_ - first);
}

bool TextReader::is_named() const {
  std::size_t at = at_;
  while (at < text_.size() && is_name_char(text_[at])) ++at;
  return at > at_ && at < text_.size() && text_[at] == '=';
}

void TextReader::refuse(ErrorCode code, std::size_t at, std::string_view rule,
                        std::optional<std::string> nearest) const {
  throw Exception({.code = code,
                   .operand = operand_,
                   .value = std::string(text_),
                   .violated_rules = {std::string(rule)},
                   .nearest_legal = std::move(nearest),
                   .position = SourcePosition{1, static_cast<int>(at) + 1}});
}

}  // namespace jute::dist
