#pragma once
// The emulator's options as words, for what passes them on: an environment, a file, a program.
#include <jute/base/export.hpp>
#include <jute/emulator/emulator.hpp>

#include <string_view>

namespace JUTE_API jute {

/// Makes one choice: `device` takes a preset's name, `check` none, memory or full, `schedule`
/// fixed, early, late or random:SEED; `resident`, `max-instructions`, `max-memory` and `threads`
/// take numbers.
///   example  choose(options, "schedule", "random:7")
///   throws   unknown_name: no such choice, preset, check or schedule; syntax: no number
void choose(EmulatorOptions& options, std::string_view choice, std::string_view value);

/// Reads choices in any order, blanks between them.
///   example  parse_emulator_options("device=h100 check=full schedule=late")
///   throws   as choose; syntax: a word without `=`
[[nodiscard]] EmulatorOptions parse_emulator_options(std::string_view text);

}  // namespace jute
