#pragma once
// What words that nobody here has probably mean: the nearest names, and those that cuBLAS, CUTLASS,
// torch, Triton, nvcc and ncu have for what jute calls otherwise.
#include <optional>
#include <string>
#include <vector>

#include "tree/reading.hpp"

namespace jute::command {

/// A meaning of a word that is none here.
struct Meaning {
  std::string nearest;         ///< our name for it
  std::optional<Words> words;  ///< what says the same in its place; none: that is not known
};

/// Meanings of an option that is none here, the likelier first. Several are equally near, or depend
/// on what else the line says.
[[nodiscard]] std::vector<Meaning> meanings(const Said& unknown, const Reading& line);

/// Meanings of a word where a command's name must stand; `above` is the command before it.
///   example  compile -> cubin
[[nodiscard]] std::vector<Meaning> command_meanings(const std::string& word,
                                                    const PlacedCommand& above);

}  // namespace jute::command
