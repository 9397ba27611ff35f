// The part of a text that a message shows.
#include <jute/base/detail/excerpt.hpp>

#include "support/catch.hpp"

using namespace jute;

TEST_CASE("an excerpt keeps whole characters, and the caret counts them", "[base][text]") {
  CHECK(caret_lines(excerpt("(4,8):(8", 8)) == "(4,8):(8\n        ^");
  CHECK(caret_lines(excerpt("4:−1", 2)) == "4:−1\n  ^");
  CHECK(caret_lines(excerpt("−4:x", 5)) == "−4:x\n   ^");
  CHECK(excerpt("", 0).text.empty());
  CHECK(excerpt("abc", 9).caret == 3);
}

TEST_CASE("an excerpt shows nothing that a terminal obeys", "[base][text]") {
  CHECK(excerpt("a\x1b[31m\n\x7f", 0).text == "a?[31m??");
  CHECK(excerpt("\xff\xc3", 0).text == "??");
  CHECK(excerpt("\xe2\x88", 2).text == "??");
  CHECK(excerpt("\xc0\x80 \xf0\x9d\x94\x98", 0).text == "?? \xf0\x9d\x94\x98");
}

TEST_CASE("an excerpt of a long text is cut between characters", "[base][text]") {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "é";
  for (size_t column = 0; column <= text.size(); ++column) {
    const Excerpt shown = excerpt(text, column);
    INFO(column);
    CHECK(shown.text.find('?') == std::string::npos);
    CHECK(shown.caret <= 64);
  }
}
