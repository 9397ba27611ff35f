// Reads declarations: a type, then names; types are compared as words without blanks.
#include "emit/declaration.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <array>

#include "emit/names.hpp"

namespace jute::emit {
namespace {

/// The parts of a list, which brackets keep together.
std::vector<std::string_view> parts_of(std::string_view list, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    if (std::string_view("(<[{").find(list[i]) != std::string_view::npos) ++depth;
    if (std::string_view(")>]}").find(list[i]) != std::string_view::npos) --depth;
    if (list[i] != separator || depth != 0) continue;
    parts.push_back(trimmed(list.substr(start, i - start)));
    start = i + 1;
  }
  if (const std::string_view last = trimmed(list.substr(start)); !last.empty())
    parts.push_back(last);
  return parts;
}

/// Names, numbers, and each other letter by itself.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_of_name(text[end])) ++end;
    if (end == at) ++end;
    if (text[at] != ' ') words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// The words as one text, each alias replaced by what it stands for.
std::string joined(const std::vector<std::string_view>& words, const Aliases& aliases) {
  std::string text;
  for (std::string_view word : words) {
    if (word == "__restrict__" || word == "__grid_constant__") continue;
    for (int depth = 0; depth < 8; ++depth) {
      const auto alias = aliases.find(word);
      if (alias == aliases.end()) break;
      word = alias->second;
    }
    if (!text.empty() && is_of_name(text.back()) && is_of_name(word.front())) text += ' ';
    text += word;
  }
  return text;
}

/// A const of the variable itself says nothing to those who need it.
std::string variable_type(std::vector<std::string_view> words, const Aliases& aliases) {
  const bool points =
      std::ranges::any_of(words, [](std::string_view word) { return word == "*" || word == "&"; });
  if (!words.empty() && words.back() == "const") words.pop_back();
  if (!points && !words.empty() && words.front() == "const") words.erase(words.begin());
  return joined(words, aliases);
}

/// The parameter without its name, where a definition gives it one.
std::string parameter_type(std::string_view parameter, const Aliases& aliases) {
  constexpr std::array<std::string_view, 9> kTypes{"int",   "unsigned", "long",   "char", "short",
                                                   "float", "double",   "signed", "bool"};
  std::vector<std::string_view> words = words_of(parameter);
  const bool is_named = words.size() > 1 && is_of_name(words.back().front()) &&
                        std::ranges::find(kTypes, words.back()) == kTypes.end();
  if (is_named) words.pop_back();
  return joined(words, aliases);
}

std::string signature_of(std::string_view result, std::string_view parameters,
                         const Aliases& aliases) {
  std::string text = joined(words_of(result), aliases) + "(";
  bool is_first = true;
  for (const std::string_view parameter : parts_of(parameters, ',')) {
    text += (is_first ? "" : ",") + parameter_type(parameter, aliases);
    is_first = false;
  }
  return text + ")";
}

bool is_constant(std::string_view name) {
  return name.size() > 1 && name[0] == 'k' &&
         std::isupper(static_cast<unsigned char>(name[1])) != 0;
}

/// A name at the end of a text, and what stands before it.
struct Named {
  std::string_view before, name;
};
Named named(std::string_view text) {
  size_t start = text.size();
  while (start > 0 && is_of_name(text[start - 1])) --start;
  return {trimmed(text.substr(0, start)), text.substr(start)};
}

/// `kStages`, `wait_for(unsigned, int)`, `staged[]`, `Vector<>`, with the type before it if it is
/// the first of a list. Without a name it cannot be read.
Declaration declarator(std::string_view text, std::string_view& type, const Aliases& aliases) {
  const size_t open = text.find('(');
  std::string_view head = trimmed(text.substr(0, open));
  Declaration result;
  if (head.ends_with("<>")) {
    result.is_template = true;
    head = trimmed(head.substr(0, head.size() - 2));
  }
  const bool is_array = head.ends_with("[]");
  if (is_array) head = trimmed(head.substr(0, head.size() - 2));
  const auto [before, name] = named(head);
  if (!before.empty()) type = before;
  if (type.empty()) return {};
  result.name = name;
  if (open != std::string_view::npos) {
    result.kind = DeclarationKind::function;
    const size_t close = text.rfind(')');
    if (close == std::string_view::npos || close < open) return {};
    result.type = signature_of(type, text.substr(open + 1, close - open - 1), aliases);
  } else if (type == "type") {
    result.kind = DeclarationKind::type;
  } else {
    result.kind = is_constant(name) ? DeclarationKind::constant : DeclarationKind::variable;
    result.type = variable_type(words_of(type), aliases) + (is_array ? "[]" : "");
  }
  return result;
}

/// The text behind `opening`, up to `end`; nothing if it does not open so.
std::string_view behind(std::string_view text, std::string_view opening, std::string_view end) {
  if (!text.starts_with(opening)) return {};
  text.remove_prefix(opening.size());
  return text.substr(0, text.find(end));
}

/// The type that a line defines by a name.
std::string_view defined_type(std::string_view line) {
  if (line.starts_with("template")) {
    const size_t close = line.rfind("> ");
    if (close == std::string_view::npos) return {};
    line.remove_prefix(close + 2);
  }
  for (const std::string_view word : {"struct ", "union "}) {
    if (!line.starts_with(word)) continue;
    line.remove_prefix(word.size());
    if (line.starts_with("alignas")) line.remove_prefix(std::min(line.size(), line.find(") ") + 2));
    size_t end = 0;
    while (end < line.size() && is_of_name(line[end])) ++end;
    return line.substr(0, end);
  }
  return {};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<Declaration> parse_declarations(std::string_view list, const Aliases& aliases,
                                            std::string_view piece) {
  std::vector<Declaration> result;
  for (const std::string_view declaration : parts_of(list, ';')) {
    std::string_view type;
    for (const std::string_view part : parts_of(declaration, ',')) {
      result.push_back(declarator(part, type, aliases));
      if (result.back().name.empty())
        jute::refuse(ErrorCode::illegal_template, std::string(piece), std::string(declaration),
                     "what a piece needs or gives must be a type and a name");
    }
  }
  return result;
}

std::vector<Declaration> declarations_of(std::string_view line, const Aliases& aliases) {
  line = trimmed(line.substr(0, line.find("//")));
  std::string_view type;
  if (const auto constant = behind(line, "constexpr ", " = "); !constant.empty())
    return {declarator(constant, type, aliases)};
  if (line.starts_with("__device__ __forceinline__ ")) {
    const std::string_view function = behind(line, "__device__ __forceinline__ ", " {");
    return {declarator(function, type, aliases)};
  }
  if (line.starts_with("typedef ") && line.ends_with(';')) {
    const std::string_view name = named(line.substr(0, line.size() - 1)).name;
    return {{DeclarationKind::type, std::string(name), {}, false}};
  }
  if (const std::string_view name = defined_type(line); !name.empty())
    return {{DeclarationKind::type, std::string(name), {}, false}};
  return {};
}

std::vector<Declaration> parameter_of(std::string_view line, const Aliases& aliases) {
  line = trimmed(line);
  if (line.ends_with(',')) line.remove_suffix(1);
  std::string_view type;
  const Declaration result = declarator(line, type, aliases);
  if (result.name.empty()) return {};
  return {result};
}

void learn_alias(std::string_view line, Aliases& aliases) {
  line = trimmed(line);
  if (!line.starts_with("typedef ") || !line.ends_with(';')) return;
  line.remove_prefix(8);
  line.remove_suffix(1);
  const auto [type, name] = named(line);
  if (name.empty() || type.empty()) return;
  const std::string resolved = joined(words_of(type), aliases);
  if (resolved != name) aliases.insert_or_assign(std::string(name), resolved);
}

}  // namespace jute::emit
