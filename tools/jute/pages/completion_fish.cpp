// Completion for fish: a line for each command and option, under the condition where it applies.

#include "pages/completion.hpp"

namespace jute::command {
namespace {

/// fish knows two escapes inside single quotes.
std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string joined_words(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string condition(const PlacedCommand& at) { return " -n '__jute_at \"" + at.line + "\"'"; }

/// -x takes a value and no file, -r a value, -f no file.
std::string value(const Option& option) {
  switch (offer_of(option)) {
    case Offer::words:
      return " -x -a " + fish_quoted(joined_words(offered_words(option)));
    case Offer::files:
      return " -r -F";
    case Offer::folders:
      return " -x -a '(__fish_complete_directories)'";
    case Offer::atoms:
      return " -x -a '(jute atom list 2>/dev/null | string replace -r \".* \" \"\")'";
    case Offer::nothing:
      break;
  }
  return " -x";
}

std::string option_line(const Option& option, const PlacedCommand& at) {
  std::string line = "complete -c jute" + condition(at);
  const bool is_named = option.is_named();
  if (is_named)
    for (const std::string& name : option.names)
      line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.is_flag()) {
    std::string offer = value(option);
    if (!is_named && offer.starts_with(" -x")) offer.replace(0, 3, " -f");
    if (!is_named && offer.starts_with(" -r")) offer.erase(0, 3);
    line += offer;
  }
  return line + " -d " + fish_quoted(option.description) + "\n";
}

/// `__jute_at LINE`: is LINE the command that the words so far name?
std::string function_text(const std::vector<PlacedCommand>& commands) {
  std::string names;
  for (const PlacedCommand& at : commands) names += " " + fish_quoted(at.line);
  return "# Completion of jute's command lines for fish; written by `jute completion fish`.\n\n"
         "function __jute_at\n"
         "  set -l line jute\n"
         "  for word in (commandline -opc)[2..-1]\n"
         "    contains -- \"$line $word\"" +
         names +
         "; and set line \"$line $word\"\n"
         "  end\n"
         "  test \"$line\" = \"$argv[1]\"\n"
         "end\n\n"
         "complete -c jute -f\n";
}

}  // namespace

std::string fish_completion(const Command& root) {
  const std::vector<PlacedCommand> commands = all_commands(root);
  std::string text = function_text(commands);
  for (const PlacedCommand& at : commands) {
    for (const Command& below : at.command.commands)
      text += "complete -c jute" + condition(at) + " -a " + below.name + " -d " +
              fish_quoted(below.description) + "\n";
    for (const Option* option : at.options)
      if (option->is_named() || offer_of(*option) != Offer::nothing)
        text += option_line(*option, at);
  }
  return text;
}

}  // namespace jute::command
