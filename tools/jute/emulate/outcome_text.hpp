#pragma once
// The outcome of launches for people and programs: findings, and what they cost.
#include <string>

#include "emulate/launch/launch_run.hpp"
#include "files/json_writer.hpp"

namespace jute::command {

/// Findings with the lines that they name, mismatches, a last line that says how it ended.
[[nodiscard]] std::string to_text(const RunOutcome& outcome, bool is_coloured);
/// The findings alone, each with the lines that it names.
[[nodiscard]] std::string findings_text(const RunOutcome& outcome, bool is_coloured);
/// The report's own fields, and mismatches, matched buffers and where buffers lay.
[[nodiscard]] Json to_json(const RunOutcome& outcome);
/// SARIF 2.1.0: what code hosts and editors show beside the source.
///   source  OASIS, Static Analysis Results Interchange Format 2.1.0
[[nodiscard]] Json to_sarif(const RunOutcome& outcome);

/// Totals, source lines and opcodes of each launch.
[[nodiscard]] std::string profile_text(const RunOutcome& outcome);
[[nodiscard]] Json profile_json(const RunOutcome& outcome);
/// One HTML file that needs no other.
[[nodiscard]] std::string profile_page(const RunOutcome& outcome);

}  // namespace jute::command
