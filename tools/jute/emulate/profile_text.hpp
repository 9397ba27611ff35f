#pragma once
// Profiles for people, for programs and as a page with the source beside the counts.
#include <string>

#include "emulate/launch/launch_run.hpp"
#include "files/json_writer.hpp"

namespace jute::command {

/// Totals, source lines and opcodes of each launch.
[[nodiscard]] std::string profile_text(const RunOutcome& outcome);
[[nodiscard]] Json profile_json(const RunOutcome& outcome);
/// One HTML file that needs no other.
[[nodiscard]] std::string profile_page(const RunOutcome& outcome);

}  // namespace jute::command
