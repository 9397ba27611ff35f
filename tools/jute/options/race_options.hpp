#pragma once
// --race: the first candidates of planning's list, timed before one of them is taken.
#include <jute/race/tune.hpp>

#include "command/command_line.hpp"
#include "options/problem_options.hpp"

namespace jute::command {

void add_race_flag(Command& command, int& race);
/// Races so many candidates of the problem with the flags' choices, and says on standard error who
/// won. Batch-invariant ones keep their order of sums.
///   throws  what tune() throws
[[nodiscard]] Tuned raced(Context& context, const Problem& problem, const ProblemOptions& options,
                          int race, const Session& session);

}  // namespace jute::command
