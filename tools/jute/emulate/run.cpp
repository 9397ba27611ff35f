// `jute run`: a program of the CUDA driver API on the emulator.
#include <jute/draw/picture.hpp>
#include <jute/emulator/finding_line.hpp>
#include <jute/launch/device_presets.hpp>

#include <cstdlib>
#include <memory>
#include <ostream>

#include "command/command_line.hpp"
#include "command/exit_status.hpp"
#include "emulate/outcome_text.hpp"
#include "files/files.hpp"
#include "options/backend_options.hpp"
#include "programs/beside.hpp"
#include "programs/child_program.hpp"
#include "tree/words.hpp"

namespace jute::command {
namespace {

struct RunOptions {
  std::string preset = "h200", report;
  std::vector<std::string> words;
  BackendOptions backend;
};

/// The options as the stand-in reads them.
std::string words_of(const RunOptions& options) {
  const BackendOptions& backend = options.backend;
  std::string words = "device=" + options.preset + " check=" + backend.check +
                      " schedule=" + backend.schedule +
                      " resident=" + std::to_string(backend.resident);
  if (backend.max_instructions)
    words += " max-instructions=" + std::to_string(*backend.max_instructions);
  if (backend.max_memory) words += " max-memory=" + std::to_string(*backend.max_memory);
  return words;
}

/// throws  what emulator_options throws, before any program is started
void check(const RunOptions& options) {
  (void)emulator_options(options.backend, device_preset(options.preset));
  if (options.words.empty())
    throw UsageError("PROGRAM", "it must be given behind --: jute run -- ./program arguments");
}

Variables variables_of(const RunOptions& options, const std::string& findings) {
  const char* const before = std::getenv("LD_LIBRARY_PATH");
  std::string folders = folder_beside("stand_in", "libcuda.so.1", "jute_stand_in");
  if (before != nullptr && *before != '\0') folders += std::string(":") + before;
  return {{"LD_LIBRARY_PATH", folders},
          {"JUTE_STAND_IN", words_of(options)},
          {"JUTE_STAND_IN_FINDINGS", findings}};
}

RunOutcome outcome_of(const std::string& findings) {
  RunOutcome outcome;
  for (const std::string& line : lines_of(findings))
    outcome.report.findings.push_back(parse_finding(line));
  return outcome;
}

int run_program(const RunOptions& options, const Session& session) {
  check(options);
  std::optional<OutputFile> report;
  if (!options.report.empty()) report.emplace(options.report);
  const TemporaryFile findings({});
  const int status = status_of_program(options.words, variables_of(options, findings.path()));
  const RunOutcome outcome = outcome_of(read_text(findings.path()));
  if (report) {
    report->write(indented(to_json(outcome)));
    report->commit();
  }
  const bool is_clean = outcome.report.findings.empty();
  if (!is_clean) session.err << findings_text(outcome, session.color() == Color::ansi);
  session.note(
      "jute: " + options.words.front() + " ended with status " + std::to_string(status) + " on " +
      options.preset + ", " +
      (is_clean ? "nothing found" : std::to_string(outcome.report.findings.size()) + " found"));
  return is_clean ? status : kAnswerIsNo;
}

}  // namespace

void add_run(Command& jute) {
  auto options = std::make_shared<RunOptions>();
  Command& sub = jute.add("run", "Run a program of the CUDA driver API on the emulator",
                          "jute run --device a100 -- ./program arguments");
  sub.option("program PROGRAM", &options->words, "The program and its arguments, behind --")
      .takes(Strays::word);
  sub.option("--device,--device-preset PRESET", &options->preset, "The chip to stand for")
      .with_default();
  sub.option("--report FILE.json", &options->report, "Write what was found");
  add_check_flags(sub, options->backend);
  sub.run = [options](const Session& session) { return run_program(*options, session); };
  sub.judge = [options](const Session&) { check(*options); };
}

}  // namespace jute::command
