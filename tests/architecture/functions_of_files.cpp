// Reads the names of functions, types and constants off lines as clang-format leaves them.
#include "architecture/functions_of_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>
#include <string_view>

namespace jute::test {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Lines without comments, strings emptied, texts in R"(…)" left out.
class CodeReader {
 public:
  std::string code_of(const std::string& line) {
    size_t begin = 0;
    if (!raw_end_.empty()) {
      const size_t end = line.find(raw_end_);
      if (end == std::string::npos) return {};
      begin = end + raw_end_.size();
      raw_end_.clear();
      return " " + without_strings(line.substr(begin));
    }
    if (const size_t raw = line.find("R\""); raw != std::string::npos) {
      const size_t open = line.find('(', raw);
      if (open != std::string::npos) {
        const std::string end = ")" + line.substr(raw + 2, open - raw - 2) + "\"";
        if (line.find(end, open) == std::string::npos) raw_end_ = end;
        return without_strings(line.substr(0, raw));
      }
    }
    return without_strings(line);
  }

 private:
  static std::string without_strings(const std::string& line);
  std::string raw_end_;  ///< of the text that a line is in
};

std::string CodeReader::without_strings(const std::string& line) {
  std::string code;
  bool in_string = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (in_string) {
      if (line[i] == '\\')
        ++i;
      else if (line[i] == '"')
        in_string = false;
      continue;
    }
    if (line[i] == '/' && i + 1 < line.size() && line[i + 1] == '/') break;
    if (line[i] == '"') in_string = true;
    code += line[i] == '"' ? ' ' : line[i];
  }
  return code;
}

/// The name that ends before `end`.
std::string name_before(std::string_view code, size_t end) {
  size_t begin = end;
  while (begin > 0 && is_word(code[begin - 1])) --begin;
  return std::string(code.substr(begin, end - begin));
}
/// The name that begins at `begin`.
std::string name_from(std::string_view code, size_t begin) {
  size_t end = begin;
  while (end < code.size() && is_word(code[end])) ++end;
  return std::string(code.substr(begin, end - begin));
}

bool starts_with_any(std::string_view text, auto... heads) {
  return (text.starts_with(heads) || ...);
}

/// `double rows_of(const Tile& tile) {` -> rows_of; nothing of a member that is defined outside.
std::optional<std::string> function_of(std::string_view code) {
  if (starts_with_any(code, "return", "else", "using ", "template", "struct ", "class ", "enum ",
                      "case ", "if ", "for ", "while "))
    return std::nullopt;
  const size_t open = code.find('(');
  if (open == std::string_view::npos || code.substr(0, open).find('=') != std::string_view::npos)
    return std::nullopt;
  std::string name = name_before(code, open);
  const size_t begin = open - name.size();
  if (name.empty() || begin == 0) return std::nullopt;
  const char before = code[begin - 1];
  if (before != ' ' && before != '*' && before != '&') return std::nullopt;
  return name;
}

/// `struct Tile {`
std::optional<std::string> type_of(std::string_view code) {
  for (const std::string_view head : {"struct ", "class ", "enum class ", "enum "})
    if (code.starts_with(head)) {
      std::string name = name_from(code, head.size());
      if (name.empty()) return std::nullopt;
      return name;
    }
  return std::nullopt;
}

/// `(const Tile& tile, int n)`, which begins at `open` and may go on behind the line, ->
/// `(const Tile&,int)`.
std::string types_of_parameters(const std::string& text, size_t open) {
  std::string types;
  int depth = 0, angles = 0;
  std::string one;
  const auto end_one = [&] {
    one = one.substr(0, one.find('='));
    while (one.ends_with(' ')) one.pop_back();
    const size_t name = one.find_last_of(" &*>");
    types += (name == std::string::npos ? one : one.substr(0, name + 1)) + ",";
    one.clear();
  };
  for (size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    angles += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (depth == 0) break;
    if (i == open) continue;
    if (c == ',' && depth == 1 && angles == 0)
      end_one();
    else if (c != ' ' || !(one.empty() || one.ends_with(' ')))
      one += c;
  }
  end_one();
  return "(" + types + ")";
}

