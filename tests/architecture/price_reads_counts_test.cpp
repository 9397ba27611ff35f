// Who prices a kernel reads counts: no tile, no problem, no plan.
#include <regex>
#include <string>
#include <vector>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {

TEST_CASE("prices are made of Blocks and Grids: no file of cost reads tiles, problems or plans",
          "[architecture]") {
  static const std::regex kAsks(
      "#include "
      "[<\"](jute/)?plan/(values/(candidates|kernel_problem|plan|tile)|shapes/.*)[.]hpp[>\"]");
  std::vector<std::string> asking;
  for (const char* const folder : {"src/plan/cost", "include/jute/plan/cost"})
    for (const SourceFile& file : source_files(folder))
      for (const std::string& line : file.lines)
        if (std::regex_match(line, kAsks)) asking.push_back(file.path + ": " + line);
  CHECK(asking == std::vector<std::string>{});
}

}  // namespace jute::test
