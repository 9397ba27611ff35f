// `jute eval` as a program meets it.
#include <algorithm>

#include "cli/command.hpp"

using namespace jute::test;

TEST_CASE("an expression prints its value on one line", "[cli][eval]") {
  const ProcessResult result = run_jute({"eval", "composition((4,8):(8,1),(2,4):(4,1))"});
  CHECK(result.status == 0);
  CHECK(result.out.ends_with("\n"));
  CHECK(result.err.empty());
  CHECK(run_jute({"eval", "logical_divide(16:2,4:1)"}).out == "(4,4):(2,8)\n");
}

TEST_CASE("a wrong expression is pointed at", "[cli][eval][refusal]") {
  const ProcessResult result = run_jute({"eval", "size((4,8):(8,1)"});
  require_refusal(result, 2, "jute: syntax: ");
  CHECK(result.err.find('^') != std::string::npos);
  CHECK(run_jute({"eval", "sise(8:1)"}).err.find("size") != std::string::npos);
}

TEST_CASE("a batch prints one line for each line, and fails in the end if one failed",
          "[cli][eval]") {
  const ProcessResult result =
      run_jute({"eval", "--batch"}, {.text = "size(8:1)\nsize(\n\nrank((4,8))\r\n(2,2):(1,2)"});
  CHECK(result.status == 1);
  std::vector<std::string> lines(1);
  for (const char c : result.out) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  REQUIRE(lines.size() == 6);
  CHECK(lines[0] == "8");
  CHECK(lines[1].starts_with("error: syntax: "));
  CHECK(lines[2].starts_with("error: syntax: "));
  CHECK(lines[3] == "2");
  CHECK(lines[4] == "(2,2):(1,2)");
  CHECK(lines[5].empty());
  CHECK(run_jute({"eval", "--batch"}, {.text = "size(8:1)\n"}).status == 0);
  CHECK(run_jute({"eval", "--batch"}).status == 0);
}

TEST_CASE("a batch in JSON has one object a line", "[cli][eval]") {
  const ProcessResult result =
      run_jute({"eval", "--batch", "--json"}, {.text = "size(8:1)\nsize(\xff)\n"});
  CHECK(result.status == 1);
  CHECK(
      result.out.starts_with("{\"expression\":\"size(8:1)\",\"result\":\"8\"}\n{\"expression\":"));
  CHECK(result.out.find("\"error\":{\"code\":\"syntax\"") != std::string::npos);
}

TEST_CASE("a hundred thousand lines give a hundred thousand answers", "[cli][eval]") {
  std::string text;
  for (int i = 0; i < 100000; ++i)
    text += "composition((4,8):(8,1),(2," + std::to_string(1 << (i % 3)) + "):(4,1))\n";
  const ProcessResult result = run_jute({"eval", "--batch"}, {.text = text});
  CHECK(result.status == 0);
  CHECK(std::count(result.out.begin(), result.out.end(), '\n') == 100000);
}
