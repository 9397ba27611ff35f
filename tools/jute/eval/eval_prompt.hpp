#pragma once
// The conversation of `jute eval`.
#include <jute/expr/session.hpp>

#include "command/command_line.hpp"

namespace jute::command {

/// What may stand where `start` was typed: functions, the conversation's names, atoms, in that
/// order. Atoms only where something was typed: there are hundreds.
[[nodiscard]] std::vector<std::string> eval_completions(std::string_view start,
                                                        const EvalSession& values,
                                                        const Catalogue& catalogue);

/// Lines are read and answered until the input ends; a mistake is told, and the next line read.
int run_eval_prompt(const Session& session);

}  // namespace jute::command
