#pragma once
// The part of a text that a message shows, with a caret below what it is about.
#include <jute/base/export.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// A long text is shown by the part around a column, in one line: '?' stands for control characters
/// and for bytes that are no UTF-8.
struct Excerpt {
  std::string text;
  std::size_t caret = 0;  ///< characters of it before the column
};
/// The part around a column, which counts bytes from 0.
[[nodiscard]] Excerpt excerpt(std::string_view text, std::size_t column);
/// The excerpt, and below it a caret at the column.
[[nodiscard]] std::string caret_lines(const Excerpt& shown);

}  // namespace jute
