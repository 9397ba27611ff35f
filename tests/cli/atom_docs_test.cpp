// The pages on atoms: their examples print what they say, and the generated
// part is up to date.
#include <jute/expr/eval.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "atom/atom_page.hpp"
#include "cli/command.hpp"
#include "files/files.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

const std::string kAtomDocs = JUTE_SOURCE_DIR "/docs/";

}  // namespace

TEST_CASE("the derivations of atoms evaluate to what their page says", "[cli][docs]") {
  std::ifstream page(kAtomDocs + "atom-derivations.md");
  int examples = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("    > ")) continue;
    std::string answer;
    REQUIRE(std::getline(page, answer));
    INFO(line);
    CHECK("    " + eval_line(line.substr(6)).text == answer);
    ++examples;
  }
  CHECK(examples > 40);
}

TEST_CASE("the commands on the pages about atoms run", "[cli][docs]") {
  const TemporaryFolder folder;
  for (const char* name : {"atoms.md", "atom-derivations.md"}) {
    std::ifstream page(kAtomDocs + name);
    for (std::string line; std::getline(page, line);) {
      if (!line.starts_with("    $ jute ") || line.find("…") != std::string::npos) continue;
      std::vector<std::string> arguments = command_words(line.substr(11));
      if (arguments[0] == "atom" && arguments[1] == "verify")
        arguments.insert(arguments.end(), {"--device", "emulator"});
      const ProcessResult result = run_jute(arguments, {.folder = folder.path().string()});
      INFO(line << "\n" << result.err);
      CHECK(result.status == 0);
      if (arguments.back().ends_with(".svg") && line.find(" -o ") != std::string::npos)
        CHECK(command::read_text(folder.file(arguments.back())) ==
              command::read_text(kAtomDocs + "images/atoms/" + arguments.back()));
    }
  }
}

TEST_CASE("the function on the page is what the command prints", "[cli][docs]") {
  const std::string page = command::read_text(kAtomDocs + "atoms.md");
  const std::string line = "    $ jute atom show SM80_16x8x8_F16F16F16F16_TN --source\n";
  const auto start = page.find(line);
  REQUIRE(start != std::string::npos);
  const std::string printed =
      run_jute({"atom", "show", "SM80_16x8x8_F16F16F16F16_TN", "--source"}).out;
  std::string quoted;
  std::istringstream lines(printed);
  for (std::string text; std::getline(lines, text);)
    quoted += text.empty() ? "\n" : "    " + text + "\n";
  CHECK(page.substr(start + line.size(), quoted.size()) == quoted);
}

TEST_CASE("the list of families in docs/atoms.md is what jute writes", "[cli][docs]") {
  const std::string page = command::read_text(kAtomDocs + "atoms.md");
  const auto mark = page.find(command::kPageMark);
  REQUIRE(mark != std::string::npos);
  CHECK(page.substr(mark + command::kPageMark.size()) ==
        "\n\n" + command::families_page(command::records_beside(kAtomDocs + "atoms.md")));
}

TEST_CASE("the pictures of docs/atoms.md are what jute draws", "[cli][docs]") {
  for (const auto& [name, svg] : command::page_pictures()) {
    INFO(name);
    CHECK(command::read_text(kAtomDocs + "images/atoms/" + name) == svg);
  }
}

TEST_CASE("a record of proofs that is wrong is refused by the key that is",
          "[cli][atom][refusal]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("emulator.json");
  const auto value_refused = [&](const std::string& text) {
    std::ofstream(path) << text;
    const Error error = refusal_of([&] { return command::read_record(path); });
    CHECK(error.code == ErrorCode::bad_file);
    CHECK(error.operand == path);
    return error.value;
  };
  CHECK(value_refused("[]") == "");
  CHECK(value_refused(R"({"all":[1,2,3,4],"families":{}})") == "where");
  CHECK(value_refused(R"({"where":"a","all":[1,2,3],"families":{}})") == "all");
  CHECK(value_refused(R"({"where":"a","all":[1,2,3,4],"families":{"F":["x"]}})") == "families.F");
}
