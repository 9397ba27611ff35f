// docs/promises.md against the tests that hold its lines.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

std::string whole_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("each promise names a test that there is", "[architecture][docs]") {
  static const std::regex kRow(R"(\| `(\w+): ([^`|]+)` \|\n)");
  const std::string page = whole_text(repository() / "docs/promises.md");
  int rows = 0;
  for (std::sregex_iterator row(page.begin(), page.end(), kRow), end; row != end; ++row, ++rows) {
    const std::string folder = (*row)[1], name = (*row)[2];
    INFO(folder << ": " << name);
    bool is_there = false;
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(repository() / "tests" / folder))
      if (file.path().extension() == ".cpp" &&
          whole_text(file.path()).find("TEST_CASE(\"" + name + "\"") != std::string::npos)
        is_there = true;
    CHECK(is_there);
  }
  CHECK(rows >= 12);
}

}  // namespace jute::test
