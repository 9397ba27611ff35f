#pragma once
// What a race of candidates says of them.
#include <jute/atom/catalogue.hpp>
#include <jute/launch/device_info.hpp>
#include <jute/plan/ask/config.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "race/results/cases.hpp"
#include "race/results/results.hpp"

namespace jute::tune {

/// One that races: its place in the model's ranking, from 1, and its choices.
struct Place {
  int rank = 0;
  Config config;
  bool operator==(const Place&) const = default;
};
/// `3 tile=128x256x64 stages=4 …`: what it is called in the race.
[[nodiscard]] std::string to_string(const Place& place);
/// Reads it.   throws  what parse_config throws; syntax: it begins with no number
[[nodiscard]] Place parse_place(std::string_view text);

/// The first `most` candidates of the problem, with these choices made, that break no rule.
[[nodiscard]] std::vector<Place> places(const Problem& problem, const DeviceInfo& device,
                                        const Config& config, const Catalogue& catalogue, int most);

/// Who won a case.
struct Winner {
  std::string case_id;
  Place place{};
  double us = 0, planned_us = 0;  ///< planned: the model's first; 0: it was not timed
  int raced = 0;                  ///< how many were timed and right
  bool operator==(const Winner&) const = default;
};
/// The fastest that is right; the model's first unless another is faster by more than what two
/// races of one kernel differ by. Nothing where none is right. Candidates for launches alone are
/// timed by launches alone.
[[nodiscard]] std::optional<Winner> winner_of(const bench::CaseReport& report);
[[nodiscard]] std::string to_line(const Winner& winner);

/// The device that raced, as planning sees it.
[[nodiscard]] DeviceInfo device_of(const bench::Machine& machine);

/// The columns of a sweep: the case, the candidate, the parts of its prediction, what it does in
/// the units of the law, what was measured. bench/fit.py reads them.
[[nodiscard]] std::string sweep_header();
/// A line for each contestant that was timed and is right, as planned for the device that raced.
[[nodiscard]] std::string sweep_lines(const bench::Case& each, const bench::CaseReport& report,
                                      const DeviceInfo& device, const Catalogue& catalogue);

}  // namespace jute::tune
