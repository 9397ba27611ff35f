#pragma once
// The letters that templates and names tell operands apart by.
#include <jute/emit/piece.hpp>

#include <cctype>
#include <string>
#include <string_view>

namespace jute::codegen {

/// As names of types and constants have it: "A" of "a".
[[nodiscard]] inline std::string capital(std::string_view letter) {
  std::string text(letter);
  for (char& one : text) one = static_cast<char>(std::toupper(static_cast<unsigned char>(one)));
  return text;
}

/// The template with an operand's letters in it.
[[nodiscard]] inline Piece lettered(const TemplateSet& templates, std::string path,
                                    std::string_view letter) {
  return Piece(templates, std::move(path))
      .fill_if("x", std::string(letter))
      .fill_if("X", capital(letter));
}

}  // namespace jute::codegen
