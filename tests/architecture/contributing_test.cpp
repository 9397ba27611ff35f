// CONTRIBUTING.md speaks of files and tests that there are.
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

std::string page() {
  std::ifstream in(repository() / "CONTRIBUTING.md");
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What a pattern's first group matches on the page.
std::set<std::string> all(const char* pattern) {
  const std::string text = page();
  const std::regex kPattern(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), kPattern), end; at != end; ++at)
    found.insert((*at)[1]);
  return found;
}

std::set<std::string> names_of_tests() {
  std::set<std::string> names;
  for (const auto& file : source_files("tests")) {
    std::string text;
    for (const std::string& line : file.lines) text += line;
    static const std::regex kCase(R"re(TEST_CASE\(\s*"([^"]*)")re");
    for (std::sregex_iterator at(text.begin(), text.end(), kCase), end; at != end; ++at)
      names.insert((*at)[1]);
  }
  return names;
}

}  // namespace

TEST_CASE("the page for contributors names files that exist", "[architecture]") {
  const auto paths = all("`((?:src|include|tests|tools|docs|bench|kernels_templates)/[^`* ]*)`");
  CHECK(paths.size() > 50);
  for (const std::string& path : paths) {
    INFO(path);
    CHECK(std::filesystem::exists(repository() / path));
  }
}

TEST_CASE("each rule for contributors is enforced by a test that exists", "[architecture]") {
  const std::set<std::string> tests = names_of_tests();
  const auto quoted = all(R"re(\| "([^"]+)" \|)re");
  CHECK(quoted.size() >= 15);
  for (const std::string& name : quoted) {
    INFO(name);
    CHECK(tests.contains(name));
  }
}

}  // namespace jute::test
