// What shells offer, and the manual: written from the tree, taken by the programs they are for.
#include "pages/completion.hpp"

#include <algorithm>
#include <fstream>

#include "cli/command.hpp"
#include "command/command_line.hpp"
#include "pages/manual.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::command;
using jute::test::ProcessResult;
using jute::test::run_process;

namespace {

bool has_program(const std::string& name) {
  return run_process({"/bin/sh", "-c", "command -v " + name}, {}).status == 0;
}

class Shells {
 public:
  Shells() {
    std::ofstream(folder_.file("jute.bash")) << completion_script("bash");
    std::ofstream(folder_.file("_jute")) << completion_script("zsh");
    std::ofstream(folder_.file("jute.fish")) << completion_script("fish");
  }

  /// What bash offers for the last word of a line, one a line.
  [[nodiscard]] std::vector<std::string> bash(const std::string& line) const {
    const std::string script = "jute() { '" JUTE_COMMAND "' \"$@\"; }; . ./jute.bash; line='" +
                               line +
                               "'; read -r -a COMP_WORDS <<<\"$line\"; "
                               "[[ $line == *' ' ]] && COMP_WORDS+=(''); "
                               "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _jute; "
                               "printf '%s\\n' \"${COMPREPLY[@]}\"";
    return lines_of({"/bin/bash", "-c", script});
  }

  [[nodiscard]] std::vector<std::string> fish(const std::string& line) const {
    return lines_of({"fish", "--no-config", "-c",
                     "function jute; '" JUTE_COMMAND
                     "' $argv; end; source jute.fish; complete -C '" +
                         line + "' | cut -f 1"});
  }

  [[nodiscard]] ProcessResult run(const std::vector<std::string>& words) const {
    return run_process(words, {.folder = folder_.path().string()});
  }

 private:
  [[nodiscard]] std::vector<std::string> lines_of(const std::vector<std::string>& words) const {
    const ProcessResult result = run(words);
    INFO(result.err);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    std::vector<std::string> lines;
    std::istringstream text(result.out);
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }

  test::TemporaryFolder folder_;
};

bool offers(const std::vector<std::string>& list, const std::string& word) {
  return std::ranges::count(list, word) == 1;
}

}  // namespace

TEST_CASE("bash completes commands, options, their values and the names of atoms",
          "[cli][completion]") {
  const Shells shells;
  CHECK(offers(shells.bash("jute "), "gemm"));
  CHECK(shells.bash("jute dr") == std::vector<std::string>{"draw"});
  CHECK(offers(shells.bash("jute atom "), "verify"));
  CHECK(offers(shells.bash("jute gemm --order-"), "--order-b"));
  CHECK_FALSE(offers(shells.bash("jute gemm --"), "--banks"));
  CHECK(shells.bash("jute gemm --m 64 --type b") == std::vector<std::string>{"bf16"});
  CHECK(shells.bash("jute --quiet gemm --device c") == std::vector<std::string>{"cuda"});
  CHECK(offers(shells.bash("jute atom show SM80_16x8x16_F32F16"), "SM80_16x8x16_F32F16F16F32_TN"));
  CHECK(offers(shells.bash("jute emulate jute.f"), "jute.fish"));
}

TEST_CASE("fish completes the same", "[cli][completion]") {
  if (!has_program("fish")) return test::skip("fish is not installed");
  const Shells shells;
  CHECK(offers(shells.fish("jute "), "gemm"));
  CHECK(offers(shells.fish("jute atom "), "verify"));
  CHECK(offers(shells.fish("jute gemm --order-"), "--order-b"));
  CHECK(shells.fish("jute gemm --m 64 --type b") == std::vector<std::string>{"bf16"});
  CHECK(offers(shells.fish("jute atom show SM80_16x8x16_F32F16"), "SM80_16x8x16_F32F16F16F32_TN"));
}

TEST_CASE("zsh takes its script", "[cli][completion]") {
  if (!has_program("zsh")) return test::skip("zsh is not installed");
  const Shells shells;
  const ProcessResult parsed = shells.run({"zsh", "-n", "_jute"});
  INFO(parsed.err);
  CHECK(parsed.status == 0);
  const ProcessResult loaded =
      shells.run({"zsh", "-f", "-c",
                  "autoload -Uz compinit; compinit -u -d ./dump; . ./_jute; print $_comps[jute]"});
  CHECK(loaded.out == "_jute\n");
  CHECK(loaded.err.empty());
}

TEST_CASE("every command and option is offered, and stands in the manual", "[cli][completion]") {
  CommonOptions common;
  const Command root = jute_command(common);
  const std::vector<NamedText> pages = man_pages(root, "1.2.3");
  const std::vector<PlacedCommand> commands = all_commands(root);
  REQUIRE(pages.size() == commands.size());
  for (size_t i = 0; i < pages.size(); ++i) {
    const PlacedCommand& at = commands[i];
    INFO(at.line);
    const std::string options = "\n" + offers_for(root, at.line + " -");
    const std::string words = "\n" + offers_for(root, at.line + " ");
    for (const Command& below : at.command.commands)
      CHECK(words.find("\n" + below.name + "\t" + below.description + "\n") != std::string::npos);
    CHECK(pages[i].second.find(".SH EXAMPLE") != std::string::npos);
    for (const Option* option : at.options)
      for (const std::string& name : option->names) {
        INFO(name);
        std::string dashed;
        for (const char c : name) dashed += c == '-' ? std::string("\\-") : std::string(1, c);
        CHECK(pages[i].second.find(dashed) != std::string::npos);
        const std::string offer = "\n" + name + "\t" + option->description + "\n";
        if (name.starts_with("-")) CHECK(options.find(offer) != std::string::npos);
      }
  }
}

TEST_CASE("groff finds no fault in the manual", "[cli][completion]") {
  if (!has_program("groff")) return;
  const test::TemporaryFolder folder;
  CommonOptions common;
  for (const auto& [name, text] : man_pages(jute_command(common), "1.2.3")) {
    std::ofstream(folder.file(name)) << text;
    const ProcessResult result = run_process({"groff", "-man", "-ww", "-Tutf8", "-Kutf8", name},
                                             {.folder = folder.path().string()});
    INFO(name << result.err);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK(result.out.size() > 500);
  }
}
