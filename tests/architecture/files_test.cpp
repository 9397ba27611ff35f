// What holds for every file of the tree.
#include <jute/draw/picture.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "architecture/source_tree.hpp"
#include "emit/embedded_templates.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

constexpr std::size_t kMostLines = 400;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool opens_with_a_comment(const SourceFile& file) {
  const bool is_header = file.path.ends_with(".hpp");
  const auto& lines = file.lines;
  if (file.path.ends_with("/jute.h")) return lines[0].starts_with("/*");  // C99, and C++98
  if (is_header && (lines.empty() || lines[0] != "#pragma once")) return false;
  const std::size_t first = is_header ? 1 : 0;
  return lines.size() > first && lines[first].starts_with("//");
}

/// Tables of data may be long.
bool is_table(const SourceFile& file) {
  return std::ranges::any_of(file.lines, [](const std::string& line) {
    return line.find("clang-format off") != std::string::npos;
  });
}

}  // namespace

TEST_CASE("each file says in its first lines what it is for", "[architecture]") {
  std::vector<std::string> silent;
  for (const auto& file : all_sources())
    if (!opens_with_a_comment(file)) silent.push_back(file.path);
  CHECK(silent == std::vector<std::string>{});
}

TEST_CASE("no file but a table grows beyond what one reads at a sitting", "[architecture]") {
  std::vector<std::string> too_long;
  for (const auto& file : all_sources())
    if (file.lines.size() > kMostLines && !is_table(file)) too_long.push_back(file.path);
  CHECK(too_long == std::vector<std::string>{});
}

TEST_CASE("writing kernels asks for a frame, never for a family or its main loop",
          "[architecture]") {
  std::vector<std::string> cases;
  for (const auto& file : source_files("src/codegen"))
    for (const std::string& line : file.lines)
      if (line.find("MainLoop::") != std::string::npos ||
          line.find("Family::") != std::string::npos)
        cases.push_back(file.path + ": " + line);
  CHECK(cases == std::vector<std::string>{});
}

/// What public headers are made of and do not offer themselves.
bool is_detail(const std::string& path) { return path.find("/detail/") != std::string::npos; }

namespace {

/// Where the text behind a comment's first name of a part begins: "   throws  illegal_config".
std::size_t text_column(const std::string& comment) {
  const std::size_t name_ends = comment.find(' ', 3);
  const std::vector<std::string> parts{"example", "needs", "shapes", "source", "throws", "units"};
  if (!comment.starts_with("   ") || name_ends == std::string::npos ||
      std::ranges::find(parts, comment.substr(3, name_ends - 3)) == parts.end())
    return std::string::npos;
  return comment.find_first_not_of(' ', name_ends);
}

/// A line of such a comment: another part, or more of the one before.
bool keeps_column(const std::string& comment, std::size_t column) {
  if (comment.size() <= column || comment[column] == ' ' || comment[column - 1] != ' ')
    return false;
  const std::string before = comment.substr(0, column);
  const std::size_t name = before.find_first_not_of(' ');
  if (name == std::string::npos) return true;
  return name == 3 && before.find_first_not_of(' ', before.find(' ', name)) == std::string::npos;
}

}  // namespace

TEST_CASE("comments of public headers stand as they were laid out", "[architecture]") {
  // A formatter that breaks a line leaves its end in a column of its own.
  std::vector<std::string> broken;
  int parts = 0;
  for (const auto& file : source_files("include/jute")) {
    std::size_t column = std::string::npos;
    for (const std::string& line : file.lines) {
      const std::size_t at = line.find_first_not_of(' ');
      const bool is_comment = at != std::string::npos && line.substr(at).starts_with("///");
      const std::string comment = is_comment ? line.substr(at + 3) : "";
      if (comment.empty()) {
        column = std::string::npos;
      } else if (column == std::string::npos) {
        column = text_column(comment);
        parts += column != std::string::npos ? 1 : 0;
      } else if (!keeps_column(comment, column)) {
        broken.push_back(file.path + ": " + line);
      }
    }
  }
  CHECK(broken == std::vector<std::string>{});
  CHECK(parts > 80);
}

TEST_CASE("the umbrella header includes every public header", "[architecture]") {
  std::set<std::string> headers;
  std::set<std::string> included;
  for (const auto& file : source_files("include/jute")) {
    if (is_detail(file.path) || file.path.ends_with(".h")) continue;
    if (file.path != "include/jute/jute.hpp") {
      headers.insert(file.path.substr(std::string_view("include/").size()));
      continue;
    }
    for (const auto& include : file.includes) included.insert(include.target);
  }
  CHECK(included == headers);
}

TEST_CASE("the README shows the example program that a test builds and runs", "[architecture]") {
  const std::string program = text_of(repository() / "examples/embed/main.cpp");
  REQUIRE_FALSE(program.empty());
  CHECK(text_of(repository() / "README.md").find("```cpp\n" + program + "```") !=
        std::string::npos);
}

TEST_CASE("the README's picture is what jute draws", "[architecture]") {
  const ComposedLayout tile("Sw<3,2,3>o0o(8,32):(32,1)");
  CHECK(to_svg(bank_picture(tile, 32)) == text_of(repository() / "docs/images/swizzle.svg"));
}

TEST_CASE("the page of the kernel templates names every frame and piece", "[architecture]") {
  const auto root = repository() / "kernels_templates";
  const std::string page = text_of(root / "README.md");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const auto folder = entry.path().parent_path().filename();
    // Of types, and of what a kernel takes by the names in its text, the page tells as a whole.
    if (entry.path().extension() != ".cu" || folder == "convert" || folder == "prelude") continue;
    INFO(entry.path());
    CHECK(page.find(entry.path().filename().string() + '`') != std::string::npos);
  }
}

TEST_CASE("the library holds the kernel templates as they stand in the tree", "[architecture]") {
  const auto root = repository() / "kernels_templates";
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".cu") continue;
    files.emplace_back(entry.path().lexically_relative(root).generic_string(),
                       text_of(entry.path()));
  }
  std::ranges::sort(files);
  std::vector<std::pair<std::string, std::string>> embedded;
  for (const auto& [path, text] : emit::embedded_templates()) embedded.emplace_back(path, text);
  CHECK(embedded == files);
}

}  // namespace jute::test
