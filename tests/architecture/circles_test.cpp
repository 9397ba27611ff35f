// No two files need each other, and what files keep to themselves has names of its own.
#include <algorithm>
#include <regex>

#include "architecture/functions_of_files.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

using Needs = std::map<std::string, std::set<std::string>>;

std::vector<SourceFile> compiled_files(const std::string& folder) {
  std::vector<SourceFile> files = source_files(folder);
  std::erase_if(files, [](const SourceFile& file) { return !file.path.ends_with(".cpp"); });
  return files;
}

/// src/plan/choose/m_range.cpp -> src/plan
std::string folder_of(const SourceFile& file) {
  const auto first = file.path.find('/');
  return file.path.substr(0, file.path.find('/', first + 1));
}

/// Which files of a layer call functions that others of it define. A name that several define is
/// nobody's.
Needs needs_of(const std::vector<SourceFile>& files) {
  std::map<std::string, FunctionsOfFile> functions;
  std::map<std::string, std::set<std::string>> owners;
  for (const SourceFile& file : files) {
    const FunctionsOfFile& own = functions[file.path] = functions_of(file);
    for (const std::string& name : own.offered) owners[folder_of(file) + name].insert(file.path);
  }
  Needs needs;
  for (const SourceFile& file : files) {
    const FunctionsOfFile& own = functions.at(file.path);
    for (const std::string& name : own.called) {
      const auto owner = owners.find(folder_of(file) + name);
      if (owner == owners.end() || owner->second.size() > 1 || own.kept.contains(name) ||
          own.local.contains(name) || own.offered.contains(name))
        continue;
      needs[file.path].insert(*owner->second.begin());
    }
  }
  return needs;
}

/// `rows(const char*,int,)` -> `rows(text,number,)`: of two functions that differ in no more, a
/// call with a text in quotes finds the other file's.
std::string confusable_with(std::string entity) {
  static const std::regex kText("(const )?(char\\*|std::string_view|std::string)( const)?[ &]*,");
  static const std::regex kNumber("(const )?(int64_t|int|size_t|long|unsigned|uint32_t|double),");
  entity = std::regex_replace(entity, kText, "text,");
  return std::regex_replace(entity, kNumber, "number,");
}

SourceFile file_of(std::string path, std::vector<std::string> lines) {
  return {std::move(path), std::move(lines), {}};
}

}  // namespace

TEST_CASE("files that call each other's functions are found", "[architecture]") {
  const SourceFile rows = file_of(
      "src/plan/rows.cpp", {"namespace jute::plan {", "", "int rows(int n) { return columns(n); }",
                            "", "}  // namespace jute::plan"});
  SourceFile columns = file_of("src/plan/columns.cpp",
                               {"namespace jute::plan {", "", "int columns(int n) {",
                                "  return rows(n) + 1;", "}", "", "}  // namespace jute::plan"});
  CHECK(circles(needs_of({columns, rows})) ==
        std::vector<std::string>{
            "src/plan/columns.cpp -> src/plan/rows.cpp -> src/plan/columns.cpp"});
  columns.lines[3] = "  return tile.rows(n) + 1;";
  CHECK(circles(needs_of({columns, rows})) == kNothing);
}

TEST_CASE("no two files need each other", "[architecture]") {
  CHECK(circles(needs_of(compiled_files("src"))) == kNothing);
}

TEST_CASE("names in unnamed namespaces differ within a folder", "[architecture]") {
  // Unity builds compile a folder's files together, whichever of them; but those that include a
  // text without a guard.
  const auto is_alone = [](const SourceFile& file) {
    return std::ranges::any_of(
        file.includes, [](const Include& include) { return include.target.ends_with(".inc"); });
  };
  std::map<std::string, std::set<std::string>> places;
  for (const char* root : {"src", "tools", "tests"})
    for (const SourceFile& file : compiled_files(root))
      if (!is_alone(file))
        for (const std::string& name : functions_of(file).entities)
          places[folder_of(file) + ": " + confusable_with(name)].insert(file.path);
  std::vector<std::string> twice;
  for (const auto& [name, files] : places)
    if (files.size() > 1) twice.push_back(name);
  CHECK(twice == kNothing);
}

}  // namespace jute::test
