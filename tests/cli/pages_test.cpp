// What the pages for users say is done: their commands run and print what they quote, their code
// stands in examples that tests build and run.
#include <jute/emulator/covered.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "cli/command.hpp"
#include "cli/typed_page.hpp"
#include "command/command_line.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;
namespace fs = std::filesystem;

namespace {

const std::string kPagesFolder = JUTE_SOURCE_DIR "/docs/";
const std::vector<std::string> kPages{"../README.md",
                                      "index.md",
                                      "concepts.md",
                                      "tutorial.md",
                                      "cpp-guide.md",
                                      "c-api.md",
                                      "epilogues.md",
                                      "how-to/batched.md",
                                      "how-to/own-atom.md",
                                      "how-to/unit-test.md",
                                      "how-to/cuda-graphs.md",
                                      "how-to/groups.md",
                                      "how-to/many-rows.md",
                                      "how-to/ready-before-the-first-request.md",
                                      "how-to/packed-operands.md",
                                      "how-to/f32-by-tensor-cores.md",
                                      "how-to/quantised-weights.md",
                                      "problem-text.md",
                                      "views.md",
                                      "contractions.md",
                                      "convolution.md",
                                      "tuning.md",
                                      "porting.md"};

PageCode code_of_page(const std::string& page) {
  return code_of(command::read_text(kPagesFolder + page));
}

/// Lines that other tests run: what is done there with which text.
struct RunElsewhere {
  const char* line;  ///< its beginning
  const char* file;  ///< of the repository
  const char* text;  ///< in it
};
constexpr RunElsewhere kRunElsewhere[] = {
    {"tools/demo", "tests/support/newcomer.sh", "tools/demo has built JUTE"},
    {"tools/test", ".ci/as_typed", "tools/test"},
    {"export PATH=$PWD/build/release/tools/jute:$PATH", "tests/cli/typed_page.cpp", "PATH="},
    {"cc -std=c99 main.c", "tests/support/newcomer.sh", "docs/c-api.md"},
    {"cmake -S . -B build/shared", "tests/support/packages.sh", "docs/c-api.md"},
    {"cmake --build build/shared", "tests/support/packages.sh", "docs/c-api.md"},
    {"cd build/shared && cpack", "tests/support/packages.sh", "docs/c-api.md"},
    {"bench/fit.py sweep.csv --lines", "tests/support/fit_sweep.py", "bench/fit.py"},
    {"cmake --install build/release --prefix WHERE", "tests/support/newcomer.sh",
     "cmake --install"},
};

void check_run_elsewhere(const std::string& line) {
  for (const RunElsewhere& row : kRunElsewhere)
    if (line.starts_with(row.line)) {
      CHECK(command::read_text(JUTE_SOURCE_DIR "/" + std::string(row.file)).find(row.text) !=
            std::string::npos);
      return;
    }
  FAIL_CHECK("nothing runs this line: " << line);
}

/// Does the line do what the page says? What is quoted of its output stands there in that order.
void check_typed(const TypedLine& typed, const std::string& folder) {
  constexpr int kLacksSomething = 3;
  const ProcessResult result = type_line(typed.line, folder);
  INFO(typed.line << "\n" << result.out << result.err);
  const bool is_doctor = typed.line.starts_with("jute doctor");
  CHECK((result.status == typed.status ||
         ((typed.needs_gpu || is_doctor) && result.status == kLacksSomething) ||
         (is_doctor && result.status == 1)));
  const std::string said = result.out + result.err;
  size_t from = 0;
  for (const std::string& line : typed.output) {
    INFO(line);
    const size_t at = said.find(line, from);
    CHECK(at != std::string::npos);
    if (at != std::string::npos) from = at + line.size();
  }
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

TEST_CASE("what the pages for users say to type does what they say", "[cli][docs][pages]") {
  int typed = 0;
  for (const std::string& page : kPages) {
    INFO(page);
    const TemporaryFolder folder;
    const PageCode code = code_of_page(page);
    for (const TypedLine& line : code.typed) check_typed(line, folder.path().string());
    for (const std::string& line : code.others) check_run_elsewhere(line);
    typed += static_cast<int>(code.typed.size());
  }
  CHECK(typed >= 45);
}

TEST_CASE("the code of the pages for users stands in examples that run", "[cli][docs][pages]") {
  const std::string all = examples();
  int blocks = 0;
  for (const std::string& page : kPages)
    for (const auto& [language, text] : code_of_page(page).blocks) {
      INFO(page << "\n" << language << "\n" << text);
      if (language == "epilogue") continue;  // run by the tests of its own page
      CHECK(all.find(text) != std::string::npos);
      ++blocks;
    }
  CHECK(blocks >= 9);
}

namespace {

/// `jute atom show NAME --source`: is there such a command, and has it such options?
void check_named_command(const std::string& line, const std::vector<command::PlacedCommand>& all) {
  INFO("jute " << line);
  std::string place = "jute";
  const command::PlacedCommand* named = nullptr;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const auto deeper = std::ranges::find(all, place + " " + word, &command::PlacedCommand::line);
    if (deeper != all.end() && (named == nullptr || !named->command.commands.empty())) {
      named = &*deeper;
      place = deeper->line;
    } else if (word.starts_with("-") && word != "--help") {
      const command::PlacedCommand& owner = named == nullptr ? all.front() : *named;
      const bool is_known = std::ranges::any_of(owner.options, [&](const command::Option* option) {
        return std::ranges::count(option->names, word.substr(0, word.find('='))) > 0;
      });
      INFO(word);
      CHECK(is_known);
    }
  }
  const bool is_of_all = line.starts_with("-") || line.starts_with("COMMAND");
  CHECK((named != nullptr || is_of_all));
}

}  // namespace

TEST_CASE("every command that a page names in its text exists, with the options named",
          "[cli][docs][pages]") {
  command::CommonOptions common;
  const command::Command root = command::jute_command(common);
  const std::vector<command::PlacedCommand> all = command::all_commands(root);
  std::vector<std::string> files{JUTE_SOURCE_DIR "/README.md", JUTE_SOURCE_DIR "/CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kPagesFolder))
    if (entry.path().extension() == ".md") files.push_back(entry.path().string());
  const std::regex code("`jute ([^`\n]+)`");
  int named = 0;
  for (const std::string& file : files) {
    const std::string text = command::read_text(file);
    INFO(file);
    for (std::sregex_iterator at(text.begin(), text.end(), code), end; at != end; ++at, ++named)
      check_named_command((*at)[1], all);
  }
  CHECK(named >= 80);
}

TEST_CASE("every page of the documentation is in the site, and its links lead somewhere",
          "[cli][docs][pages]") {
  const std::string site = command::read_text(kPagesFolder + "site/mkdocs.yml");
  const std::regex link(R"(\]\(([A-Za-z0-9_./-]+\.(md|svg|json|cu))(#[^)]*)?\))");
  int pages = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kPagesFolder)) {
    if (entry.path().extension() != ".md") continue;
    const std::string name = entry.path().lexically_relative(kPagesFolder).generic_string();
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

TEST_CASE("what the glossary says that a plan shows, plans show", "[cli][docs][pages]") {
  std::string plans;
  for (const auto& entry : fs::directory_iterator(JUTE_SOURCE_DIR "/tests/golden/plans"))
    plans += command::read_text(entry.path().string());
  std::istringstream page(command::read_text(kPagesFolder + "glossary.md"));
  const std::regex code("`([^`]+)`");
  int fields = 0, words = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| *")) continue;
    ++words;
    const std::string where = line.substr(line.rfind('|', line.size() - 2));
    INFO(line);
    CHECK((where.find("](") != std::string::npos || where.find('`') != std::string::npos));
    for (std::sregex_iterator at(where.begin(), where.end(), code), end; at != end; ++at) {
      const std::string field = (*at)[1];
      if (field.starts_with("jute ")) continue;
      CHECK(std::regex_search(plans, std::regex("(^|\n) *" + field + " ")));
      ++fields;
    }
  }
  CHECK(words >= 35);
  CHECK(fields >= 20);
}

TEST_CASE("the reference of PTX names every instruction that the emulator decodes",
          "[cli][docs][pages]") {
  const std::string page = command::read_text(kPagesFolder + "reference/ptx.md");
  int names = 0;
  for (const CoveredOpcode& opcode : covered_opcodes()) {
    INFO(opcode.head);
    CHECK(std::regex_search(page, std::regex("`" + opcode.head + "[`.]")));
    ++names;
  }
  CHECK(names > 60);
}

TEST_CASE("the page of C says how many functions its header has", "[cli][pages]") {
  const std::string header = command::read_text(JUTE_SOURCE_DIR "/include/jute/jute.h");
  const std::regex declaration(R"(\n(?:int32_t|const char\*|size_t|void) jute_\w+\()");
  const auto count = std::distance(std::sregex_iterator(header.begin(), header.end(), declaration),
                                   std::sregex_iterator());
  CHECK(command::read_text(kPagesFolder + "c-api.md").find(std::to_string(count) + " functions") !=
        std::string::npos);
  CHECK(count > 50);
}
