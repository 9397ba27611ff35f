#pragma once
// What a shell offers behind TAB, written from the tree of commands.
#include <string>

#include "tree/command_tree.hpp"

namespace jute::command {

/// How the value of an option is completed.
enum class Offer : std::uint8_t {
  nothing,
  words,  ///< Option::allowed or Option::known
  files,
  folders,
  atoms,  ///< asked of `jute atom list`
};
[[nodiscard]] Offer offer_of(const Option& option);
/// The words of Offer::words; empty otherwise.
[[nodiscard]] Words offered_words(const Option& option);

/// Scripts that a shell sources, or finds in the folder of its completions.
[[nodiscard]] std::string bash_completion(const Command& root);
[[nodiscard]] std::string zsh_completion(const Command& root);
[[nodiscard]] std::string fish_completion(const Command& root);

}  // namespace jute::command
