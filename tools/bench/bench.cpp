// Races jute with NVIDIA's libraries, contestants taking turns.
#include "bench/bench.hpp"

#include <algorithm>
#include <fstream>
#include <ostream>

#include "bench/peers/peers.hpp"
#include "bench/results/report.hpp"
#include "command/command_line.hpp"
#include "command/details.hpp"
#include "command/exit_status.hpp"
#include "command/progress.hpp"
#include "files/files.hpp"
#include "race/bench_words.hpp"

namespace jute::command {
namespace {

/// 8-bit floats whose sums both sides leave to the tensor cores, under a name of their own.
void accumulate_fast(std::vector<bench::Case>& cases) {
  for (bench::Case& each : cases) {
    const DType type = each.problem.a.type;
    if (width_bits(type) != 8 || is_integer(type)) continue;
    each.accumulates_fast = true;
    each.id += "_fast";
  }
}

std::vector<bench::Case> cases_of(const BenchOptions& options) {
  if (options.host) return {};
  std::vector<bench::Case> cases = chosen_cases(options.cases, options.problem);
  if (options.fast_accumulation) accumulate_fast(cases);
  for (const bench::Case& each : cases)
    if (each.problem.d.rows && each.problem.d.rows->store == RowStore::add)
      throw UsageError("--rows-d",
                       "it must be without add: launches that take turns would add to one D");
  return cases;
}

std::vector<bench::Attempt> attempts_of(const BenchOptions& options) {
  const Config config = config_of(options.problem);
  std::vector<bench::Attempt> attempts{{"planned", config}};
  if (const std::optional<MRange> range = m_range_of(options.problem))
    attempts.push_back({"m_range=" + to_string(*range), config, range});
  if (options.problem.batch_invariant) {
    if (!options.cases.file.empty())
      throw UsageError("--batch-invariant", "it must be left out: --cases has many problems");
    const Problem problem = problem_of(options.problem);
    const DeviceInfo chip = chip_of(options.problem, settings_from_environment());
    attempts.push_back({"batch-invariant", config_for(options.problem, problem, chip, {})});
  }
  for (const std::string& text : options.tries) attempts.push_back({text, parse_config(text)});
  for (bench::Attempt& attempt : attempts)
    if (options.fast_accumulation && !attempt.config.promote) attempt.config.promote = 0;
  return attempts;
}

bench::Job job_of(const BenchOptions& options, const Session& session) {
  const Settings settings = session.settings();
  bench::Job job;
  job.cases = cases_of(options);
  job.attempts = attempts_of(options);
  job.race.regime = {.rounds = options.rounds, .rest_ms = options.rest_ms};
  // The board's power wanders: twice as many turns tell as little apart as cool ones do.
  job.race.sustained_regime.rounds = 2 * options.rounds;
  job.race.sustained = options.sustained;
  job.race.cold = options.cold;
  for (const std::string& mode : options.modes) job.race.only.push_back(*bench::find_mode(mode));
  const bench::CublasPlaces places{.library = options.cublas,
                                   .cuda_home = settings.cuda_home,
                                   .virtual_env = settings.virtual_env};
  if (!options.no_peers) job.find_peers = [places] { return bench::find_peers(places); };
  if (options.host) job.instead = bench::print_host_costs;
  job.json = session.common.json;
  const std::optional<DeviceInfo> chip = chip_in_place(options.problem, settings);
  if (chip) session.note("kernels are planned for " + chip->name + ", not for the GPU");
  job.context_options = [&session, settings, chip] {
    return ContextOptions{.settings = settings,
                          .catalogue = session.catalogue(),
                          .templates = session.templates(settings),
                          .chip = chip};
  };
  return job;
}

/// Where results go, all of it opened before the race begins.
class RaceReport {
 public:
  RaceReport(const BenchOptions& options, const Session& session)
      : session_(session), csv_path_(options.csv) {
    require_distinct(
        {{"--csv", options.csv}, {"--svg", options.svg}, {"--roofline", options.roofline}});
    if (!options.svg.empty()) svg_.emplace(options.svg);
    if (!options.roofline.empty()) roofline_.emplace(options.roofline);
    if (!csv_path_.empty()) open_csv();
  }

