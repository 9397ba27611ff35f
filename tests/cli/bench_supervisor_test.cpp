// The process that watches the race: what it does when a worker hangs, dies or cannot begin.
#include "race/worker.hpp"

#include "race/results/results.hpp"
#include "race/results/wire.hpp"
#include "support/catch.hpp"

#include <signal.h>
#include <unistd.h>

using namespace jute;
using namespace jute::bench;

namespace {

Job job_of(int count) {
  Job job;
  for (int i = 0; i < count; ++i) {
    Problem problem;
    problem.m = problem.n = problem.k = i + 1;
    job.cases.push_back(case_of(problem, 1, 0));
  }
  return job;
}

/// Says what `work` says of a case.
void tell_case(const Job& job, size_t index, const Say& say) {
  CaseReport report;
  report.id = job.cases[index].id;
  Result result;
  result.case_id = report.id;
  result.us = static_cast<double>(index) + 1;
  say("case", to_wire(report));
  say("result", to_csv(result));
  say("end", "");
}

struct Heard {
  std::vector<CaseReport> reports;
  std::vector<std::string> printed;
  Machine machine;
  Audience audience{.machine = [this](const Machine& one) { machine = one; },
                    .done = [this](const CaseReport& report) { reports.push_back(report); },
                    .print = [this](const std::string& line) { printed.push_back(line); }};
};

/// Longer than any machine lets a worker wait that has something to say.
constexpr int kStallSeconds = 60;

}  // namespace

TEST_CASE("results of a worker reach its parent, case by case", "[cli][bench]") {
  Heard heard;
  const auto task = [](const Job& job, const std::vector<size_t>& indices, const Say& say) {
    Machine machine;
    machine.device = "a chip";
    say("machine", to_wire(machine));
    say("print", "a line");
    for (const size_t index : indices) {
      say("start", std::to_string(index));
      say("alive", "");
      tell_case(job, index, say);
    }
  };
  const Supervised outcome = supervise(job_of(3), kStallSeconds, heard.audience, task);
  CHECK(outcome.status == 0);
  CHECK(outcome.lost == 0);
  CHECK(heard.machine.device == "a chip");
  CHECK(heard.printed == std::vector<std::string>{"a line"});
  REQUIRE(heard.reports.size() == 3);
  CHECK(heard.reports[2].id == "f32_nn_3x3x3");
  CHECK(heard.reports[2].results.at(0).us == 3);
}

TEST_CASE("a worker that hangs or dies costs the case that it was at", "[cli][bench]") {
  // The one that hangs is waited for so long: more than a busy machine keeps the others waiting.
  constexpr int kHangSeconds = 8;
  Heard heard;
  const auto task = [](const Job& job, const std::vector<size_t>& indices, const Say& say) {
    for (const size_t index : indices) {
      say("start", std::to_string(index));
      if (index == 1) ::sleep(600);
      if (index == 2) ::_exit(7);
      tell_case(job, index, say);
    }
  };
  const Supervised outcome = supervise(job_of(4), kHangSeconds, heard.audience, task);
  CHECK(outcome.status == 0);
  CHECK(outcome.lost == 2);
  REQUIRE(heard.reports.size() == 4);
  CHECK(heard.reports[0].results.size() == 1);
  CHECK(heard.reports[1].note == "no progress: its process was ended");
  CHECK(heard.reports[2].note.starts_with("its process died"));
  CHECK(heard.reports[3].results.size() == 1);
}

TEST_CASE("a worker that cannot begin ends it all with its status", "[cli][bench]") {
  Heard heard;
  const auto task = [](const Job&, const std::vector<size_t>&, const Say&) { ::_exit(3); };
  CHECK(supervise(job_of(2), kStallSeconds, heard.audience, task).status == 3);
  CHECK(heard.reports.empty());
}

TEST_CASE("an interrupt ends a race and keeps the cases that are done", "[cli][bench]") {
  Heard heard;
  std::vector<Index> done;
  heard.audience.progress = [&](Index count, Index all) {
    CHECK(all == 3);
    done.push_back(count);
  };
  const auto task = [](const Job& job, const std::vector<size_t>& indices, const Say& say) {
    say("start", std::to_string(indices[0]));
    tell_case(job, indices[0], say);
    say("start", std::to_string(indices[1]));
    ::kill(::getppid(), SIGINT);
    ::sleep(600);
  };
  const Supervised outcome = supervise(job_of(3), kStallSeconds, heard.audience, task);
  CHECK(outcome.is_interrupted);
  CHECK(outcome.status == 0);
  CHECK(outcome.lost == 0);
  REQUIRE(heard.reports.size() == 1);
  CHECK(heard.reports[0].results.size() == 1);
  CHECK_FALSE(done.empty());
}
