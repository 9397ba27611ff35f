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

}  // namespace

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
