// `jute eval`: expressions of layouts and atoms: one, a batch, a file or a conversation of them.
#include <jute/base/retold.hpp>
#include <jute/base/utf8.hpp>
#include <jute/expr/session.hpp>

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "command/command_line.hpp"
#include "command/exit_status.hpp"
#include "eval/bounded_lines.hpp"
#include "eval/line_editor.hpp"
#include "files/files.hpp"
#include "files/json_writer.hpp"

namespace jute::command {
namespace {

struct EvalOptions {
  std::optional<std::string> expression;
  std::string file;
  bool batch = false, functions = false, prompt = false;
};

/// A line that is too long is told by how it begins.
std::string shown(const std::string& statement) {
  constexpr size_t kShownBytes = 160;
  if (statement.size() <= kMostLineBytes) return statement;
  size_t end = 0;
  while (end < kShownBytes)
    end += std::max<size_t>(character_bytes(std::string_view(statement).substr(end)), 1);
  return statement.substr(0, end) + "...";
}

/// One object; the status says whether there was a result.
LineResult json_line(const std::string& statement, EvalSession& values) {
  Json json{{"expression", shown(statement)}};
  try {
    check_length(statement);
    const Statement done = values.run(statement);
    if (!done.name.empty()) json.add("name", done.name);
    json.add("result", done.value ? Json(to_string(*done.value)) : Json());
    return {true, json.text()};
  } catch (const Exception& exception) {
    json.add("error", to_json(exception.error()));
    return {false, json.text()};
  }
}

LineResult text_line(const std::string& statement, EvalSession& values) {
  try {
    check_length(statement);
    const Statement done = values.run(statement);
    return {true, done.value ? to_string(*done.value) : std::string()};
  } catch (const Exception& exception) {
    // Not what(), which ends at a NUL of the line.
    const Error& error = exception.error();
    std::string text = "error: " + std::string(code_name(error.code)) + ": " + to_string(error);
    for (char& c : text) c = c == '\n' || c == '\r' ? ' ' : c == '\0' ? '?' : c;
    return {false, std::move(text)};
  }
}

/// Exactly one line out for each line in, an empty one for a blank line or a comment. Reading more
/// input flushes what was written, so that a program can talk through a pipe; within a block of
/// input nothing is flushed.
int run_batch(const Session& session) {
  EvalSession values(session.catalogue());
  std::cin.tie(&session.out);
  bool all_ok = true;
  BoundedLines lines;
  while (const std::optional<std::string> line = lines.next()) {
    const LineResult result =
        session.common.json ? json_line(*line, values) : text_line(*line, values);
    all_ok = all_ok && result.ok;
    session.out << result.text << '\n';
  }
  return all_ok ? kDone : kAnswerIsNo;
}

/// One statement, which begins on that line.
///   throws  its refusal, with the line
void run_statement(const std::string& text, int line, EvalSession& values, const Session& session) {
  const Statement done = retold([&] { return values.run(text); },
                                [&](Error& error) {
                                  if (error.position) error.position->line = line;
                                });
  for (const std::string& remark : done.remarks) session.detail(remark);
  if (!done.value || (!done.name.empty() && !session.common.json)) return;
  Json json{{"expression", text}};
  if (!done.name.empty()) json.add("name", done.name);
  json.add("result", to_string(*done.value));
  session.print(json, to_string(*done.value) + "\n");
}

/// The statements of a text, each on a line of its own, or on several while a bracket is open. What
/// only names a value prints nothing.
///   throws  the first refusal
int run_statements(const std::string& text, const Session& session) {
  EvalSession values(session.catalogue());
  StatementLines lines;
  int number = 0, first = 1;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    ++number;
    if (!lines.is_open()) first = number;
    auto statement = lines.with(line);
    if (!statement && at >= text.size()) statement = lines.rest();
    if (statement) run_statement(*statement, first, values, session);
  }
  return kDone;
}

void list_functions(const Session& session) {
  for (const FunctionSummary& one : functions())
    session.print({{"name", one.name}, {"usage", one.usage}, {"summary", one.summary}},
                  std::string(one.usage) + "\n    " + std::string(one.summary) + "\n");
}

int run_one(const std::string& expression, const Session& session) {
  EvalSession values(session.catalogue());
  if (session.common.json) {
    const LineResult result = json_line(expression, values);
    session.out << result.text << '\n';
    if (result.ok) return kDone;
  }
  const Statement done = values.run(expression);
  for (const std::string& remark : done.remarks) session.detail(remark);
  session.out << (done.value ? to_string(*done.value) : std::string()) << '\n';
  return kDone;
}

[[noreturn]] void refuse_nothing() {
  throw UsageError("expression", "it must be given, or --file, --batch or --prompt");
}

int run_eval(const EvalOptions& options, const Session& session) {
  if (options.functions) {
    list_functions(session);
    return kDone;
  }
  if (options.batch) return run_batch(session);
  if (!options.file.empty()) return run_statements(read_text(options.file), session);
  if (options.expression) {
    const bool has_lines = options.expression->find('\n') != std::string::npos;
    return has_lines ? run_statements(*options.expression, session)
                     : run_one(*options.expression, session);
  }
  if (options.prompt || isatty(STDIN_FILENO) != 0) return run_eval_prompt(session);
  refuse_nothing();
}

}  // namespace

void add_eval(Command& jute) {
  auto options = std::make_shared<EvalOptions>();
  Command& sub = jute.add("eval", "Evaluate layout algebra",
                          "jute eval 'composition((4,8):(8,1),(2,4):(4,1))'");
  sub.option("expression", &options->expression,
             "What to evaluate; NAME = … names a value for the next lines");
  sub.option("--file FILE", &options->file,
             "Run a file: statements, one a line; # begins a comment")
      .without({"expression", "--batch", "--functions"});
  sub.option("--prompt", &options->prompt, "Answer line by line; so it is on a terminal")
      .without({"expression", "--batch", "--functions", "--file"});
  sub.option("--batch", &options->batch, "Read one expression a line, print one line each")
      .without({"expression", "--functions"});
  sub.option("--functions", &options->functions, "List the functions").without({"expression"});
  sub.reads = {"--atoms", "--verbose"};
  sub.run = [options](const Session& session) { return run_eval(*options, session); };
  sub.judge = [options, judge = judged_by(sub.run)](const Session& session) {
    if (options->expression) judge(session);
    const bool has_lines = options->functions || options->batch || options->prompt;
    if (!options->expression && !has_lines && options->file.empty()) refuse_nothing();
  };
}

}  // namespace jute::command
