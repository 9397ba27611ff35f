// Lines of a kernel's text that a screen holds.
#include <jute/emit/folded_lines.hpp>

#include <algorithm>
#include <sstream>

#include "support/catch.hpp"

using namespace jute;

namespace {

size_t longest(const std::string& text) {
  std::istringstream lines(text);
  size_t most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
  return most;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("code goes on in the next line, and stays the same code", "[emit][text]") {
  const std::string call =
      "  x = f(" + repeated("g(first_argument, second_argument), ", 12) + "1);";
  const std::string folded = folded_lines(call + "\nshort;\n");
  CHECK(longest(folded) <= 160);
  CHECK(without_blanks(folded) == without_blanks(call + "short;"));
  CHECK(folded.find(",\n      g(") != std::string::npos);  // between whole arguments
  CHECK(folded.ends_with("\nshort;\n"));
}

TEST_CASE("a string goes on as the string that follows it", "[emit][text]") {
  const std::string folded = folded_lines("  asm volatile(\"" + repeated("mma.sync %0, %1; ", 20) +
                                          "\" ::: \"memory\");\n");
  CHECK(longest(folded) <= 160);
  CHECK(folded.find(" \"\n      \"mma") != std::string::npos);
  std::string joined = without_blanks(folded);
  for (size_t at; (at = joined.find("\"\"")) != std::string::npos;) joined.erase(at, 2);
  CHECK(joined == without_blanks("asm volatile(\"" + repeated("mma.sync %0, %1; ", 20) +
                                 "\":::\"memory\");"));
}

TEST_CASE("a comment goes on between words, and stands ahead of the code that it was behind",
          "[emit][text]") {
  const std::string words = repeated("word ", 50);
  const std::string folded = folded_lines("int x = 1;  // " + words + "\n");
  CHECK(longest(folded) <= 160);
  CHECK(folded.starts_with("// word"));
  CHECK(folded.ends_with("\nint x = 1;\n"));
  CHECK(without_blanks(folded).find("//word") != std::string::npos);
}

TEST_CASE("lines that fit, and what cannot be cut, are left as they are", "[emit][text]") {
  const std::string fits(160, 'x'), name(200, 'y');
  CHECK(folded_lines(fits + "\n" + name) == fits + "\n" + name);
  CHECK(folded_lines("") == "");
}
