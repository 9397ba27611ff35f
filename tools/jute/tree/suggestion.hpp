#pragma once
// A refused command line as it would be taken.
#include <jute/base/error.hpp>

#include <optional>
#include <string>
#include <vector>

namespace jute::command {

/// The words with the refused value replaced by the nearest legal one; without the option that must
/// be left out; with the one that must be given, where the rule says how. Nothing where there is no
/// such word, or where the value does not stand in exactly one place.
[[nodiscard]] std::optional<std::vector<std::string>> corrected(std::vector<std::string> words,
                                                                const Error& error);

/// The options that may have given an operand of a refusal its value, the likelier first: `--mma`
/// for `mma_atom`, `--lda` for `A.ld`, `--tile` for `tile.m`.
[[nodiscard]] std::vector<std::string> options_of_operand(std::string operand);

/// Does the line have the option, alone or before an equals sign?
[[nodiscard]] bool is_given(const std::vector<std::string>& words, const std::string& name);

/// Without an option, and without its value unless it takes none.
[[nodiscard]] std::optional<std::vector<std::string>> without_option(std::vector<std::string> words,
                                                                     const std::string& name);

/// The words as a shell reads them back.
[[nodiscard]] std::string shell_line(const std::vector<std::string>& words);

}  // namespace jute::command
