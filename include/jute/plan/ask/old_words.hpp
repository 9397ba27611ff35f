#pragma once
// Spellings that choices had before: they are still read, wherever choices are.
#include <jute/base/export.hpp>

#include <span>
#include <string_view>

namespace JUTE_API jute {

/// A word that choices had before, and the one that they have now.
struct OldWord {
  std::string_view choice;  ///< whose value it is, by today's name; empty: the choice's own name
  std::string_view old, now;
};

/// All of them.   example  `slices`, now `split_k`; of `specialize`: `shared`, now `generic`
[[nodiscard]] std::span<const OldWord> old_words();

/// Today's spelling of a choice's name, or of a value of `choice`; `word` itself where it is none
/// of the old ones.
///   example  today_of("", "teams") is "ping_pong"
[[nodiscard]] std::string_view today_of(std::string_view choice, std::string_view word);

/// The first old word that was read in this process; nullptr where there was none. The library
/// prints nothing: whoever has a terminal says it once.
[[nodiscard]] const OldWord* old_word_read();

}  // namespace jute
