// The reference of the documentation, as Markdown.

#include <jute/plan/ask/problem_tensors.hpp>

#include <utility>

#include "options/said_flags.hpp"
#include "pages/facts.hpp"
#include "pages/manual.hpp"

namespace jute::command {
namespace {

constexpr std::string_view kWritten = "<!-- Written by tools/docs from the tree of commands. -->\n";

constexpr std::string_view kTableOfWords =
    "<!-- Written by tools/docs from the table of words. -->\n\n";

constexpr std::string_view kCudaPlaces = R"(
## Where CUDA is looked for

NVRTC, 12.8 or newer, is the first of these; `jute doctor` says which it is, and where it looked:

1. `JUTE_NVRTC`, a file or the folder that holds it; where it is set, nothing else counts
2. the toolkit of `CUDA_HOME`, else of `CUDA_PATH`
3. `/usr/local/cuda`, then `/usr/local/cuda-*`, newest first, then `/opt/cuda`
4. the wheel `nvidia-cuda-nvrtc` in a `.venv` of a folder above the program: `tools/setup` makes one in a clone
5. the same in `VIRTUAL_ENV`
6. what the dynamic loader finds: `LD_LIBRARY_PATH`, the system's folders
7. the `.venv` of the clone that jute was built in, so that what is installed finds what `tools/setup` put there;
   not where another user could have written it

Headers that kernels include (`cuda_fp16.h`, `cooperative_groups.h`, `mma.h`, `cuda/std`, `cub`) are taken from beside
NVRTC, else from the first of 2 to 5 and 7 that has them: in a toolkit `include` and `include/cccl`, in a Python
environment the wheels `nvidia-cuda-runtime`, `nvidia-cuda-crt` and `nvidia-cuda-cccl`. `jute emulate --nvrtc=-IFOLDER` adds
others. `nvdisasm`, else `cuobjdump`, is looked for in 2, in `/usr/local/cuda/bin`, in `PATH`, and then in the same order.

A package that is built on one machine for others is configured with `-DJUTE_ENVIRONMENT=`, which leaves 7 out, or names a
Python environment of its own there.
)";

/// Inside a cell of a table.
std::string table_cell(const std::string& text) {
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
    text += "| `" + table_cell(heading_of(*option)) + "` | " + table_cell(option->description) +
            (limits.empty() ? "" : " (" + table_cell(limits) + ")") + " |\n";
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

std::string words_page() {
  std::string text =
      "# Words\n\n<!-- Written by tools/docs from the tables of words. -->\n\n"
      "What is computed and how is said with these, `NAME=VALUE` in a [text](../problem-text.md), "
      "by "
      "the flag at the\ncommand, and by the keyword in Python's `Problem` and `plan`; choices are "
      "words of `config` in texts and in Python.\n";
  std::string_view heading;
  for (const auto& [word, told] : told_words()) {
    if (std::exchange(heading, told) != told)
      text += "\n## " + std::string(told) +
              "\n\n| word | flag | Python | since | meaning |\n|---|---|---|---|---|\n";
    const auto code = [](std::string_view name) {
      return name.empty() ? std::string() : "`" + std::string(name) + "`";
    };
    const bool is_of_problem = word->group < WordGroup::choices;
    text += "| " + code(word->name) + " | " + code(word->flag) + " | " +
            code(is_of_problem ? word->keyword : "") + " | " + std::string(word->since) + " | " +
            table_cell(std::string(word->about)) + " |\n";
  }
  return text;
}

std::string with_words(std::string page) {
  const auto mark = page.find(kTableOfWords);
  if (mark == page.npos)
    refuse(ErrorCode::bad_file, "problem-text.md", "",
           "the page must have the line " + std::string(kTableOfWords));
  const auto begin = mark + kTableOfWords.size();
  std::string table = "| word | means | left out |\n|---|---|---|\n";
  for (const Keyword& word : words_of_problems()) {
    if (word.left_out.empty()) continue;
    const std::string about(word.about.substr(0, word.about.find(" (default")));
    table += "| `" + std::string(word.name) + "` | " + table_cell(about) + " | " +
             std::string(word.left_out) + " |\n";
  }
  return page.replace(begin, page.find("\n\n", begin) + 1 - begin, table);
}

std::string plan_schema(std::string text) {
  std::string behind;
  for (const TensorRole role : kAllTensors) {
    if (!is_matrix(role) || is_input(role) || is_output(role)) continue;
    const std::string entry = "        \"" + std::string(name(role)) +
                              "\": {\n          \"$ref\": \"#/$defs/operand\"\n        }";
    if (text.find(entry) == text.npos)
      text.insert(text.find(behind) + behind.size(), ",\n" + entry);
    behind = entry;
  }
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
         "\n`JUTE_NVRTC`, `JUTE_NCCL`, `CUDA_HOME`, `CUDA_PATH` and `VIRTUAL_ENV` name shared "
         "libraries that jute loads and runs:\nset them only to what you trust.\n" +
         std::string(kCudaPlaces);
}

}  // namespace jute::command
