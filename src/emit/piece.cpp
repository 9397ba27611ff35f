// Holes, indentation and the refusals of templates.
#include <jute/base/error.hpp>
#include <jute/emit/filled.hpp>
#include <jute/emit/piece.hpp>

#include <algorithm>
#include <utility>

#include "base/format.hpp"

namespace jute {
namespace {

[[noreturn]] void refuse_template(const std::string& path, std::string value, std::string rule) {
  throw Exception(
      {ErrorCode::illegal_template, path, std::move(value), {std::move(rule)}, {}, {}, {}});
}

/// The hole's name if a line holds nothing but `$[name]`, and the column where it starts.
std::pair<std::string_view, size_t> line_hole(std::string_view line) {
  const size_t start = line.find_first_not_of(' ');
  if (start == std::string_view::npos || !line.substr(start).starts_with("$[")) return {{}, 0};
  if (!line.ends_with(']')) return {{}, 0};
  return {line.substr(start + 2, line.size() - start - 3), start};
}

std::string indented(std::string_view text, size_t columns) {
  std::string result;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (!line.empty()) result.append(columns, ' ').append(line);
    result += '\n';
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return result;
}

/// Heads say what holes may be filled with, for those who read the template.
std::string without_examples(const std::string& text) {
  const size_t start = text.find("//   fills: ");
  if (start == std::string::npos) return text;
  return text.substr(0, start) + text.substr(std::min(text.find('\n', start), text.size() - 1) + 1);
}

}  // namespace

Piece::Piece(const TemplateSet& templates, std::string path)
    : path_(std::move(path)), template_(without_examples(templates.text(path_))) {}

bool Piece::has_hole(std::string_view hole) const {
  return template_.find(base::format("${{{}}}", hole)) != std::string::npos ||
         template_.find(base::format("$[{}]", hole)) != std::string::npos;
}

Piece& Piece::fill(std::string_view hole, std::string value) {
  if (!has_hole(hole))
    refuse_template(path_, std::string(hole), "the template must have a hole of this name");
  values_.insert_or_assign(std::string(hole), std::move(value));
  return *this;
}

Piece& Piece::fill_if(std::string_view hole, std::string value) {
  return has_hole(hole) ? fill(hole, std::move(value)) : *this;
}

std::string Piece::text() const { return filled({path_, template_}, values_); }

std::string filled(const TemplateText& given, const HoleValues& values) {
  const auto value_of = [&](std::string_view hole) -> const std::string& {
    const auto found = values.find(hole);
    if (found == values.end())
      refuse_template(std::string(given.path), std::string(hole), "every hole must be filled");
    return found->second;
  };
  std::string result;
  std::string_view rest = given.text;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (const auto [hole, column] = line_hole(line); !hole.empty()) {
      result += indented(value_of(hole), column);
      continue;
    }
    for (size_t open = line.find("${"); open != std::string_view::npos; open = line.find("${")) {
      const size_t close = line.find('}', open);
      if (close == std::string_view::npos)
        refuse_template(std::string(given.path), std::string(line), "a hole must be closed by }");
      result.append(line.substr(0, open)).append(value_of(line.substr(open + 2, close - open - 2)));
      line.remove_prefix(close + 1);
    }
    result.append(line) += '\n';
  }
  return result;
}

std::uint64_t symbol_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char letter : text) {
    hash ^= static_cast<unsigned char>(letter);
    hash *= 0x100000001b3u;
  }
  return hash;
}

}  // namespace jute
