#pragma once
// A program that jute starts in place of a shell: it has the terminal, and its exit status counts.
#include <string>
#include <utility>
#include <vector>

namespace jute::command {

/// Variables that are set for it, by name.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// Starts `words.front()`, looked for as a shell does, with the other words, and waits for its end.
/// Interrupts are its own.
///   returns  its exit status, or 128 and the number of the signal that ended it, as shells say
///   throws   file_not_found: there is no such program; bad_file: it cannot be executed
[[nodiscard]] int status_of_program(const std::vector<std::string>& words,
                                    const Variables& variables);

}  // namespace jute::command
