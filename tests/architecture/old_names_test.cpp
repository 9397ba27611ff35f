// Names that planning had are gone from every source.
#include <fstream>
#include <map>
#include <sstream>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

std::map<std::string, std::string> new_names() {
  std::ifstream in(repository() / "tests/golden/plans/words.txt");
  std::map<std::string, std::string> names;
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string old, now;
    if (line[0] != '#' && words >> old >> now) names[old] = now;
  }
  return names;
}

bool is_of_name(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The names of a line, one after the other.
std::vector<std::string> names_of(const std::string& line) {
  std::vector<std::string> names(1);
  for (const char c : line)
    if (is_of_name(c))
      names.back() += c;
    else if (!names.back().empty())
      names.emplace_back();
  return names;
}

}  // namespace

TEST_CASE("names that planning had are written nowhere", "[architecture][names]") {
  const std::map<std::string, std::string> names = new_names();
  REQUIRE(names.at("kTeams") == "kPingPong");
  REQUIRE(names.size() > 60);
  for (const char* folder : {"src", "include", "tools", "tests"})
    for (const SourceFile& file : source_files(folder))
      for (const std::string& line : file.lines)
        for (const std::string& name : names_of(line)) {
          if (!names.contains(name) || file.path == "tests/architecture/old_names_test.cpp" ||
              file.path == "src/plan/ask/text/old_words.cpp" ||
              file.path.find("old_words_test") != std::string::npos)
            continue;
          INFO(file.path << ": " << line);
          FAIL_CHECK(name << " is called " << names.at(name));
        }
}

}  // namespace jute::test
