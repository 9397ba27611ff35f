// Every option of every line of the command is used or refused.
#include "support/catch.hpp"
#include "support/given_options.hpp"

using namespace jute::test;

TEST_CASE("every option of every line changes what it does, or is refused", "[soak][cli]") {
  OptionLines lines;
  for (const std::string_view line : kOptionLines) CHECK(lines.idle(line) == "");
}
