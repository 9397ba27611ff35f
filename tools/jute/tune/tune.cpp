// `jute tune`: measures the model's best candidates and keeps the winners for `prepare`.
#include <jute/base/settings.hpp>
#include <jute/jit/device_file.hpp>
#include <jute/plan/cost/chip_tables.hpp>

#include <memory>
#include <ostream>

#include "command/command_line.hpp"
#include "command/details.hpp"
#include "command/exit_status.hpp"
#include "options/build_options.hpp"
#include "race/results/chosen_cases.hpp"
#include "race/worker.hpp"
#include "tune/chip_loops.hpp"
#include "tune/chip_report.hpp"
#include "tune/tuning.hpp"

namespace jute::command {
namespace {

constexpr double kFarBehindFirst = 1.5, kShortGraphMs = 2;

struct TuneOptions {
  ProblemOptions problem;
  CaseOptions cases;
  std::string sweep, launches;
  bool chip = false;
  int candidates = 10, rounds = 9, rest_ms = 20, stall_seconds = 60;
};

Config wishes_of(const TuneOptions& options) {
  Config config;
  if (!options.launches.empty()) choose(config, "launches", options.launches);
  return config;
}

bench::Job job_of(const TuneOptions& options, const Session& session) {
  const Settings settings = session.settings();
  if (!options.problem.preset.empty())
    throw UsageError("--device-preset",
                     "it must be left out: what is measured is kept for the GPU that there is");
  bench::Job job;
  job.cases = chosen_cases(options.cases, options.problem);
  // Who wins is all that counts: losers need no second turn, and 2 ms of launches tell the rest.
  job.race.regime = {
      .rounds = options.rounds, .rest_ms = options.rest_ms, .far_behind = kFarBehindFirst};
  job.race.graph_ms = kShortGraphMs;
  job.race.small_us = 0;  // one way of timing decides
  job.race.without_overlap = false;
  job.json = session.common.json;
  job.command = "jute tune";
  const Config wishes = wishes_of(options);
  job.race.cold = wishes.launches == Launches::alone;
  job.attempts_for = [wishes, most = options.candidates](const bench::Case& each,
                                                         const Context& context) {
    std::vector<bench::Attempt> attempts;
    for (const RankedChoice& choice :
         ranked_choices(each.problem, context.device_info(), wishes, context.catalogue(), most))
      attempts.push_back({tuning::to_string(choice), choice.config});
    return attempts;
  };
  job.context_options = [&session, settings] {
    return ContextOptions{.settings = settings,
                          .catalogue = session.catalogue(),
                          .templates = session.templates(settings)};
  };
  return job;
}

/// Keeps what was measured, beside coefficients that the file has; one that may not be read begins
/// anew.
std::string keep_chip(const DeviceInfo& device, const std::vector<OwnFigure>& measured,
                      const Settings& settings) {
  const DeviceFile file(settings, kChipFolder, device);
  file.update([&](const KeptText& kept) {
    ChipTables tables;
    try {
      if (kept.text) tables = parse_chip_tables(*kept.text, device);
    } catch (const Exception&) {
      tables = {};
    }
    tables.figures = measured;
    return to_string(tables, device);
  });
  return file.path();
}

/// `jute tune --chip`.
int measure_chip(const Session& session) {
  const Settings settings = session.settings();
  Context context({.settings = settings,
                   .catalogue = session.catalogue(),
                   .templates = session.templates(settings)});
  Backend& backend = context.backend();
  tuning::ChipReport report{.device = context.device_info()};
  if (backend.name() == "emulator") {
    report.why = "the emulator takes no time of a chip's";
  } else {
    tell_settings(session);
    report.measured = tuning::figures_by_times(context, settings);
    for (OwnFigure& one : tuning::figures_by_loops(backend, settings, context.catalogue()))
      report.measured.push_back(std::move(one));
    report.file = keep_chip(report.device, report.measured, settings);
    report.device.own_figures = report.measured;
  }
  return session.print(to_json(report), to_text(report));
}

int run_tune(const TuneOptions& options, const Session& session) {
  if (options.chip) return measure_chip(session);
  if (session.settings().device == "emulator")
    command::refuse(
        ErrorCode::no_gpu, "jute tune", "emulator",
        "a race needs a GPU and its driver: what the emulator takes says nothing of a chip",
        "cuda");
  const bench::Job job = job_of(options, session);
  tell_settings(session);
  tuning::Tuning tuning(job.cases, session, options.sweep);
  const bench::Supervised outcome = bench::supervise(job, options.stall_seconds, tuning.audience());
  if (outcome.status != kDone) return outcome.status;
  tuning.finish();
  return outcome.lost > 0 ? kLaunchFailed : kDone;
}

}  // namespace

void add_tune(Command& jute) {
  auto options = std::make_shared<TuneOptions>();
  Command& sub =
      jute.add("tune", "Measure the best candidates of a problem on the GPU, and keep the fastest",
               "jute tune --m 4096 --n 4096 --k 4096 --type bf16 --order-b col");
  add_case_flags(sub, options->cases);
  sub.option("--chip", &options->chip,
             "Measure the chip instead: a row of figures, kept and used like a built-in one");
  sub.option("--candidates", &options->candidates, "How many of the model's best race")
      .between(1, 100)
      .with_default();
  sub.option("--sweep FILE.csv", &options->sweep,
             "Write what the model expects of each beside what was measured, to fit it by");
  sub.option(
      "--launches WORD", &options->launches,
      "What runs on the stream beside them: behind_others, or alone on an idle chip, timed cold");
  sub.option("--rounds", &options->rounds, "Timed turns of each candidate")
      .between(1, 1000)
      .with_default();
  sub.option("--rest-ms", &options->rest_ms, "Rest before each turn")
      .between(0, 10000)
      .with_default();
  sub.option("--stall", &options->stall_seconds,
             "Give a case up when its process is silent for so many seconds")
      .between(1, 3600)
      .with_default();
  add_problem_flags(sub, options->problem);
  sub.reads = {"--atoms", "--templates", "--verbose"};
  sub.run = [options](const Session& session) { return run_tune(*options, session); };
  sub.judge = [options](const Session& session) {
    (void)wishes_of(*options);
    if (options->cases.file.empty() && !options->chip) (void)planned(options->problem, session);
  };
}

}  // namespace jute::command
