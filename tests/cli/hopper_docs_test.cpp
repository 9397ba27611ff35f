// docs/hopper-kernel.md quotes plan, kernel, layouts and pictures as jute makes them today.
#include <jute/expr/eval.hpp>

#include <sstream>

#include "cli/command.hpp"
#include "cli/quoted_page.hpp"
#include "files/files.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

const std::string kDocs = JUTE_SOURCE_DIR "/docs/";
const std::string kPictures = kDocs + "images/hopper/";
const std::string kKernel = JUTE_SOURCE_DIR "/tests/golden/kernels/bf16_h200_cluster.cu";

QuotedPage page() { return QuotedPage("hopper-kernel.md"); }

/// The line of the page that plans its kernel, or the same problem under another command.
std::string lesson_command(const std::string& name = "plan") {
  for (const std::string& command : page().commands())
    if (command.starts_with("plan ")) return name + command.substr(4);
  FAIL("the page plans nothing");
  return {};
}

/// Is it the line, or its beginning with an ellipsis behind?
bool quotes(const std::string& quote, const std::string& line) {
  const std::string cut = "…";
  return quote == line ||
         (quote.ends_with(cut) && line.starts_with(quote.substr(0, quote.size() - cut.size())));
}

/// Pictures that a command below them draws: the command without its `-o FILE`, and FILE.
std::vector<std::pair<std::string, std::string>> drawn_by_commands() {
  std::vector<std::pair<std::string, std::string>> list;
  std::string text = page().text();
  for (char& c : text)
    if (c == '\n') c = ' ';
  const std::string start = "`jute draw ";
  for (size_t at = 0; (at = text.find(start, at)) != std::string::npos;) {
    const size_t end = text.find('`', at + 1);
    const std::string command = text.substr(at + 6, end - at - 6);
    const size_t file = command.find(" -o ");
    REQUIRE(file != std::string::npos);
    list.emplace_back(command.substr(0, file), command.substr(file + 4));
    at = end;
  }
  return list;
}

}  // namespace

TEST_CASE("the lesson's commands run", "[cli][docs]") {
  const std::vector<std::string> commands = page().commands();
  CHECK(commands.size() >= 2);
  for (const std::string& command : commands) output_of(command);
}

TEST_CASE("the lesson quotes the plan", "[cli][docs]") {
  const std::vector<std::string> plan = lines_of(output_of(lesson_command()));
  int quoted = 0;
  for (const std::vector<std::string>& block : page().blocks("plan"))
    for (const std::string& quote : block) {
      INFO(quote);
      CHECK(std::ranges::any_of(plan, [&](const auto& line) { return quotes(quote, line); }));
      ++quoted;
    }
  CHECK(quoted > 30);
}

TEST_CASE("the lesson quotes the kernel, whose text was reviewed", "[cli][docs][golden]") {
  const std::string golden = command::read_text(kKernel);
  CHECK(output_of(lesson_command("source")) == golden);
  const std::vector<std::string> kernel = lines_of(golden);
  int quoted = 0;
  for (const std::vector<std::string>& block : page().blocks("cuda")) {
    INFO(block.front());
    CHECK(std::search(kernel.begin(), kernel.end(), block.begin(), block.end()) != kernel.end());
    ++quoted;
  }
  CHECK(quoted > 10);
}

TEST_CASE("the lesson's layouts and descriptors are what they are said to be", "[cli][docs]") {
  std::istringstream text(page().text());
  int examples = 0;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("    > ")) continue;
    std::string answer;
    REQUIRE(std::getline(text, answer));
    INFO(line);
    CHECK("    " + eval_line(line.substr(6)).text == answer);
    ++examples;
  }
  CHECK(examples >= 4);
}

TEST_CASE("the lesson's pictures of layouts are what jute draws", "[cli][docs]") {
  const TemporaryFolder folder;
  const auto pictures = drawn_by_commands();
  CHECK(pictures.size() == 4);
  for (const auto& [command, file] : pictures) {
    output_of(command + " -o " + file, folder.path().string());
    CHECK(command::read_text(folder.file(file)) == command::read_text(kPictures + file));
  }
}

TEST_CASE("the lesson's other pictures are drawn from the plan", "[cli][docs]") {
  if (run_process({"python3", "--version"}).status != 0) return skip("python3 is not installed");
  const TemporaryFolder folder;
  const ProcessResult drawn =
      run_process({"python3", kPictures + "draw.py", folder.path().string()},
                  {.text = output_of(lesson_command())});
  INFO(drawn.err);
  REQUIRE(drawn.status == 0);
  for (const char* file : {"memory.svg", "pipeline.svg", "cluster.svg", "subtiles.svg"})
    CHECK(command::read_text(folder.file(file)) == command::read_text(kPictures + file));
}
