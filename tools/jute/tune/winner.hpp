#pragma once
// What a race of candidates says of them.
#include <jute/atom/catalogue.hpp>
#include <jute/launch/device_info.hpp>
#include <jute/race/tune.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "race/results/cases.hpp"
#include "race/results/results.hpp"

namespace jute::tuning {

/// `3 tile=128x256x64 stages=4 …`: what a candidate is called in the race.
[[nodiscard]] std::string to_string(const RankedChoice& choice);
/// Reads it.   throws  what parse_config throws; syntax: it begins with no number
[[nodiscard]] RankedChoice parse_ranked(std::string_view text);

/// Who won a case.
struct Winner {
  std::string case_id;
  RankedChoice choice{};
  double us = 0, planned_us = 0;  ///< planned: the model's first; 0: it was not timed
  int raced = 0;                  ///< how many were timed and right
  bool operator==(const Winner&) const = default;
};
/// The fastest that is right, by fastest_of. Nothing where none is right. Candidates for launches
/// alone are timed by launches alone.
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

}  // namespace jute::tuning
