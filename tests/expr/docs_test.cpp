// Executes every example of docs/layout-algebra.md and looks into its pictures.
#include "support/catch.hpp"

#include <jute/expr/eval.hpp>

#include <fstream>
#include <iterator>
#include <regex>
#include <string>

using namespace jute;

namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(JUTE_SOURCE_DIR "/docs/" + file);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// As XML writes it.
std::string escaped(const std::string& text) {
  return std::regex_replace(std::regex_replace(text, std::regex("<"), "&lt;"), std::regex(">"),
                            "&gt;");
}

}  // namespace

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
    CHECK(eval_line(line.substr(mark.size())).text == answer.substr(4));
    ++examples;
  }
  CHECK(examples > 130);
}

TEST_CASE("the pictures of that page show the layouts that they are said to show", "[expr][docs]") {
  const std::string page = text_of("layout-algebra.md");
  const std::regex picture(R"(!\[([^\]]+)\]\((images/algebra/[a-z_]+\.svg)\))");
  int pictures = 0;
  for (std::sregex_iterator found(page.begin(), page.end(), picture), end; found != end; ++found) {
    const LineResult shown = eval_line((*found)[1].str());
    INFO((*found)[0].str() << " is " << shown.text);
    REQUIRE(shown.ok);
    CHECK(text_of((*found)[2]).find(">" + escaped(shown.text)) != std::string::npos);
    ++pictures;
  }
  CHECK(pictures > 25);
}

TEST_CASE("that page has an example of every function on layouts", "[expr][docs]") {
  const std::string page = text_of("layout-algebra.md");
  for (const FunctionSummary& function : functions()) {
    if (function.topic != FunctionTopic::layouts) continue;
    INFO(function.name);
    CHECK(
        std::regex_search(page, std::regex("\n    > .*\\b" + std::string(function.name) + "\\(")));
  }
}
