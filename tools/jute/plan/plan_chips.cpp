// Plans for one chip after the other, each told in a line.
#include "plan/plan_chips.hpp"

#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/words/summary.hpp>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "files/json_writer.hpp"

namespace jute::command {
namespace {

/// What is planned for a chip.
struct OfChip {
  std::string chip, planned, refused;
  ExpectedTime time;
};

OfChip plan_of(const DeviceInfo& chip, const ProblemOptions& options, const Catalogue& catalogue) {
  OfChip result{.chip = chip.name, .planned = {}, .refused = {}, .time = {}};
  try {
    const Problem problem = problem_of(options);
    const Config config = config_for(options, problem, chip, catalogue);
    result.time = expected_time(make_plan(problem, chip, config, catalogue));
    const std::vector<Considered> list = considered(problem, chip, config, catalogue);
    result.planned = std::ranges::find(list, std::string(), &Considered::refused)->text;
  } catch (const Exception& refusal) {
    result.refused = refusal.error().violated_rules.front();
  }
  return result;
}

std::string_view word_of(Bound bound) {
  return bound == Bound::memory          ? "memory"
         : bound == Bound::multiply_adds ? "multiply-adds"
                                         : "none";
}

int percent(const ExpectedTime& time) {
  constexpr int kWhole = 100;
  return time.us > 0 ? static_cast<int>(std::lround(kWhole * time.bound_us / time.us)) : 0;
}

std::string line_of(const OfChip& one) {
  std::ostringstream text;
  text << std::left << std::setw(9) << one.chip;
  if (!one.refused.empty()) {
    text << "refused: " << one.refused << '\n';
    return text.str();
  }
  text << std::right << std::fixed << std::setprecision(2) << std::setw(11) << one.time.us
       << " us, " << std::setw(3) << percent(one.time) << " % at the limit of "
       << word_of(one.time.bound) << ": " << one.planned << '\n';
  return text.str();
}

Json json_of(const OfChip& one) {
  constexpr double kNanoseconds = 1000;
  return {{"chip", one.chip},
          {"expected_ns", std::llround(kNanoseconds * one.time.us)},
          {"bound", word_of(one.time.bound)},
          {"percent_of_bound", percent(one.time)},
          {"planned", one.planned},
          {"refused", one.refused}};
}

}  // namespace

std::string plans_of_chips(const ProblemOptions& options, const Session& session) {
  const Catalogue catalogue = session.catalogue();
  std::string text;
  for (const DeviceInfo& chip : device_presets()) {
    const OfChip one = plan_of(chip, options, catalogue);
    text += session.common.json ? one_line(json_of(one)) + "\n" : line_of(one);
  }
  return text;
}

}  // namespace jute::command
