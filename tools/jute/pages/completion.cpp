// `jute completion`: scripts for shells, and what they ask for.
#include "pages/completion.hpp"

#include <jute/atom/catalogue.hpp>
#include <jute/base/split_at.hpp>

#include <memory>

#include "command/command_line.hpp"
#include "tree/reading.hpp"

namespace jute::command {
namespace {

constexpr std::string_view kBash =
    R"bash(# Completion of jute's command lines for bash; written by `jute completion bash`.
_jute() {
  local cur=${COMP_WORDS[COMP_CWORD]} word offers
  offers=$(jute completion bash --line "${COMP_WORDS[*]:0:COMP_CWORD + 1}" 2>/dev/null | cut -f 1)
  case $offers in
    :files) offers=$(compgen -f -- "$cur") ;;
    :folders) offers=$(compgen -d -- "$cur") ;;
  esac
  COMPREPLY=()
  while read -r word; do
    [[ -n $word && $word == "$cur"* ]] && COMPREPLY+=("$(printf '%q' "$word")")
  done <<<"$offers"
}
complete -F _jute jute
)bash";
constexpr std::string_view kZsh = R"zsh(#compdef jute
# Completion of jute's command lines for zsh; written by `jute completion zsh`.

_jute() {
  local -a offers=("${(@f)$(jute completion zsh --line "${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
  case ${offers[1]%%$'\t'*} in
    :files) _files ;;
    :folders) _files -/ ;;
    *)
      offers=("${(@)offers//:/\\:}")
      offers=("${(@)offers//$'\t'/:}")
      _describe word offers ;;
  esac
}

if [[ ${funcstack[1]} == _jute ]]; then _jute "$@"; else compdef _jute jute; fi
)zsh";
constexpr std::string_view kFish =
    R"fish(# Completion of jute's command lines for fish; written by `jute completion fish`.

function __jute_offers
  set -l line (string join ' ' -- (commandline -opc) (commandline -ct))
  set -l offers (jute completion fish --line "$line" 2>/dev/null)
  switch "$offers[1]"
    case ':files*'
      __fish_complete_path (commandline -ct)
    case ':folders*'
      __fish_complete_directories (commandline -ct)
    case '*'
      printf '%s\n' $offers
  end
end

complete -c jute -f -a '(__jute_offers)'
)fish";

/// A line of an offer.
std::string offered(std::string_view word, std::string_view about = {}) {
  return std::string(word) + "\t" + std::string(about) + "\n";
}

/// Values of an option, or of an argument.
std::string values_of(const Option& option) {
  const auto* allowed = std::get_if<Words>(&option.allowed);
  const Words& words = allowed != nullptr ? *allowed : option.known;
  const std::string& type = option.type_name;
  std::string text;
  for (const std::string& word : words) text += offered(word);
  if (!words.empty()) return text;
  if (type.find("ATOM") != std::string::npos)
    for (const AtomSummary& atom : Catalogue().list()) text += offered(atom.name);
  else if (type == "DIR")
    text = offered(":folders");
  else if (type.starts_with("FILE") || type == "PATH" || type.find('.') != std::string::npos)
    text = offered(":files");
  return text;
}

struct CompletionOptions {
  std::string shell, line;
};

int run_completion(const CompletionOptions& options, const Session& session) {
  CommonOptions unused;
  const std::string text = options.line.empty() ? completion_script(options.shell)
                                                : offers_for(jute_command(unused), options.line);
  return session.print({{"shell", options.shell}, {"script", text}}, text);
}

}  // namespace

std::string offers_for(const Command& root, const std::string& line) {
  Words words = split_at<std::string>(' ', line);
  const std::string last = words.back();
  words.pop_back();
  std::erase(words, "");
  if (!words.empty()) words.erase(words.begin());  // the program
  const Reading reading = read_line(root, words);
  const PlacedCommand& at = reading.command;
  const Said* const before = reading.said.empty() ? nullptr : &reading.said.back();
  if (before != nullptr && before->option != nullptr && !before->option->is_flag() &&
      !before->value)
    return values_of(*before->option);
  std::string text;
  if (last.starts_with('-')) {
    for (const Option* option : at.options)
      for (const std::string& name : option->names)
        if (option->is_named()) text += offered(name, option->description);
    return text + offered("--help", "Print what it takes");
  }
  for (const Command& below : at.command.commands) text += offered(below.name, below.description);
  for (const Option* option : at.options)
    if (!option->is_named()) text += values_of(*option);
  return text;
}

std::string completion_script(const std::string& shell) {
  return std::string(shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish);
}

void add_completion(Command& jute) {
  auto options = std::make_shared<CompletionOptions>();
  Command& sub = jute.add("completion", "Print what a shell needs to complete jute's lines",
                          "jute completion bash");
  sub.option("shell", &options->shell,
             "bash, zsh or fish; for bash: source <(jute completion bash)")
      .one_of({"bash", "zsh", "fish"})
      .required();
  sub.option(
      "--line TEXT", &options->line,
      "Print what may stand in the place of the line's last word, as the scripts ask for it");
  sub.run = [options](const Session& session) { return run_completion(*options, session); };
}

}  // namespace jute::command
