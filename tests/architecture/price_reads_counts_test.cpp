// Who prices a kernel reads counts: no tile, no problem, no plan. The model of warpgroups' tiles
// does not yet.
#include <regex>
#include <set>
#include <string>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {

TEST_CASE("the law reads Blocks and Grids, and no more files of cost read tiles and problems",
          "[architecture]") {
  static const std::regex kAsks(
      "#include "
      "[<\"](jute/)?plan/(values/(candidates|kernel_problem|plan|tile)|shapes/.*)[.]hpp[>\"]");
  // Becomes shorter alone.
  const std::set<std::string> allowed{"cost_model", "edge_rows",  "feed_cost", "memory_cost",
                                      "room",       "slice_cost", "tile_rates"};
  std::set<std::string> asking;
  for (const SourceFile& file : source_files("src/plan/cost"))
    for (const std::string& line : file.lines)
      if (std::regex_match(line, kAsks)) {
        const std::string name = file.path.substr(file.path.rfind('/') + 1);
        asking.insert(name.substr(0, name.find('.')));
      }
  CHECK(asking == allowed);
}

}  // namespace jute::test
