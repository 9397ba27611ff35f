// Executes every example of docs/layout-algebra.md.
#include "support/catch.hpp"

#include <jute/expr/eval.hpp>

#include <fstream>
#include <string>

TEST_CASE("the examples of the page on the layout algebra print what it says", "[expr][docs]") {
  std::ifstream page(JUTE_SOURCE_DIR "/docs/layout-algebra.md");
  REQUIRE(page);
  const std::string mark = "    > ";
  int examples = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with(mark)) continue;
    std::string answer;
    REQUIRE(std::getline(page, answer));
    REQUIRE(answer.starts_with("    "));
    INFO(line);
    CHECK(jute::eval_line(line.substr(mark.size())).text == answer.substr(4));
    ++examples;
  }
  CHECK(examples > 60);
}
