// Ways of presenting operands and the search over them: who asks whom, and where refusals are
// caught.
#include <regex>
#include <string>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

bool stands_in(const SourceFile& file, const std::string& folder) {
  return file.path.starts_with("src/plan/" + folder + "/");
}

}  // namespace

TEST_CASE("a way of presenting operands asks for no candidates and derives none",
          "[architecture]") {
  static const std::regex kAsks(
      "plan/(choose/(?!ways/).*|derive/(gemm_step|[a-z_]*_family)|shapes/(?!warp_tiles).*)[.]hpp");
  static const std::regex kLoops("kFamilies|kFamilyOffers");
  for (const SourceFile& file : source_files("src/plan/choose/ways")) {
    INFO(file.path);
    for (const Include& include : file.includes)
      CHECK_FALSE(std::regex_match(include.target, kAsks));
    for (const std::string& line : file.lines) CHECK_FALSE(std::regex_search(line, kLoops));
  }
}

TEST_CASE("the search alone asks for candidates, and refusals are values until the end",
          "[architecture]") {
  static const std::regex kAsks("[^_.>a-z]candidates[(][a-z]");
  static const std::regex kCatches("catch [(]");
  int caught = 0;
  for (const SourceFile& file : source_files("src/plan")) {
    INFO(file.path);
    const bool may_ask = file.path.ends_with("/candidates.cpp") ||
                         file.path.ends_with("/candidates.hpp") ||
                         file.path.ends_with("choose/search.cpp");
    // They say of which problem, or in which place of a text, and throw again; check lists it.
    const bool may_catch = file.path.ends_with("/parts.cpp") || file.path.ends_with("/cover.cpp") ||
                           file.path.ends_with("/make_plan.cpp") || stands_in(file, "ask");
    for (const std::string& line : file.lines) {
      if (!may_ask) CHECK_FALSE(std::regex_search(line, kAsks));
      if (!std::regex_search(line, kCatches)) continue;
      ++caught;
      CHECK(may_catch);
    }
  }
  CHECK(caught <= 12);
}

}  // namespace jute::test
