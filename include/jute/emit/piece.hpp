#pragma once
// Kernel templates with named holes, filled into text.
#include <jute/base/export.hpp>
#include <jute/emit/template_set.hpp>

#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// A template being filled. `${name}` takes a value anywhere in a line; a line holding only
/// `$[name]` takes a piece, indented to its column, and vanishes when the piece is empty.
class Piece {
 public:
  Piece(const TemplateSet& templates, std::string path);

  [[nodiscard]] bool has_hole(std::string_view hole) const;
  /// throws  illegal_template: the template has no such hole
  Piece& fill(std::string_view hole, std::string value);
  template <std::integral Number>
  Piece& fill(std::string_view hole, Number value) {
    return fill(hole, std::to_string(value));
  }
  /// Where there is such a hole.
  Piece& fill_if(std::string_view hole, std::string value);
  /// throws  illegal_template: a hole is still open
  [[nodiscard]] std::string text() const;

 private:
  std::string path_;
  std::string template_;
  std::map<std::string, std::string, std::less<>> values_;
};

/// FNV-1a: names kernels, so that two texts rarely share a symbol.
[[nodiscard]] std::uint64_t symbol_hash(std::string_view text);

}  // namespace jute
