// The page of the command tells what the command is.
#include "cli/command.hpp"
#include "command_line.hpp"
#include "files.hpp"

#include <sstream>

using namespace jute;
using namespace jute::test;

namespace {

const std::string kPage = JUTE_SOURCE_DIR "/docs/command.md";

void check_listed(const command::Command& parent, const std::string& line,
                  const std::string& page) {
  for (const command::Command& below : parent.commands) {
    const std::string name = line + " " + below.name;
    INFO(name);
    CHECK(page.find("| `" + name + "` | " + below.description + " |\n") != std::string::npos);
    check_listed(below, name, page);
  }
}

}  // namespace

TEST_CASE("the page lists every command as help does", "[cli][docs]") {
  command::CommonOptions common;
  check_listed(command::jute_command(common), "jute", command::read_text(kPage));
}

TEST_CASE("the page lists every variable that is read", "[cli][docs]") {
  const std::string page = command::read_text(kPage);
  const std::string reader = command::read_text(JUTE_SOURCE_DIR "/src/base/settings.cpp");
  int variables = 0;
  for (size_t at = 0; (at = reader.find("\"JUTE_", at)) != std::string::npos; ++at, ++variables) {
    const std::string name = reader.substr(at + 1, reader.find('"', at + 1) - at - 1);
    INFO(name);
    CHECK(page.find("| `" + name + "` |") != std::string::npos);
  }
  CHECK(variables >= 8);
}

TEST_CASE("the commands on the page run as it says", "[cli][docs]") {
  std::istringstream page(command::read_text(kPage));
  int lines = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("    $ jute ")) continue;
    std::string next;
    std::getline(page, next);
    const ProcessResult result =
        run_jute(command_words(line.substr(11)), {.folder = JUTE_SOURCE_DIR});
    INFO(line << "\n" << result.err);
    const bool is_refused = next.starts_with("    jute: ");
    CHECK(result.status == (is_refused ? 2 : 0));
    if (is_refused) {
      CHECK(result.err.starts_with(next.substr(4, next.find(", …") - 4)));
      std::getline(page, next);
      CHECK(result.err.ends_with(next.substr(4) + "\n"));
    } else if (next.starts_with("    $ jute ")) {
      // Lines that follow each other are all run.
      page.seekg(-static_cast<std::streamoff>(next.size()) - 1, std::ios::cur);
    }
    ++lines;
  }
  CHECK(lines >= 6);
}
