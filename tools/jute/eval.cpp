// `jute eval`: expressions of layouts and atoms, one or a batch of them.
#include <jute/expr/eval.hpp>

#include <iostream>
#include <memory>

#include "command_line.hpp"
#include "exit_status.hpp"
#include "json_writer.hpp"

namespace jute::command {
namespace {

struct EvalOptions {
  std::optional<std::string> expression;
  bool batch = false, functions = false;
};

/// One object; the status says whether there was a result.
LineResult json_line(const std::string& expression, const Catalogue& catalogue) {
  Json json{{"expression", expression}};
  bool ok = true;
  try {
    json.add("result", to_string(eval(expression, catalogue)));
  } catch (const Exception& exception) {
    json.add("error", to_json(exception.error()));
    ok = false;
  }
  return {ok, one_line(json)};
}

/// Exactly one line out for each line in. Reading more input flushes what was written, so that a
/// program can talk through a pipe; within a block of input nothing is flushed.
int run_batch(const Session& session) {
  const Catalogue catalogue = session.catalogue();
  std::cin.tie(&session.out);
  bool all_ok = true;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const LineResult result =
        session.common.json ? json_line(line, catalogue) : eval_line(line, catalogue);
    all_ok = all_ok && result.ok;
    session.out << result.text << '\n';
  }
  return all_ok ? kDone : kAnswerIsNo;
}

void list_functions(const Session& session) {
  for (const FunctionSummary& function : functions()) {
    if (session.common.json) {
      session.out << one_line({{"name", function.name},
                               {"usage", function.usage},
                               {"summary", function.summary}})
                  << '\n';
    } else {
      session.out << function.usage << "\n    " << function.summary << '\n';
    }
  }
}

int run_eval(const EvalOptions& options, const Session& session) {
  if (options.functions) {
    list_functions(session);
    return kDone;
  }
  if (options.batch) return run_batch(session);
  if (!options.expression) throw UsageError("an expression, or --batch is required");
  const Catalogue catalogue = session.catalogue();
  if (session.common.json) {
    const LineResult result = json_line(*options.expression, catalogue);
    session.out << result.text << '\n';
    if (result.ok) return kDone;
  }
  session.out << to_string(eval(*options.expression, catalogue)) << '\n';
  return kDone;
}

}  // namespace

void add_eval(Command& jute) {
  auto options = std::make_shared<EvalOptions>();
  Command& sub = jute.add("eval", "Evaluate layout algebra",
                          "jute eval 'composition((4,8):(8,1),(2,4):(4,1))'");
  sub.option("expression", &options->expression, "What to evaluate");
  sub.option("--batch", &options->batch, "Read one expression a line, print one line each")
      .without({"expression", "--functions"});
  sub.option("--functions", &options->functions, "List the functions").without({"expression"});
  sub.run = [options](const Session& session) { return run_eval(*options, session); };
}

}  // namespace jute::command