/// Every kName that is given a value in a line of a constant.
void add_constants(std::set<std::string>& names, std::string_view code) {
  for (size_t i = 0; i + 1 < code.size(); ++i) {
    const bool begins = code[i] == 'k' && std::isupper(static_cast<unsigned char>(code[i + 1])) &&
                        (i == 0 || !is_word(code[i - 1]));
    if (!begins) continue;
    const std::string name = name_from(code, i);
    size_t next = i + name.size();
    while (next < code.size() && code[next] == ' ') ++next;
    if (next < code.size() && (code[next] == '=' || code[next] == '{' || code[next] == '['))
      names.insert(name);
    i += name.size() - 1;
  }
}

/// What is called by its bare name, or by that in the library's own namespaces.
void add_calls(std::set<std::string>& names, std::string_view code) {
  for (size_t open = code.find('('); open != std::string_view::npos;
       open = code.find('(', open + 1)) {
    const std::string name = name_before(code, open);
    if (name.empty()) continue;
    const std::string_view ahead = code.substr(0, open - name.size());
    const bool is_member = ahead.ends_with('.') || ahead.ends_with("->");
    const bool is_foreign =
        ahead.ends_with("::") && !ahead.ends_with("jute::") && !ahead.ends_with("plan::");
    if (!is_member && !is_foreign) names.insert(name);
  }
}

/// `const auto rows = [&](…`: called like a function.
void add_lambda(std::set<std::string>& names, std::string_view code) {
  const size_t at = code.find(" = [");
  if (at != std::string_view::npos) names.insert(name_before(code, at));
}

}  // namespace

FunctionsOfFile functions_of(const SourceFile& file) {
  FunctionsOfFile result;
  std::vector<bool> unnamed;  // of the namespaces around a line
  bool in_constant = false;
  CodeReader reader;
  const auto rest_of = [&](size_t first) {
    constexpr size_t kMostLines = 12;
    std::string text;
    for (size_t i = first; i < std::min(first + kMostLines, file.lines.size()); ++i)
      text += CodeReader().code_of(file.lines[i]) + " ";
    return text;
  };
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    if (line.starts_with("namespace")) {
      unnamed.push_back(line == "namespace {");
      continue;
    }
    if (line.starts_with("}") && line.find("// namespace") != std::string::npos) {
      if (!unnamed.empty()) unnamed.pop_back();
      continue;
    }
    const std::string code = reader.code_of(line);
    add_calls(result.called, code);
    add_lambda(result.local, code);
    const bool is_own = std::ranges::find(unnamed, true) != unnamed.end();
    if (code.empty() || std::isspace(static_cast<unsigned char>(code[0])) != 0) {
      // A member that a class defines is called by its bare name inside it.
      if (code.ends_with('{'))
        if (const size_t begin = code.find_first_not_of(' '); begin == 2)
          if (auto name = function_of(std::string_view(code).substr(begin)))
            result.local.insert(*std::move(name));
      if (in_constant && is_own) add_constants(result.kept, code);
    } else {
      in_constant =
          starts_with_any(code, "constexpr ", "const ", "inline constexpr ") && !function_of(code);
      if (is_own && in_constant) add_constants(result.kept, code);
      if (const auto type = type_of(code); type && is_own) result.kept.insert(*type);
      if (const auto name = function_of(code)) {
        (is_own ? result.kept : result.offered).insert(*name);
        if (is_own) result.entities.insert(*name + types_of_parameters(rest_of(i), code.find('(')));
      }
    }
    if (code.find(';') != std::string::npos) in_constant = false;
  }
  for (const std::string& name : result.kept)
    if (std::ranges::none_of(result.entities, [&](const std::string& entity) {
          return entity.starts_with(name + "(");
        }))
      result.entities.insert(name);
  return result;
}

std::vector<std::string> circles(const std::map<std::string, std::set<std::string>>& needs) {
  std::vector<std::string> found;
  std::set<std::string> done;
  std::vector<std::string> way;
  const std::function<void(const std::string&)> walk = [&](const std::string& file) {
    if (const auto again = std::ranges::find(way, file); again != way.end()) {
      std::string text;
      for (auto at = again; at != way.end(); ++at) text += *at + " -> ";
      found.push_back(text + file);
      return;
    }
    if (done.contains(file)) return;
    way.push_back(file);
    if (const auto targets = needs.find(file); targets != needs.end())
      for (const std::string& target : targets->second) walk(target);
    way.pop_back();
    done.insert(file);
  };
  for (const auto& [file, targets] : needs) walk(file);
  return found;
}

}  // namespace jute::test