  void machine(const bench::Machine& machine) {
    const bool is_new = machine_ != machine;  // a second worker says it again
    machine_ = machine;
    if (is_new && !session_.common.json) session_.out << bench::table_header(machine) << std::flush;
  }

  void done(const bench::CaseReport& report) {
    reports_.push_back(report);
    if (!session_.common.json) session_.out << bench::to_table(report) << std::flush;
    for (const bench::Result& result : report.results)
      if (csv_.is_open()) csv_ << bench::to_csv(result) << '\n';
    csv_.flush();
  }

  void finish(const std::vector<bench::Case>& cases) {
    if (csv_.is_open() && !csv_) refuse_csv("it must take all that is written");
    std::vector<bench::Result> results;
    for (const bench::CaseReport& report : reports_)
      results.insert(results.end(), report.results.begin(), report.results.end());
    std::vector<DType> types;
    for (const bench::Case& each : cases) types.push_back(each.problem.a.type);
    if (svg_) write(*svg_, bench::ratio_chart(machine_, results));
    if (roofline_) write(*roofline_, bench::roofline_chart(machine_, results, types));
    if (session_.common.json) session_.print(bench::to_json(machine_, reports_));
  }

  [[nodiscard]] size_t cases() const { return reports_.size(); }
  [[nodiscard]] bool all_right() const {
    return std::ranges::all_of(reports_, [](const bench::CaseReport& report) {
      return std::ranges::all_of(report.results, bench::is_right);
    });
  }

 private:
  void open_csv() {
    const bool is_new = !std::ifstream(csv_path_).good();
    csv_.open(csv_path_, std::ios::app);
    if (!csv_) refuse_csv("the file must be writable");
    if (is_new) csv_ << bench::csv_header() << '\n';
  }

  [[noreturn]] void refuse_csv(const std::string& rule) const {
    refuse(ErrorCode::unwritable, csv_path_, "", rule);
  }

  static void write(OutputFile& file, const std::string& text) {
    file.write(text);
    file.commit();
  }

  const Session& session_;
  std::string csv_path_;
  std::ofstream csv_;
  std::optional<OutputFile> svg_, roofline_;
  bench::Machine machine_;
  std::vector<bench::CaseReport> reports_;
};

int run_bench(const BenchOptions& options, const Session& session) {
  if (is_of_ranks(options))
    return run_mesh_bench({options.problem, options.mesh, options.backend, options.rounds},
                          session);
  const bench::Job job = job_of(options, session);
  tell_settings(session);
  RaceReport report(options, session);
  const bench::Supervised outcome = [&] {
    ProgressLine line(session, {.what = "racing " + std::to_string(job.cases.size()) + " cases"});
    const bench::Audience audience{
        .machine = [&](const bench::Machine& machine) { report.machine(machine); },
        .done =
            [&](const bench::CaseReport& one) {
              line.wipe();
              report.done(one);
            },
        .print =
            [&](const std::string& text) {
              line.wipe();
              session.out << text << std::endl;
            },
        .progress = [&](Index done, Index all) { line.at(done, all); }};
    return bench::supervise(job, options.stall_seconds, audience);
  }();
  if (outcome.status != kDone) return outcome.status;
  report.finish(job.cases);
  if (outcome.is_interrupted) {
    session.err << "jute: interrupted: " << report.cases() << " of " << job.cases.size()
                << " cases were raced\n";
    return kAnswerIsNo;
  }
  if (outcome.lost > 0) return kLaunchFailed;
  return report.all_right() ? kDone : kAnswerIsNo;
}

}  // namespace

void add_race(Command& jute) {
  add_bench_words(jute, [](const BenchOptions& options, const Session& session) {
    return run_bench(options, session);
  });
}

}  // namespace jute::command
