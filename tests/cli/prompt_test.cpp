// `jute eval` on a terminal.
#include "eval/bounded_lines.hpp"
#include "eval/line_editor.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/command.hpp"
#include "support/temporary_folder.hpp"
#include "support/terminal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

TerminalProgram prompt(const TemporaryFolder& folder, const std::string& cache = "on") {
  return TerminalProgram({JUTE_COMMAND, "eval"}, {.environment = {{"JUTE_CACHE_DIR", folder.path()},
                                                                  {"JUTE_CACHE", cache},
                                                                  {"HOME", folder.path()},
                                                                  {"TERM", "xterm"}}});
}

}  // namespace

TEST_CASE("functions come first, then names, then atoms, where something is typed",
          "[cli][eval][prompt]") {
  EvalSession values;
  values.run("compound = 8:1");
  const auto offered = [&](std::string_view start) {
    return command::eval_completions(start, values, Catalogue());
  };
  CHECK(offered("compo") == std::vector<std::string>{"composition", "compound"});
  CHECK(offered("logical_d") == std::vector<std::string>{"logical_divide"});
  CHECK(std::ranges::count(offered("SM80_16x8x16_F32F16F16F32"), "SM80_16x8x16_F32F16F16F32_TN") ==
        1);
  CHECK(std::ranges::count(offered(""), "SM80_16x8x16_F32F16F16F32_TN") == 0);
  CHECK(offered("nothing_like_it").empty());
  CHECK(command::common_start(offered("compo")) == "compo");
  CHECK(command::common_start({"zipped_divide", "zipped_product"}) == "zipped_");
  CHECK(command::common_start({}).empty());
}

TEST_CASE("a terminal is asked line by line, and a mistake is told", "[cli][eval][prompt]") {
  const TemporaryFolder folder;
  TerminalProgram jute = prompt(folder);
  REQUIRE(jute.shows("jute> "));
  jute.type("a = (4,8):(8,1)\n");
  REQUIRE(jute.shows("\n(4,8):(8,1)"));
  REQUIRE(jute.shows("jute> "));
  jute.type("sise(a)\n");
  REQUIRE(jute.shows("nearest legal: size"));
  REQUIRE(jute.shows("jute> "));
  jute.type("names\n");
  REQUIRE(jute.shows("\na"));
  REQUIRE(jute.shows("jute> "));
  jute.type("help size\n");
  REQUIRE(jute.shows("size(L)"));
  REQUIRE(jute.shows("jute> "));
  jute.type("quit\n");
  CHECK(jute.finish() == 0);
}

TEST_CASE("the prompt completes names, recalls lines and keeps them for next time",
          "[cli][eval][prompt]") {
  if (!command::edits_lines()) return;  // built without libedit: lines come as they are
  const TemporaryFolder folder;
  {
    TerminalProgram jute = prompt(folder);
    // Keys are typed when the prompt is there: before that they are the terminal's own.
    REQUIRE(jute.shows("jute> "));
    jute.type("logical_di\t(16:2,4:1)\n");
    REQUIRE(jute.shows("\n(4,4):(2,8)"));
    REQUIRE(jute.shows("jute> "));
    jute.type("zipped\t\t");
    REQUIRE(jute.shows("zipped_divide  zipped_product"));
    REQUIRE(jute.shows("jute> zipped_"));
    jute.type("\x03");
    REQUIRE(jute.shows("^C"));
    REQUIRE(jute.shows("jute> "));
    jute.type("\x1b[A\n");  // the key Up
    REQUIRE(jute.shows("\n(4,4):(2,8)"));
    REQUIRE(jute.shows("jute> "));
    jute.type("\x04");
    CHECK(jute.finish() == 0);
  }
  CHECK(std::filesystem::exists(folder.file("eval_history")));
  TerminalProgram again = prompt(folder);
  REQUIRE(again.shows("jute> "));
  again.type("\x1b[A\n");
  REQUIRE(again.shows("\n(4,4):(2,8)"));
  REQUIRE(again.shows("jute> "));
  again.type("quit\n");
  CHECK(again.finish() == 0);
}

TEST_CASE("an interrupt drops the line, at whatever moment it comes", "[cli][eval][prompt]") {
  if (!command::edits_lines()) return;
  const TemporaryFolder folder;
  TerminalProgram jute = prompt(folder);
  // As soon as the prompt is there: now and then before the read that a signal would end.
  for (int i = 0; i < 50; ++i) {
    REQUIRE(jute.shows("jute> "));
    jute.type("\x03");
    REQUIRE(jute.shows("^C"));
  }
  REQUIRE(jute.shows("jute> "));
  jute.type("quit\n");
  CHECK(jute.finish() == 0);
}

TEST_CASE("the prompt waits while a bracket is open", "[cli][eval][prompt]") {
  const TemporaryFolder folder;
  TerminalProgram jute = prompt(folder);
  for (const char* line : {"size((4,8)\n", ":(8,1)\n", ")\n"}) {
    REQUIRE(jute.shows("jute> "));
    jute.type(line);
  }
  REQUIRE(jute.shows("\n32"));
  // An empty line ends what will not be whole.
  REQUIRE(jute.shows("jute> "));
  jute.type("b = (4,\n");
  REQUIRE(jute.shows("jute> "));
  jute.type("\n");
  REQUIRE(jute.shows("a value must follow"));
  REQUIRE(jute.shows("jute> "));
  jute.type("quit\n");
  CHECK(jute.finish() == 0);
}

TEST_CASE("statements go over lines where they are not whole", "[cli][eval]") {
  command::StatementLines lines;
  CHECK(lines.with("8:1 # (") == "8:1 # (");
  CHECK_FALSE(lines.with("size((4,8)  # a comment").has_value());
  CHECK(lines.is_open());
  CHECK(lines.with(" :(8,1))") == "size((4,8)    :(8,1))");
  CHECK_FALSE(lines.is_open());
  CHECK_FALSE(lines.with("Sw<3,3,3> o 0 o").has_value());
  CHECK(lines.rest() == "Sw<3,3,3> o 0 o ");
  CHECK(lines.with("8:1") == "8:1");
}

TEST_CASE("without a cache no history is written", "[cli][eval][prompt]") {
  const TemporaryFolder folder;
  TerminalProgram jute = prompt(folder, "off");
  REQUIRE(jute.shows("jute> "));
  jute.type("8:1\nquit\n");
  CHECK(jute.finish() == 0);
  CHECK_FALSE(std::filesystem::exists(folder.file("eval_history")));
}
