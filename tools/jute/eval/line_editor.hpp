#pragma once
// Lines typed on a terminal: with libedit they can be edited, recalled and completed.
#include <jute/expr/session.hpp>

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/command_line.hpp"
#include "eval/bounded_lines.hpp"

namespace jute::command {

/// Was libedit found when this was built? Without it lines are read as they come.
[[nodiscard]] bool edits_lines();

/// The words that may stand for what is typed so far, a name without its end.
using Completer = std::function<std::vector<std::string>(std::string_view start)>;

/// The beginning that the words have in common.
[[nodiscard]] std::string common_start(const std::vector<std::string>& words);

class LineEditor {
 public:
  struct Options {
    std::string prompt;
    std::string history_file = {};  ///< lines of earlier conversations; empty: they are not kept
    Completer completer = {};
  };
  /// Where standard input is no terminal, the prompt goes to `out` and lines are read plainly.
  LineEditor(Options options, std::ostream& out);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// The next line without its end; nothing at the end of input. Ctrl-C gives an empty line.
  [[nodiscard]] std::optional<std::string> next();

 private:
  class Terminal;
  Options options_;
  std::ostream& out_;
  std::unique_ptr<Terminal> terminal_;
  BoundedLines lines_;
};

/// Words that may stand where `start` was typed: functions, the talk's names, atoms, in that
/// order. Atoms only where something was typed: there are hundreds.
[[nodiscard]] std::vector<std::string> eval_completions(std::string_view start,
                                                        const EvalSession& values,
                                                        const Catalogue& catalogue);

/// Lines are read and answered until the input ends; a mistake is told, and the next line read.
int run_eval_prompt(const Session& session);

}  // namespace jute::command
