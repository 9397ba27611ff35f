#pragma once
// From a refused command line to one that is taken.
#include <jute/base/error.hpp>

#include <optional>
#include <string>
#include <vector>

namespace jute::command {

/// The line that says the same but for what was wrong in it: one word after the other replaced by
/// the nearest legal one, until the command, which judges its arguments without doing its work,
/// refuses none. Whatever else was typed is read there as it was. Nothing where there is no such
/// line, or where several are as near.
[[nodiscard]] std::optional<std::vector<std::string>> way_out(const std::vector<std::string>& words,
                                                              const Error& error);

}  // namespace jute::command
