#pragma once
// What names are made of.
#include <cctype>

namespace jute::command {

[[nodiscard]] inline bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace jute::command
