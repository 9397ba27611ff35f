#pragma once
// Words of other programs' command lines, and what they are here: nvcc's, ncu's, CUTLASS's
// profiler's, cuBLAS's, torch's, Triton's.
#include <optional>
#include <string>

#include "tree/command_tree.hpp"

namespace jute::command {

/// A line without a foreign word, with what it is here in its place.
struct Translation {
  Words words;          ///< the whole line
  std::string nearest;  ///< the word of ours; empty: there is none, and the line is without it
};

/// The line with another program's option, the first word that is `option` or begins `option=`,
/// written as `command` takes it. Nothing where no table has it, or where what is meant was given.
[[nodiscard]] std::optional<Translation> translated_option(Words line, const std::string& option,
                                                           const PlacedCommand& command);

/// The line with a command's name that other programs have, or with the command for an expression,
/// an atom or a file that stands alone; `command` is the one before it.
///   example  compile -> cubin
[[nodiscard]] std::optional<Translation> translated_command(Words line, const std::string& word,
                                                            const PlacedCommand& command);

/// The line with what stands without a name behind the options that take such: three numbers behind
/// --m, --n and --k.
[[nodiscard]] std::optional<Words> named_strays(Words line, const std::string& strays,
                                                const PlacedCommand& command);

/// Has the command an option for such words, though they are too few or too many?
[[nodiscard]] bool takes_strays(const PlacedCommand& command, const std::string& strays);

}  // namespace jute::command
