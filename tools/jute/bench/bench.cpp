// `jute bench`: races jute with NVIDIA's libraries, contestants taking turns.
#include <algorithm>
#include <fstream>
#include <memory>
#include <ostream>

#include "bench/results/chosen_cases.hpp"
#include "bench/results/results.hpp"
#include "bench/worker.hpp"
#include "command/command_line.hpp"
#include "command/details.hpp"
#include "command/exit_status.hpp"
#include "command/progress.hpp"
#include "files/files.hpp"
#include "mesh/mesh_run.hpp"
#include "options/build_options.hpp"
#include "options/problem_options.hpp"

namespace jute::command {
namespace {

struct BenchOptions {
  ProblemOptions problem;
  CaseOptions cases;
  MeshOptions mesh;
  BackendOptions backend;  ///< of several ranks
  std::vector<std::string> tries, modes;
  std::string csv, svg, roofline, cublas;
  bool sustained = false, cold = false, no_peers = false, host = false, fast_accumulation = false;
  int rounds = 9, rest_ms = 20, stall_seconds = 30;
};

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
  job.cublas.library = options.cublas;
  job.cublas.cuda_home = settings.cuda_home;
  job.cublas.virtual_env = settings.virtual_env;
  job.with_peers = !options.no_peers;
  job.host_costs = options.host;
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
      if (csv_.is_open()) csv_ << bench::to_csv(result);
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
    if (session_.common.json) session_.out << one_line(bench::to_json(machine_, reports_)) << '\n';
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
    if (is_new) csv_ << bench::csv_header();
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

/// Does it race the ways of a product over several ranks?
bool is_of_ranks(const BenchOptions& options) {
  const bool is_distributed = command::is_distributed(options.mesh);
  if (!is_distributed && !options.backend.device.empty())
    throw UsageError("--device", "it needs --ranks or --mesh: contestants race on a GPU");
  if (!is_distributed) return false;
  for (const auto& [flag, is_given] :
       {std::pair{"--cases", !options.cases.file.empty()},
        std::pair{"--try", !options.tries.empty()}, std::pair{"--csv", !options.csv.empty()},
        std::pair{"--svg", !options.svg.empty()},
        std::pair{"--roofline", !options.roofline.empty()}, std::pair{"--host", options.host},
        std::pair{"--cold", options.cold}, std::pair{"--sustained", options.sustained},
        std::pair{"--mode", !options.modes.empty()}})
    if (is_given) throw UsageError(flag, "it must be left out where several ranks run");
  return true;
}

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

void add_output_flags(Command& sub, BenchOptions& options) {
  const OptionGroup group{sub, "Output"};
  group.option("--csv FILE.csv", &options.csv, "Append a line for each contestant and mode");
  group.option("--svg FILE.svg", &options.svg, "Draw bars of ratios");
  group.option("--roofline FILE.svg", &options.roofline,
               "Draw what was reached below what is possible");
}

}  // namespace

void add_bench(Command& jute) {
  auto options = std::make_shared<BenchOptions>();
  Command& sub =
      jute.add("bench", "Race jute with cuBLASLt on the GPU, contestants taking turns",
               "jute bench --m 4096 --n 4096 --k 4096 --type bf16 --order-b col --sustained");
  add_case_flags(sub, options->cases);
  sub.option("--try CONFIG", &options->tries,
             "One more contestant: choices as `jute plan` prints them, \"tile=128x128x32 "
             "stages=4\"; repeatable");
  sub.option("--fast-accumulation", &options->fast_accumulation,
             "8-bit floats: both sides leave sums to the tensor cores; else both promote them");
  sub.option("--sustained", &options->sustained,
             "Race once more without rests, after two seconds of load");
  sub.option("--cold", &options->cold,
             "Race once more launch by launch, 256 MiB written to memory before each");
  sub.option("--mode", &options->modes, "Race in this mode alone; repeatable")
      .one_of({"cool", "pdl off", "stream", "chain", "sustained", "cold"})
      .without({"--sustained", "--cold"});
  sub.option("--rounds", &options->rounds, "Timed turns of each contestant")
      .between(1, 1000)
      .with_default();
  sub.option("--rest-ms", &options->rest_ms, "Rest before each turn")
      .between(0, 10000)
      .with_default();
  sub.option("--no-peers", &options->no_peers, "Time jute alone");
  sub.option("--cublas PATH", &options->cublas, "Where libcublasLt is: the file, or its folder");
  sub.option("--stall", &options->stall_seconds,
             "Give a case up when its process is silent for so many seconds")
      .between(1, 3600)
      .with_default();
  sub.option("--host", &options->host, "Tell what one call costs the host, instead of a race");
  add_output_flags(sub, *options);
  add_mesh_flags(sub, options->mesh);
  add_rank_flags(sub, options->mesh);
  sub.option("--device", &options->backend.device, "Where several ranks run")
      .one_of({"cuda", "emulator"})
      .under("Several ranks");
  add_problem_flags(sub, options->problem);
  add_choice_flags(sub, options->problem);
  sub.reads = {"--atoms", "--templates", "--verbose"};
  sub.run = [options](const Session& session) {
    take_mesh_of_text(options->problem, options->mesh);
    return run_bench(*options, session);
  };
  sub.judge = [options](const Session& session) {
    take_mesh_of_text(options->problem, options->mesh);
    if (is_of_ranks(*options)) return;
    if (options->cases.file.empty() && !options->host) (void)planned(options->problem, session);
  };
}

}  // namespace jute::command
