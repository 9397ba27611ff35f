// Completion for zsh: a function for each command, handed on by the one above it.
#include <algorithm>

#include "pages/completion.hpp"

namespace jute::command {
namespace {

/// Inside a specification of _arguments, in single quotes.
std::string escaped_in_quotes(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (std::string_view("[]:\\").find(c) != std::string_view::npos)
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string function_name(const std::string& line) {
  std::string name = "_" + line;
  std::ranges::replace(name, ' ', '_');
  return name;
}

std::string action(const Option& option) {
  switch (offer_of(option)) {
    case Offer::words: {
      std::string words;
      for (const std::string& word : offered_words(option))
        words += (words.empty() ? "" : " ") + word;
      return "(" + escaped_in_quotes(words) + ")";
    }
    case Offer::files:
      return "_files";
    case Offer::folders:
      return "_files -/";
    case Offer::atoms:
      return "_jute_atoms";
    case Offer::nothing:
      break;
  }
  return " ";
}

std::string specification(const Option& option) {
  const std::string about = "[" + escaped_in_quotes(option.description) + "]";
  const std::string value =
      option.is_flag() ? "" : ":" + escaped_in_quotes(option.type_name) + ":" + action(option);
  if (!option.is_named()) {
    const bool many = option.takes_many();
    return std::string("'") + (many ? "*" : "") + ":" + escaped_in_quotes(option.names.front()) +
           ":" + action(option) + "'";
  }
  std::string text;
  for (const std::string& name : option.names)
    text += (text.empty() ? "'" : " '") + name + about + value + "'";
  return text;
}

std::string function_text(const PlacedCommand& at) {
  const bool gathers = !at.command.commands.empty();
  std::string text = function_name(at.line) + "() {\n";
  if (gathers) text += "  local context state line\n";
  text += gathers ? "  _arguments -C" : "  _arguments";
  for (const Option* option : at.options) text += " \\\n    " + specification(*option);
  if (!gathers) return text + "\n}\n\n";
  text +=
      " \\\n    '1: :->command' '*:: :->rest'\n  case $state in\n    command)\n      local -a "
      "commands=(\n";
  for (const Command& below : at.command.commands)
    text += "        '" + below.name + ":" + escaped_in_quotes(below.description) + "'\n";
  text += "      )\n      _describe command commands ;;\n    rest)\n      case $line[1] in\n";
  for (const Command& below : at.command.commands)
    text += "        " + below.name + ") " + function_name(at.line + " " + below.name) + " ;;\n";
  return text + "      esac ;;\n  esac\n}\n\n";
}

}  // namespace

std::string zsh_completion(const Command& root) {
  std::string text =
      "#compdef jute\n"
      "# Completion of jute's command lines for zsh; written by `jute completion zsh`.\n\n"
      "_jute_atoms() {\n"
      "  local -a atoms=(${${(f)\"$(jute atom list 2>/dev/null)\"}##* })\n"
      "  compadd -a atoms\n"
      "}\n\n";
  for (const PlacedCommand& at : all_commands(root)) text += function_text(at);
  return text +
         "if [[ ${funcstack[1]} == _jute ]]; then _jute \"$@\"; else compdef _jute jute; fi\n";
}

}  // namespace jute::command
