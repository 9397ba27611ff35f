#pragma once
// Words and lines of texts.
#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace jute::command {

/// Is it what names are made of?
[[nodiscard]] inline bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
[[nodiscard]] inline std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}
/// The words between blanks, and between marks of a kind.
[[nodiscard]] inline std::vector<std::string> words_in(std::string_view text, char mark = ' ') {
  std::string spaced(text);
  std::ranges::replace(spaced, mark, ' ');
  std::istringstream stream(spaced);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}
/// The lines without their ends.
[[nodiscard]] inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace jute::command
