// The page of the command tells what the command is.
#include "cli/command.hpp"
#include "command/command_line.hpp"
#include "files/files.hpp"
#include "pages/manual.hpp"

#include <regex>
#include <sstream>

using namespace jute;
using namespace jute::test;

namespace {

const std::string kPage = JUTE_SOURCE_DIR "/docs/command.md";
const std::string kReference = JUTE_SOURCE_DIR "/docs/reference/";

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

TEST_CASE("the reference is what tools/docs writes", "[cli][docs]") {
  command::CommonOptions common;
  const command::Command root = command::jute_command(common);
  CHECK(command::read_text(kReference + "commands.md") == command::commands_page(root));
  CHECK(command::read_text(kReference + "environment.md") == command::environment_page());
  CHECK(command::read_text(kReference + "words.md") == command::words_page());
  const std::string texts = command::read_text(kReference + "../problem-text.md");
  CHECK(texts == command::with_words(texts));
  const std::string schema = command::read_text(JUTE_SOURCE_DIR "/docs/schemas/plan.schema.json");
  CHECK(schema == command::plan_schema(schema));
}

TEST_CASE("the reference lists every variable that is read", "[cli][docs]") {
  const std::string page = command::environment_page();
  int variables = 0;
  for (const char* file : {"/src/base/settings.cpp", "/tools/jute/command/command_line.cpp"}) {
    const std::string reader = command::read_text(std::string(JUTE_SOURCE_DIR) + file);
    const std::regex variable("(variable\\(|getenv\\(|\\{|kLayers = )\"([A-Z_]+)\"");
    for (std::sregex_iterator at(reader.begin(), reader.end(), variable), end; at != end; ++at) {
      const std::string name = (*at)[2];
      INFO(name);
      CHECK((name == "HOME" || page.find(name) != std::string::npos));
      ++variables;
    }
  }
  CHECK(variables >= 12);
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
      const std::string refusal = next.substr(4) + "\n";
      std::getline(page, next);
      CHECK(result.err == refusal + next.substr(4) + "\n");
    } else if (next.starts_with("    $ jute ")) {
      // Lines that follow each other are all run.
      page.seekg(-static_cast<std::streamoff>(next.size()) - 1, std::ios::cur);
    }
    ++lines;
  }
  CHECK(lines >= 6);
}
