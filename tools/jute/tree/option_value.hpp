#pragma once
// From the words behind an option to its target.
#include <optional>
#include <string>
#include <vector>

#include "tree/command_tree.hpp"

namespace jute::command {

/// The option as messages name it: its long name, or the only one.
[[nodiscard]] const std::string& spoken_name(const Option& option);

/// The word of the option that a word is, or that others say so: emulator for cpu.
[[nodiscard]] std::optional<std::string> word_meant(const Option& option, const std::string& word);

/// Puts what the words say into the option's target.
///   throws  UsageError: a word that the target or `allowed` does not take, with the nearest it
///   does
void assign(const Option& option, const std::vector<std::string>& words);

/// T of T, std::optional<T> and std::vector<T>.
template <class T>
struct Element {
  using Type = T;
};
template <class T>
struct Element<std::optional<T>> {
  using Type = T;
};
template <class T>
struct Element<std::vector<T>> {
  using Type = T;
};

}  // namespace jute::command
