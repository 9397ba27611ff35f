// Mending a line until its command judges it right.
#include "command/way_out.hpp"

#include <algorithm>
#include <iostream>
#include <string_view>

#include "command/command_line.hpp"
#include "tree/foreign_words.hpp"
#include "tree/option_value.hpp"
#include "tree/parser.hpp"
#include "tree/suggestion.hpp"

namespace jute::command {
namespace {

/// A line has no more mistakes than that, or is beyond mending.
constexpr int kMostMistakes = 12;
/// What a command may do without: the planner and the packed layouts of matrices stand in for them.
constexpr std::string_view kChoices = "Choices", kMemory = "Memory";

/// A command line and what its command says about it.
struct JudgedLine {
  CommonOptions common;
  Command jute;
  Request request;
  std::optional<Error> mistake;

  explicit JudgedLine(const std::vector<std::string>& words)
      : jute(jute_command(common)), request(parse(jute, "jute", words)) {
    if (request.kind == Request::Kind::mistake) mistake = request.mistake;
    if (request.kind != Request::Kind::run) return;
    if (request.command->judge) judge();
  }

 private:
  void judge() {
    try {
      check_common(*request.command, common);
      request.command->judge({common, std::cout, std::cerr});
    } catch (const Exception& exception) {
      mistake = exception.error();
    } catch (const UsageError& error) {
      mistake = error.error();
    }
  }
};

/// The option that gives an operand its value: `--tile` for `tile.m`.
const Option* option_of(const Command& command, const std::string& operand) {
  const std::vector<std::string> names = options_of_operand(operand);
  const auto found = std::ranges::find_if(command.options, [&](const Option& option) {
    return std::ranges::find(names, spoken_name(option)) != names.end();
  });
  return found == command.options.end() ? nullptr : &*found;
}

bool is_choice(const Option& option) { return option.group == kChoices || option.group == kMemory; }
bool is_limit(const Option& option) { return std::holds_alternative<Limit>(option.allowed); }

using Line = std::vector<std::string>;

/// The line with what other programs call otherwise as it is here, or without what another command
/// has.
std::optional<Line> translated(const Line& words, const PlacedCommand& command,
                               const Error& error) {
  const auto line = [](std::optional<Translation> found) {
    return found ? std::optional(std::move(found->words)) : std::nullopt;
  };
  if (error.operand == "arguments") return named_strays(words, error.value, command);
  if (error.operand == "command") return line(translated_command(words, error.value, command));
  if (error.operand != "option") return std::nullopt;
  if (auto ours = line(translated_option(words, error.value, command))) return ours;
  const bool is_elsewhere = error.violated_rules.front().ends_with(kHaveIt);
  return is_elsewhere ? without_option(words, error.value) : std::nullopt;
}

/// Lines that may be taken in place of a refused one, the likelier first: with what is nearest;
/// without the choice that is refused, or with one that was left to the planner; and where it does
/// not go with the others, without one of those.
std::vector<Line> mended(const Line& words, const Command& root, const Command& command,
                         const Error& error) {
  std::vector<Line> lines;
  const auto add = [&](std::optional<Line> line) {
    if (line) lines.push_back(*std::move(line));
  };
  const PlacedCommand own = placed_in(root, command);
  if (auto line = translated(words, own, error)) return {*std::move(line)};
  // Of words that an option may be missing before, which is not known.
  if (error.operand == "arguments" && takes_strays(own, error.value)) return {};
  add(corrected(words, error));
  const Option* option = option_of(command, error.operand);
  if (option == nullptr || !(is_choice(*option) || is_limit(*option))) return lines;
  const std::string& name = spoken_name(*option);
  if (is_given(words, name)) {
    add(without_option(words, name));
  } else if (error.nearest_legal && error.operand.find('.') == std::string::npos) {
    lines.push_back(words);
    lines.back().insert(lines.back().end(), {name, *error.nearest_legal});
  }
  for (auto word = words.rbegin(); word != words.rend(); ++word)
    for (const Option& other : command.options)
      if (other.group == kChoices && is_given({*word}, spoken_name(other)))
        add(without_option(words, spoken_name(other)));
  return lines;
}

}  // namespace

std::optional<Line> way_out(const Line& words, const Error& error) {
  std::vector<Line> seen{words};
  Error mistake = error;
  for (int i = 0; i < kMostMistakes; ++i) {
    const JudgedLine before(seen.back());
    std::vector<Line> lines = mended(seen.back(), before.jute, *before.request.command, mistake);
    const auto line = std::ranges::find_if(
        lines, [&](const Line& one) { return std::ranges::find(seen, one) == seen.end(); });
    if (line == lines.end()) return std::nullopt;
    seen.push_back(std::move(*line));
    const JudgedLine after(seen.back());
    if (!after.mistake) return seen.back();
    mistake = *after.mistake;
  }
  return std::nullopt;
}

}  // namespace jute::command
