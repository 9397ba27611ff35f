// How long functions are, and what their parameters say.
#include <algorithm>
#include <iterator>
#include <regex>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

constexpr std::size_t kMostLinesOfFunction = 60;

/// The first line of something at this indentation, as clang-format leaves it: no comment, no
/// closing brace, no preprocessor.
bool opens(const std::string& line, std::size_t indent) {
  if (line.size() <= indent || line.find_first_not_of(' ') != indent) return false;
  const std::string text = line.substr(indent);
  return !text.starts_with('}') && !text.starts_with("//") && !text.starts_with('#') &&
         !text.starts_with("template");
}

/// `file:line: length` of every block that ends with a brace alone at this indentation: functions,
/// and inside classes those of one line deeper.
std::vector<std::string> long_blocks(const SourceFile& file, std::size_t indent) {
  std::vector<std::string> found;
  std::size_t start = 0;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    if (opens(line, indent)) start = i;
    if (line != std::string(indent, ' ') + "}" || i - start < kMostLinesOfFunction) continue;
    found.push_back(file.path + ":" + std::to_string(start + 1) + ": " +
                    std::to_string(i - start + 1) + " lines");
  }
  return found;
}

/// Parameters of type bool in declarations: `f(true)` tells a reader nothing.
std::vector<std::string> boolean_parameters(const SourceFile& file) {
  static const std::regex kParameter(
      R"([(,]\s*(const\s+)?bool\s*&?\s+(\w+)\s*(=[^,()]*)?(?=[,)]))");
  std::string text;
  for (const std::string& line : file.lines) text += line.substr(0, line.find("//")) + '\n';
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), kParameter), end; at != end; ++at)
    found.push_back(file.path + ": " + (*at)[2].str());
  return found;
}

}  // namespace

TEST_CASE("a block that grows beyond sixty lines is found where it begins", "[architecture]") {
  SourceFile file{"f.cpp", {"int f(", "    int a) {"}, {}};
  file.lines.resize(60, "  ++a;");
  file.lines.emplace_back("}");
  CHECK(long_blocks(file, 0) == std::vector<std::string>{"f.cpp:1: 61 lines"});
  file.lines.erase(file.lines.begin() + 2);
  CHECK(long_blocks(file, 0) == kNothing);
}

TEST_CASE("a boolean parameter is found, a field and an argument are not", "[architecture]") {
  const SourceFile file{
      "f.hpp",
      {"struct S { bool field = false; };", "void f(int a,", "       bool b = true);"},
      {}};
  CHECK(boolean_parameters(file) == std::vector<std::string>{"f.hpp: b"});
}

TEST_CASE("no function is longer than what one sees at once", "[architecture]") {
  std::vector<std::string> found;
  for (const auto& file : all_sources())
    for (const std::size_t indent : {0, 2})
      std::ranges::move(long_blocks(file, indent), std::back_inserter(found));
  CHECK(found == kNothing);
}

TEST_CASE("no function of a public header takes a bare truth value", "[architecture]") {
  std::vector<std::string> found;
  for (const auto& file : source_files("include/jute"))
    std::ranges::move(boolean_parameters(file), std::back_inserter(found));
  CHECK(found == kNothing);
}

}  // namespace jute::test
