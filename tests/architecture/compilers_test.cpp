// Constructs that a compiler which jute supports cannot take, found in the text by any other one.
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

/// g++ 13.3 ends in a segmentation fault (decl_anon_ns_mem_p, asked for the name of a function
/// type) where a class outside all unnamed namespaces has a field that points to a function whose
/// parameters or result are of a type of an unnamed namespace, in a file that is compiled as part
/// of another, as every file of a unity build is. Such types belong inside the class.
std::vector<std::string> pointers_to_unnamed(const SourceFile& file) {
  static const std::regex kType(R"(^\s*(?:struct|class|union|enum class|enum) (\w+)\b.*)");
  static const std::regex kAlias(R"(^\s*using (\w+) =.*)");
  static const std::regex kField(R"(\(\*+\w*\)\()");
  std::set<std::string> unnamed;
  std::vector<std::string> found;
  bool inside = false;
  for (const std::string& line : file.lines) {
    if (line == "namespace {") inside = true;
    if (line == "}  // namespace") inside = false;
    std::smatch name;
    if (inside && (std::regex_match(line, name, kType) || std::regex_match(line, name, kAlias)))
      unnamed.insert(name[1]);
    if (inside || !std::regex_search(line, kField)) continue;
    for (const std::string& type : unnamed)
      if (std::regex_search(line, std::regex("\\b" + type + "\\b")))
        found.push_back(file.path + ": " + line);
  }
  return found;
}

/// clang 14 cannot take libstdc++'s std::ranges::subrange, nor what gives one, nor views.
std::vector<std::string> uses_subranges(const SourceFile& file) {
  static const std::regex kUse(
      R"(std::(ranges::(subrange|equal_range|search|search_n|find_end|unique|remove|remove_if|)"
      R"(partition|stable_partition|rotate)\b|views::))");
  std::vector<std::string> found;
  for (const std::string& line : file.lines)
    if (std::regex_search(line, kUse)) found.push_back(file.path + ": " + line);
  return found;
}

}  // namespace

TEST_CASE("no file uses ranges that clang 14 cannot take", "[architecture]") {
  for (const char* folder : {"src", "include", "tools", "examples"})
    for (const auto& file : source_files(folder))
      CHECK(uses_subranges(file) == std::vector<std::string>{});
  const SourceFile wrong{
      .path = "x.cpp", .lines = {"  return std::ranges::equal_range(a, b);"}, .includes = {}};
  CHECK(uses_subranges(wrong).size() == 1);
}

TEST_CASE("no pointer to a function of unnamed types stands in a class that has a name",
          "[architecture]") {
  for (const char* folder : {"src", "include", "tools", "tests", "examples"})
    for (const auto& file : source_files(folder))
      CHECK(pointers_to_unnamed(file) == std::vector<std::string>{});
}

TEST_CASE("a pointer to a function of unnamed types is found", "[architecture]") {
  const auto found = [](std::vector<std::string> lines) {
    return pointers_to_unnamed({.path = "x.cpp", .lines = std::move(lines), .includes = {}}).size();
  };
  const std::string field = "  int (*fields)(void* device, FieldValue* values) = nullptr;";
  CHECK(found({"namespace {", "struct FieldValue {", "};", "}  // namespace", "struct Outer::Api {",
               field}) == 1);
  CHECK(found({"namespace {", "struct FieldValue {", "};", "struct Api {", field, "};",
               "}  // namespace"}) == 0);
  CHECK(found({"struct FieldValue {", "};", "struct Outer::Api {", field}) == 0);
}

}  // namespace jute::test
