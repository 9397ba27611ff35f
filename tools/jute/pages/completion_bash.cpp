// Completion for bash: one function that finds the command on the line, then its options.
#include "pages/completion.hpp"

namespace jute::command {
namespace {

constexpr std::string_view kBashHead =
    R"bash(# Completion of jute's command lines for bash; written by `jute completion bash`.

# Words that begin with what was typed, quoted as a line needs them.
_jute_offer() {
  local word
  COMPREPLY=()
  while read -r word; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$(printf '%q' "$word")")
  done
}

_jute() {
  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=jute i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$command ${COMP_WORDS[i]}" in
)bash";

constexpr std::string_view kBetween = R"bash() command+=" ${COMP_WORDS[i]}" ;;
    esac
  done
  case "$command:$before" in
)bash";

constexpr std::string_view kTail = R"bash(  esac
}

complete -F _jute jute
)bash";

std::string quoted_words(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += " '" + word + "'";
  return text;
}

/// Completes an option's value or a word that belongs to none.
std::string answer(const Option& option) {
  switch (offer_of(option)) {
    case Offer::words:
      return "printf '%s\\n'" + quoted_words(offered_words(option));
    case Offer::files:
      return "compgen -f -- \"$cur\"";
    case Offer::folders:
      return "compgen -d -- \"$cur\"";
    case Offer::atoms:
      return "jute atom list 2>/dev/null | sed 's/.* //'";
    case Offer::nothing:
      break;
  }
  return "true";
}

std::string value_cases(const PlacedCommand& at) {
  std::string text;
  for (const Option* option : at.options) {
    if (option->is_flag() || !option->is_named()) continue;
    text += "    ";
    for (const std::string& name : option->names)
      text += (name == option->names.front() ? "'" : "|'") + at.line + ":" + name + "'";
    text += ") _jute_offer < <(" + answer(*option) + "); return ;;\n";
  }
  return text;
}

std::string word_case(const PlacedCommand& at) {
  Words words;
  std::string more;
  for (const Command& below : at.command.commands) words.push_back(below.name);
  std::string options;
  for (const Option* option : at.options) {
    if (option->is_named())
      for (const std::string& name : option->names) options += " '" + name + "'";
    else if (offer_of(*option) != Offer::nothing)
      more += "; " + answer(*option);
  }
  options += " '--help'";
  return "    '" + at.line + "') if [[ $cur == -* ]]; then _jute_offer < <(printf '%s\\n'" +
         options + "); else _jute_offer < <(" +
         (words.empty() ? "true" : "printf '%s\\n'" + quoted_words(words)) + more + "); fi ;;\n";
}

}  // namespace

std::string bash_completion(const Command& root) {
  const std::vector<PlacedCommand> commands = all_commands(root);
  std::string text(kBashHead), values, words;
  std::string names;
  for (const PlacedCommand& at : commands) {
    if (&at.command != &root) names += (names.empty() ? "      '" : "|'") + at.line + "'";
    values += value_cases(at);
    words += word_case(at);
  }
  return text + names + std::string(kBetween) + values + "  esac\n  case \"$command\" in\n" +
         words + std::string(kTail);
}

}  // namespace jute::command
