// Keeps winners, tells of them, writes the sweep.
#include "tune/tuning.hpp"

#include <jute/atom/catalogue.hpp>
#include <jute/base/settings.hpp>
#include <jute/gemm/context.hpp>
#include <jute/plan/ask/problem_class.hpp>

#include <algorithm>
#include <ostream>
#include <utility>

namespace jute::tuning {
namespace {

[[noreturn]] void refuse_race(const std::string& operand, const std::string& rule) {
  command::refuse(ErrorCode::unwritable, operand, "", rule);
}

Json to_json(const Winner& winner) {
  return {{"id", winner.case_id},
          {"choices", jute::to_string(winner.choice.config)},
          {"rank", winner.choice.rank},
          {"us", winner.us},
          {"planned_us", winner.planned_us},
          {"raced", winner.raced}};
}

}  // namespace

Tuning::Tuning(const std::vector<bench::Case>& cases, const command::Session& session,
               const std::string& sweep_path)
    : cases_(cases),
      session_(session),
      progress_(session, {.what = "tuning", .all = static_cast<Index>(cases.size())}) {
  const Settings settings = session.settings();
  if (settings.cache != "on" || settings.cache_dir.empty())
    refuse_race("JUTE_CACHE",
                "winners are kept in the cache: it must be on, in a folder of one's own");
  if (sweep_path.empty()) return;
  sweep_.open(sweep_path);
  sweep_ << sweep_header() << std::flush;
  if (!sweep_) refuse_race(sweep_path, "the file must be writable");
}

bench::Audience Tuning::audience() {
  return {.machine = [this](const bench::Machine& machine) { meet(machine); },
          .done = [this](const bench::CaseReport& report) { take(report); },
          .print = [this](const std::string& line) { session_.note(line); }};
}

void Tuning::meet(const bench::Machine& machine) {
  if (file_ && machine == machine_) return;  // a second worker says it again
  machine_ = machine;
  KnownChip known = known_chip(session_.settings(), device_of(machine));
  if (!known.fault.empty()) session_.note("what is kept of the chip is not used: " + known.fault);
  device_ = std::move(known.device);
  file_.emplace(session_.settings(), device_);
  if (const TunedTable table = file_->load(); !table.fault.empty())
    session_.note(file_->path() + " is not used and begins anew: " + table.fault);
}

void Tuning::take(const bench::CaseReport& report) {
  const auto each = std::ranges::find(cases_, report.id, &bench::Case::id);
  if (each == cases_.end()) return;
  const std::optional<Winner> winner = winner_of(report);
  if (sweep_.is_open())
    sweep_ << sweep_lines(*each, report, device_, session_.catalogue()) << std::flush;
  if (winner)
    keep(*each, *winner);
  else
    session_.note(report.id + ": nothing is kept: " +
                  (report.note.empty() ? "no candidate was right" : report.note));
  progress_.at(++done_, static_cast<Index>(cases_.size()));
}

void Tuning::keep(const bench::Case& each, const Winner& winner) {
  const Config& choices = winner.choice.config;
  file_->keep(problem_class(each.problem, choices.launches.value_or(Launches::behind_others)),
              jute::to_string(choices));
  if (session_.common.json)
    results_.push_back(to_json(winner));
  else
    session_.out << to_line(winner) << std::flush;
}

void Tuning::finish() {
  if (sweep_.is_open() && !sweep_) refuse_race("--sweep", "the file must take all that is written");
  const std::string path = file_ ? file_->path() : "";
  if (session_.common.json)
    session_.print({{"device", machine_.device}, {"file", path}, {"winners", results_}});
  else if (file_)
    session_.out << "kept in " << path << '\n';
}

}  // namespace jute::tuning
