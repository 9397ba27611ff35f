#pragma once
// What of a refused line stands in the way, and what to put in its place.
#include <jute/base/error.hpp>

#include <string>
#include <vector>

#include "tree/reading.hpp"

namespace jute::command {

/// The edits that may mend what an error tells, each of the one thing that it is about: the nearest
/// legal value in place of the refused one, our word for an unknown one, words that are missing
/// behind the others. None where nothing near is known, or where it is not known what is meant.
[[nodiscard]] std::vector<Edit> edits_for(const Words& line, const Reading& reading,
                                          const Error& error);

/// The words as a shell reads them back.
[[nodiscard]] std::string shell_line(const std::vector<std::string>& words);

}  // namespace jute::command
