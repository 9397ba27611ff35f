// `jute tune` on times that a test makes up: who wins, what is kept, what an interruption leaves.
#include "tune/tuning.hpp"

#include <jute/base/settings.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem_class.hpp>

#include <unistd.h>

#include <cstdlib>
#include <set>
#include <sstream>

#include "cli/command.hpp"
#include "files/files.hpp"
#include "race/results/results.hpp"
#include "race/results/wire.hpp"
#include "support/problem_of.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::bench;
using namespace jute::test;
using Place = RankedChoice;

namespace {

Case bf16_case(Index extent) {
  return case_of(
      problem_of(extent, extent, extent, {DType::bf16, DType::bf16}, {Order::row, Order::col}), 1,
      0);
}

DeviceInfo chip() {
  DeviceInfo device = device_preset("h200");
  device.name = "a chip";
  return device;
}

Machine machine_of_chip() {
  Machine machine;
  machine.device = chip().name;
  machine.arch = chip().arch.number;
  machine.sm_count = chip().sm_count;
  return machine;
}

Result timed(const Case& each, const Place& place, double us) {
  Result result;
  result.case_id = each.id;
  result.contestant = tuning::to_string(place);
  result.us = us;
  result.mhz = 1000;
  result.error = 0.1;
  return result;
}

CaseReport report_of(const Case& each, std::vector<Result> results) {
  CaseReport report;
  report.id = each.id;
  report.results = std::move(results);
  return report;
}

/// A clock of a test's own: the candidate of rank r takes `us(r)`.
WorkerTask clock(double (*us)(int rank), size_t dies_at = ~size_t{0}) {
  return [us, dies_at](const Job& job, const std::vector<size_t>& indices, const Say& say) {
    say("machine", to_wire(machine_of_chip()));
    for (const size_t index : indices) {
      say("start", std::to_string(index));
      if (index == dies_at) ::_exit(7);
      const Case& each = job.cases[index];
      CaseReport report;
      report.id = each.id;
      say("case", to_wire(report));
      for (const Place& place : ranked_choices(each.problem, chip(), {}, Catalogue(), 10)) {
        say("result", to_csv(timed(each, place, us(place.rank))));
      }
      say("end", "");
    }
  };
}

/// A cache directory of one's own, as the environment says it.
class OwnCache {
 public:
  OwnCache() {
    if (const char* before = ::getenv("JUTE_CACHE_DIR")) before_ = before;
    ::setenv("JUTE_CACHE_DIR", folder_.path().c_str(), 1);
  }
  ~OwnCache() {
    if (before_)
      ::setenv("JUTE_CACHE_DIR", before_->c_str(), 1);
    else
      ::unsetenv("JUTE_CACHE_DIR");
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  TemporaryFolder folder_;
  std::optional<std::string> before_;
};

struct KeptRun {
  std::string out, err;
  TunedTable table;
  Supervised outcome;
};

KeptRun tuned(const std::vector<Case>& cases, const WorkerTask& task,
              const std::string& sweep = "") {
  std::ostringstream out, err;
  const command::CommonOptions common;
  const command::Session session{common, out, err};
  KeptRun result;
  {
    tuning::Tuning tuning(cases, session, sweep);
    Job job;
    job.cases = cases;
    result.outcome = supervise(job, 20, tuning.audience(), task);
    tuning.finish();
  }
  result.out = out.str();
  result.err = err.str();
  result.table = TunedFile(session.settings(), tuning::device_of(machine_of_chip())).load();
  return result;
}

}  // namespace

TEST_CASE("the fastest candidate that is right wins", "[cli][tune]") {
  const Case each = bf16_case(1024);
  const std::vector<Place> list = ranked_choices(each.problem, chip(), {}, Catalogue(), 10);
  REQUIRE(list.size() == 10);
  CHECK(list[0].rank == 1);
  Result wrong = timed(each, list[3], 5);
  wrong.error = 2;
  Result refused = timed(each, list[4], 0);
  const auto winner =
      tuning::winner_of(report_of(each, {timed(each, list[0], 10), timed(each, list[1], 12),
                                         timed(each, list[2], 8), wrong, refused}));
  REQUIRE(winner);
  CHECK(winner->choice.rank == 3);
  CHECK(winner->choice.config == list[2].config);
  CHECK(winner->us == 8);
  CHECK(winner->planned_us == 10);
  CHECK(winner->raced == 3);
  CHECK(tuning::to_line(*winner).starts_with(
      "bf16_nt_1024x1024x1024: 8.00 us, 25.0 % faster than planned, the best of 3: mma_atom="));
}

TEST_CASE("what differs by less than two races of one kernel stays as planned", "[cli][tune]") {
  const Case each = bf16_case(1024);
  const std::vector<Place> list = ranked_choices(each.problem, chip(), {}, Catalogue(), 2);
  const auto winner =
      tuning::winner_of(report_of(each, {timed(each, list[1], 9.95), timed(each, list[0], 10)}));
  CHECK(winner.value().choice.rank == 1);
  CHECK(tuning::to_line(*winner).find("as planned, the best of 2") != std::string::npos);
  CHECK_FALSE(tuning::winner_of(report_of(each, {})));
}

TEST_CASE(
    "candidates for launches alone are timed by launches alone, and kept in a class of theirs",
    "[cli][tune]") {
  const Case each = bf16_case(1024);
  const Config alone = parse_config("launches=alone");
  const std::vector<Place> list = ranked_choices(each.problem, chip(), alone, Catalogue(), 3);
  std::vector<Result> results;
  for (const Place& place : list) {
    CHECK(place.config.launches == Launches::alone);
    results.push_back(timed(each, place, place.rank));  // in a graph the first is the fastest
    results.push_back(timed(each, place, 10 - place.rank));
    results.back().mode = Mode::cold;
  }
  const auto winner = tuning::winner_of(report_of(each, results));
  CHECK(winner.value().choice.rank == 3);
  CHECK(winner->raced == 3);
  CHECK(problem_class(each.problem, Launches::alone) != problem_class(each.problem));
}

TEST_CASE("a place is text and back, and other text is refused", "[cli][tune]") {
  const Place place{12, parse_config("tile=128x256x64 split_k=2 swapped=off")};
  CHECK(tuning::parse_ranked(tuning::to_string(place)).config == place.config);
  CHECK(tuning::parse_ranked(tuning::to_string(place)).rank == 12);
  for (const char* text : {"", "3", "x tile=1x1x1", "tile=128x256x64"})
    CHECK_THROWS_AS(tuning::parse_ranked(text), Exception);
}

TEST_CASE("winners are kept by device and class of problems, and prepare goes by them",
          "[cli][tune]") {
  const OwnCache cache;
  const std::vector<Case> cases{bf16_case(1024), bf16_case(2048)};
  const KeptRun done = tuned(cases, clock([](int rank) { return rank == 4 ? 7.0 : 10.0 + rank; }));
  CHECK(done.outcome.status == 0);
  CHECK(done.table.fault.empty());
  REQUIRE(done.table.choices.size() == 2);
  const Place fourth = ranked_choices(cases[1].problem, chip(), {}, Catalogue(), 4).back();
  CHECK(done.table.choices.at(problem_class(cases[1].problem)) == to_string(fourth.config));
  CHECK(done.out.find("57.1 % faster than planned") != std::string::npos);
  CHECK(done.out.find("kept in " + cache.file("tuned")) != std::string::npos);
}

TEST_CASE("a race that ends early leaves what is done", "[cli][tune]") {
  const OwnCache cache;
  const std::vector<Case> cases{bf16_case(512), bf16_case(1024), bf16_case(2048)};
  const auto time = [](int rank) { return 10.0 - rank; };
  const KeptRun lost = tuned(cases, clock(time, 1));
  CHECK(lost.outcome.lost == 1);
  CHECK(lost.table.choices.size() == 2);
  CHECK(lost.err.find("bf16_nt_1024x1024x1024: nothing is kept: its process died") !=
        std::string::npos);
  // A later race adds to them.
  CHECK(tuned({cases[1]}, clock(time)).table.choices.size() == 3);
}

TEST_CASE("a sweep has the model's parts beside what was measured", "[cli][tune]") {
  // By producer and consumers; straight from global memory and so.
  for (const Index extent : {1024, 64}) {
    const OwnCache cache;
    const std::string path = cache.file("sweep.csv");
    const Case each = bf16_case(extent);
    (void)tuned({each}, clock([](int rank) { return 10.0 + rank; }), path);
    std::istringstream lines(command::read_text(path));
    std::string line;
    std::getline(lines, line);
    CHECK(line + "\n" == tuning::sweep_header());
    const auto columns = std::ranges::count(line, ',');
    const std::string size = std::to_string(extent);
    const std::string head = "\"a chip\",\"" + each.id + "\"," + size + "," + size + "," + size;
    int rows = 0;
    bool has_straight = false;
    for (; std::getline(lines, line); ++rows) {
      // Commas stand inside quotes as well.
      bool is_quoted = false;
      std::ptrdiff_t cells = 0;
      for (const char letter : line) {
        is_quoted ^= letter == '"';
        cells += letter == ',' && !is_quoted;
      }
      CHECK(cells == columns);
      CHECK(line.starts_with(head + ",1,bf16," + std::to_string(rows + 1) + ","));
      CHECK(line.ends_with("," + std::to_string(11 + rows) + ".000,1000.0," +
                           std::to_string(11000 + 1000 * rows)));
      has_straight |= line.find("main_loop=straight") != std::string::npos;
    }
    CHECK(rows == 10);
    CHECK(has_straight == (extent == 64));
  }
}

TEST_CASE("tuning without a GPU is refused in one line", "[cli][tune][refusal]") {
  const std::vector<std::string> words{"tune", "--m", "64", "--n", "64", "--k", "64"};
  const ProcessResult emulated = run_jute(words, {.environment = {{"JUTE_DEVICE", "emulator"}}});
  CHECK(emulated.status == 3);
  CHECK(emulated.out.empty());
  CHECK(emulated.err.starts_with("jute: no_gpu: "));
  CHECK(emulated.err.find("a race needs a GPU") != std::string::npos);
  const ProcessResult nowhere = run_jute(words, {.environment = {{"JUTE_CACHE", "off"}}});
  CHECK(nowhere.status == 3);
  CHECK(nowhere.err.find("winners are kept in the cache") != std::string::npos);
}
