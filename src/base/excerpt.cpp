// Excerpts of texts, cut between characters.
#include <jute/base/detail/excerpt.hpp>
#include <jute/base/utf8.hpp>

#include <algorithm>

namespace jute {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// The place, or where the character ends in whose middle it lies.
std::size_t between_characters(std::string_view text, std::size_t place) {
  constexpr std::size_t kMostFurther = 3;
  const std::size_t most = std::min(text.size(), place + kMostFurther);
  while (place < most && continues(text[place])) ++place;
  return place;
}

}  // namespace

Excerpt excerpt(std::string_view text, std::size_t column) {
  constexpr std::size_t kAround = 60;
  column = std::min(column, text.size());
  const std::size_t begin = column > kAround ? between_characters(text, column - kAround) : 0;
  const std::size_t end = between_characters(text, std::min(text.size(), column + kAround));
  Excerpt result;
  if (begin > 0) result.text += "...";
  result.caret = result.text.size();
  for (std::size_t at = begin; at < end;) {
    const std::string_view character = text.substr(at, character_bytes(text.substr(at, end - at)));
    const bool is_control =
        character.size() == 1 && (character.front() < ' ' || character.front() == 0x7f);
    result.text += character.empty() || is_control ? "?" : character;
    if (at < column) ++result.caret;
    at += std::max<std::size_t>(character.size(), 1);
  }
  if (end < text.size()) result.text += "...";
  return result;
}

std::string caret_lines(const Excerpt& shown) {
  return shown.text + "\n" + std::string(shown.caret, ' ') + "^";
}

}  // namespace jute
