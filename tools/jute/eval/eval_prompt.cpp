// `jute eval` on a terminal: a question a line, an answer below it.

#include <jute/base/settings.hpp>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "command/exit_status.hpp"
#include "eval/bounded_lines.hpp"
#include "eval/line_editor.hpp"

namespace jute::command {
namespace {

constexpr const char* kHelp =
    "An expression, or NAME = expression; # begins a comment. While a bracket is open it goes on "
    "in the next line.\n"
    "help NAME tells what a function takes, names lists what was named, quit or Ctrl-D ends.\n";

/// Kept beside the compiled kernels, and where these are not kept not at all.
std::string history_file(const Settings& settings) {
  if (settings.cache != "on" || settings.cache_dir.empty()) return {};
  std::error_code failed;
  std::filesystem::create_directories(settings.cache_dir, failed);
  return failed ? std::string() : settings.cache_dir + "/eval_history";
}

/// `help` and `help NAME`: the usage of every function whose name begins so.
void help(const std::string& name, const Session& session) {
  bool is_known = false;
  for (const FunctionSummary& function : functions()) {
    if (name.empty() || function.name != name) continue;
    is_known = true;
    session.out << function.usage << "\n    " << function.summary << '\n';
  }
  if (!is_known) session.out << kHelp;
}

void answer(const std::string& line, EvalSession& values, const Session& session) {
  try {
    check_length(line);
    const Statement done = values.run(line);
    if (done.value) session.out << to_string(*done.value) << '\n';
  } catch (const Exception& exception) {
    tell(session.out, exception.error());
  }
}

}  // namespace

std::vector<std::string> eval_completions(std::string_view start, const EvalSession& values,
                                          const Catalogue& catalogue) {
  std::vector<std::string> words;
  const auto offer = [&](std::string_view word) {
    if (word.starts_with(start) && std::ranges::find(words, word) == words.end())
      words.emplace_back(word);
  };
  for (const FunctionSummary& function : functions()) offer(function.name);
  for (const std::string& name : values.names()) offer(name);
  if (!start.empty())
    for (const AtomSummary& atom : catalogue.list()) offer(atom.name);
  return words;
}

int run_eval_prompt(const Session& session) {
  const Catalogue catalogue = session.catalogue();
  EvalSession values(catalogue);
  LineEditor editor(
      {.prompt = "jute> ",
       .history_file = history_file(session.settings()),
       .completer =
           [&](std::string_view start) { return eval_completions(start, values, catalogue); }},
      session.out);
  StatementLines lines;
  while (const std::optional<std::string> line = editor.next()) {
    // An empty line ends what will not be whole.
    if (lines.is_open()) {
      const auto statement = line->empty() ? lines.rest() : lines.with(*line);
      if (statement) answer(*statement, values, session);
      continue;
    }
    if (*line == "quit" || *line == "exit") break;
    if (*line == "help" || line->starts_with("help ")) {
      help(line->substr(std::min<size_t>(line->size(), 5)), session);
    } else if (*line == "names") {
      for (const std::string& name : values.names()) session.out << name << '\n';
    } else if (const auto statement = lines.with(*line)) {
      answer(*statement, values, session);
    }
  }
  session.out << '\n';
  return kDone;
}

}  // namespace jute::command
