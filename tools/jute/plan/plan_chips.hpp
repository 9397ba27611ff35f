#pragma once
// A problem on every chip that there is a preset for.
#include <string>

namespace jute::command {

/// A line a chip: what a run is expected to take, which limit that is near, what is planned; or the
/// rule by which nothing is. With --json an object each.
[[nodiscard]] std::string plans_of_chips(const ProblemOptions& options, const Session& session);

}  // namespace jute::command
