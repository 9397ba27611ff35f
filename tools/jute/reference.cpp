// The reference of the documentation, as Markdown.
#include <jute/base/nearest_name.hpp>

#include "facts.hpp"
#include "manual.hpp"

namespace jute::command {
namespace {

constexpr std::string_view kWritten = "<!-- Written by tools/docs from the tree of commands. -->\n";

/// Inside a cell of a table.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string table(const std::vector<const Option*>& options) {
  std::string text = "| option | meaning |\n|---|---|\n";
  for (const Option* option : options) {
    const std::string limits = limits_of(*option);
    text += "| `" + cell(heading_of(*option)) + "` | " + cell(option->description) +
            (limits.empty() ? "" : " (" + cell(limits) + ")") + " |\n";
  }
  return text + "\n";
}

std::string section(const PlacedCommand& at) {
  std::string text = "## " + at.line + "\n\n" + at.command.description + ".\n\n";
  text += "    " + synopsis_of(at) + "\n\nFor example:\n\n    " + at.command.example + "\n\n";
  std::vector<const Option*> own;
  for (const Option& option : at.command.options) own.push_back(&option);
  for (const auto& [heading, options] : grouped(own)) {
    if (options.empty()) continue;
    if (!heading.empty()) text += "**" + heading + "**\n\n";
    text += table(options);
  }
  return text;
}

}  // namespace

std::string commands_page(const Command& root) {
  std::string text = "# Commands\n\n" + std::string(kWritten) +
                     "\nThe options of `jute` itself, under *Common*, may stand behind every "
                     "command.\n`jute COMMAND --help` and `man jute-COMMAND` say the same.\n\n";
  for (const PlacedCommand& at : all_commands(root)) text += section(at);
  text.pop_back();
  return text;
}

std::string environment_page() {
  std::string text = "# Environment and exit statuses\n\n" + std::string(kWritten) +
                     "\n## Exit statuses\n\n| status | meaning |\n|---|---|\n";
  for (const StatusFact& fact : status_facts())
    text += "| " + std::to_string(fact.status) + " | " + std::string(fact.meaning) + " |\n";
  text +=
      "\nA refusal is told on standard error in one line that begins with `jute: `, with `--json` "
      "as an object.\n\n## Environment\n\n| variable | meaning |\n|---|---|\n";
  for (const VariableFact& fact : variable_facts())
    text += "| `" + std::string(fact.name) + "` | " + std::string(fact.meaning) + " |\n";
  return text +
         "\n`JUTE_NVRTC`, `CUDA_HOME`, `CUDA_PATH` and `VIRTUAL_ENV` name shared libraries that "
         "jute loads and runs:\nset them only to what you trust.\n";
}

}  // namespace jute::command
