// `jute epilogue`: what an epilogue's expression means, and its CUDA.
#include <memory>
#include <ostream>

#include "command/command_line.hpp"
#include "command/exit_status.hpp"
#include "eval/epilogue_report.hpp"

namespace jute::command {
namespace {

struct EpilogueReading {
  std::string expression, accumulate = "f32", accuracy = "full";
};

int run_epilogue(const EpilogueReading& options, const Session& session) {
  EpilogueReport report{.expression = parse_epilogue(options.expression),
                        .accumulate = parse_dtype(options.accumulate)};
  if (options.accuracy == "half" || report.expression.math == EpilogueMath::fast)
    report.accuracy = EpilogueAccuracy::half;
  session.out << (session.common.json ? one_line(to_json(report)) + "\n"
                                      : to_text(report, session.templates(session.settings())));
  return kDone;
}

}  // namespace

void add_epilogue(Command& jute) {
  auto options = std::make_shared<EpilogueReading>();
  Command& sub = jute.add("epilogue", "Say what an epilogue's expression means, and its CUDA",
                          "jute epilogue 'y := silu(acc); d = y; a = amax(y)'");
  sub.option("expression", &options->expression,
             "What becomes of a sum of products; docs/epilogues.md has the language")
      .required();
  sub.option("--acc", &options->accumulate, "Type of the accumulator")
      .one_of({"f32", "f64", "f16", "s32"})
      .with_default();
  sub.option("--accuracy", &options->accuracy,
             "Of functions: full, or half for results that 16 bits or fewer hold")
      .one_of({"full", "half"})
      .with_default();
  sub.reads = {"--templates"};
  sub.run = [options](const Session& session) { return run_epilogue(*options, session); };
  sub.judge = judged_by(sub.run);
}

}  // namespace jute::command
