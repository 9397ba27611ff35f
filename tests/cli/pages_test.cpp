// What the pages for users say is done: their commands run and print what they quote, their code
// stands in examples that tests build and run.
#include <jute/emulator/covered.hpp>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "cli/command.hpp"
#include "files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;
namespace fs = std::filesystem;

namespace {

const std::string kDocs = JUTE_SOURCE_DIR "/docs/";
const std::vector<std::string> kPages{"index.md",
                                      "concepts.md",
                                      "tutorial.md",
                                      "cpp-guide.md",
                                      "epilogues.md",
                                      "how-to/batched.md",
                                      "how-to/own-atom.md",
                                      "how-to/unit-test.md",
                                      "how-to/cuda-graphs.md",
                                      "how-to/many-rows.md",
                                      "how-to/packed-operands.md",
                                      "how-to/f32-by-tensor-cores.md",
                                      "tuning.md"};

/// `    $ jute …` and the indented lines below it.
struct Shown {
  std::string command;
  std::vector<std::string> output;
  int status = 0;
};

std::vector<Shown> commands_of(const std::string& page) {
  std::vector<Shown> list;
  std::istringstream text(command::read_text(kDocs + page));
  bool is_inside = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("    $ jute ")) {
      list.push_back({line.substr(11), {}, 0});
      is_inside = true;
    } else if (!line.starts_with("    ")) {
      is_inside = false;
    } else if (is_inside && line.starts_with("    (exit status ")) {
      list.back().status = std::stoi(line.substr(17));
    } else if (is_inside) {
      list.back().output.push_back(line.substr(4));
    }
  }
  return list;
}

/// The text of every file below examples/.
std::string examples() {
  std::string all;
  for (const auto& entry : fs::recursive_directory_iterator(JUTE_SOURCE_DIR "/examples"))
    if (entry.path().extension() != ".npy" && entry.is_regular_file())
      all += command::read_text(entry.path().string());
  return all;
}

}  // namespace

TEST_CASE("the commands of the pages for users run and print what is quoted",
          "[cli][docs][pages]") {
  int commands = 0;
  for (const std::string& page : kPages) {
    const TemporaryFolder folder;
    fs::create_directory_symlink(JUTE_SOURCE_DIR "/examples", folder.file("examples"));
    for (const Shown& shown : commands_of(page)) {
      const ProcessResult result =
          run_jute(command_words(shown.command), {.folder = folder.path().string()});
      INFO(page << ": jute " << shown.command << "\n" << result.out << result.err);
      CHECK((result.status == shown.status || shown.command == "doctor"));
      for (const std::string& line : shown.output) {
        INFO(line);
        CHECK((result.out + result.err).find(line) != std::string::npos);
      }
      ++commands;
    }
  }
  CHECK(commands >= 30);
}

TEST_CASE("the code of the pages for users stands in examples that run", "[cli][docs][pages]") {
  const std::string all = examples();
  int blocks = 0;
  for (const std::string& page : kPages) {
    const std::string text = command::read_text(kDocs + page);
    const std::regex fence("```(cpp|cuda|json)\n([^`]*)```");
    for (std::sregex_iterator block(text.begin(), text.end(), fence), end; block != end; ++block) {
      INFO(page << "\n" << (*block)[2]);
      CHECK(all.find((*block)[2].str()) != std::string::npos);
      ++blocks;
    }
  }
  CHECK(blocks >= 7);
}

TEST_CASE("every page of the documentation is in the site, and its links lead somewhere",
          "[cli][docs][pages]") {
  const std::string site = command::read_text(kDocs + "site/mkdocs.yml");
  const std::regex link(R"(\]\(([A-Za-z0-9_./-]+\.(md|svg|json|cu))(#[^)]*)?\))");
  int pages = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kDocs)) {
    if (entry.path().extension() != ".md") continue;
    const std::string name = entry.path().lexically_relative(kDocs).generic_string();
    INFO(name);
    CHECK(site.find(": " + name + "\n") != std::string::npos);
    const std::string text = command::read_text(entry.path().string());
    for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found) {
      const std::string target = (*found)[1];
      INFO(target);
      CHECK(fs::exists(entry.path().parent_path() / target));
    }
    ++pages;
  }
  CHECK(pages >= 18);
}

TEST_CASE("the reference of PTX names every instruction that the emulator decodes",
          "[cli][docs][pages]") {
  const std::string page = command::read_text(kDocs + "reference/ptx.md");
  int names = 0;
  for (const CoveredOpcode& opcode : covered_opcodes()) {
    INFO(opcode.head);
    CHECK(std::regex_search(page, std::regex("`" + opcode.head + "[`.]")));
    ++names;
  }
  CHECK(names > 60);
}
