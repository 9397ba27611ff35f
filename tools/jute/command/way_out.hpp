#pragma once
// From a refused command line to one that is taken.
#include <jute/base/error.hpp>

#include <optional>
#include <string>
#include <vector>

namespace jute::command {

/// The words with what is nearest in place of what is refused. Where the command can judge its
/// arguments without doing its work, this goes on until nothing is refused; a choice for which
/// nothing near is known is left out. Nothing where no such line is found.
[[nodiscard]] std::optional<std::vector<std::string>> way_out(const std::vector<std::string>& words,
                                                              const Error& error);

}  // namespace jute::command
