// How refusals speak: a broken rule tells what must hold, not as a fact what does not.
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

/// Calls and lists of these hold the rules of a refusal.
const std::regex kTold(
    R"((\b\w*refuse\w*\(|\bbroken\(|\btold\(|\b(findings|refusal)\.add\(|violated_rules = \{))");
const std::regex kRule(R"(\b(must|needs?|needed)\b)");
constexpr size_t kFewestWords = 4;  // operands and values have fewer

/// What does not refuse: findings tell what a kernel did; arguments of functions are told by what
/// they must be.
bool tells_no_rules(const std::string& path) {
  return path.starts_with("src/emulator/async/") || path.starts_with("src/emulator/check/") ||
         path == "src/expr/arguments.cpp" || path == "src/expr/construction_functions.cpp";
}

std::string joined_lines(const SourceFile& file) {
  std::string text;
  for (const std::string& line : file.lines) text += line + "\n";
  return text;
}

/// Behind the quote that ends a literal begun at `at`.
size_t literal_end(const std::string& text, size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at)
    if (text[at] == '\\') ++at;
  return at + 1;
}

/// The literals up to the bracket that closes the one before `at`, one behind the other.
std::string literals_inside(const std::string& text, size_t at) {
  std::string literals;
  for (int depth = 1; at < text.size() && depth > 0;) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      const size_t end = literal_end(text, at);
      if (c == '"') literals += text.substr(at + 1, end - at - 2);
      at = end;
      continue;
    }
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    ++at;
  }
  return literals;
}

size_t words(const std::string& text) {
  static const std::regex kWord(R"(\S+)");
  return static_cast<size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), kWord), std::sregex_iterator()));
}

/// The rules of a file that say neither what must hold nor what is needed.
std::vector<std::string> facts(const SourceFile& file) {
  const std::string text = joined_lines(file);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), kTold), end; it != end; ++it) {
    const auto inside = static_cast<size_t>(it->position() + it->length());
    const std::string rule = literals_inside(text, inside);
    if (words(rule) >= kFewestWords && !std::regex_search(rule, kRule))
      found.push_back(file.path + ": " + rule);
  }
  return found;
}

}  // namespace

TEST_CASE("a broken rule says what must hold", "[architecture]") {
  for (const char* folder : {"src", "tools/jute", "tools/race", "tools/bench"})
    for (const auto& file : source_files(folder))
      if (!tells_no_rules(file.path)) CHECK(facts(file) == std::vector<std::string>{});
}

TEST_CASE("rules that state facts are found", "[architecture]") {
  const auto facts_of = [](std::string line) {
    return facts({.path = "x.cpp", .lines = {std::move(line)}, .includes = {}}).size();
  };
  CHECK(facts_of(R"(refuse(a, "a label stands once in its scope");)") == 1);
  CHECK(facts_of(R"(refuse(a, "a label must stand " + b(')', '"') + "once in its scope");)") == 0);
  CHECK(facts_of(R"(refuse(a, b + "('"); f("no rule at all here");)") == 0);
}

}  // namespace jute::test
