// Reads the emulator's options from words.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/parsed_number.hpp>
#include <jute/base/refuse.hpp>
#include <jute/emulator/options_text.hpp>
#include <jute/launch/device_presets.hpp>

#include <array>
#include <string>
#include <vector>

#include "base/format.hpp"

namespace jute {
namespace {

[[noreturn]] void refuse_name(std::string_view operand, std::string_view value,
                              const std::string& rule, const std::vector<std::string>& known) {
  jute::refuse(ErrorCode::unknown_name, std::string(operand), std::string(value), rule,
               nearest_name(value, known));
}

template <class Number>
Number number_of(std::string_view operand, std::string_view given, std::string_view digits,
                 std::string_view rule, std::string_view nearest) {
  if (const auto number = parsed_number<Number>(digits); number && *number >= Number{})
    return *number;
  jute::refuse(ErrorCode::syntax, std::string(operand), std::string(given), std::string(rule),
               std::string(nearest));
}

template <class Number>
Number count_of(std::string_view choice, std::string_view value) {
  return number_of<Number>(choice, value, value, "it must be a number, 0 or more", "0");
}

Check parse_check(std::string_view text) {
  if (text == "none") return Check::none;
  if (text == "memory") return Check::memory;
  if (text == "full") return Check::full;
  refuse_name("check", text, "a check must be none, memory or full", {"none", "memory", "full"});
}

void choose_schedule(EmulatorOptions& options, std::string_view text) {
  constexpr std::string_view kRandom = "random:";
  constexpr std::array kPlain{std::pair("fixed", Schedule::fixed),
                              std::pair("late", Schedule::late),
                              std::pair("early", Schedule::early)};
  for (const auto& [name, schedule] : kPlain)
    if (text == name) {
      options.schedule = schedule;
      return;
    }
  if (!text.starts_with(kRandom))
    refuse_name("schedule", text, "a schedule must be fixed, early, late or random:SEED",
                {"fixed", "early", "late", "random:0"});
  options.schedule = Schedule::random;
  options.seed =
      number_of<std::uint64_t>("schedule", text, text.substr(kRandom.size()),
                               "the seed must be an integer from 0 to 2^64-1", "random:0");
}

struct ChoiceRow {
  std::string_view name;
  void (*make)(EmulatorOptions& options, std::string_view value);
};
// clang-format off
constexpr std::array kChoices{
    ChoiceRow{"device",   [](EmulatorOptions& o, std::string_view v) { o.device = device_preset(v); }},
    ChoiceRow{"check",    [](EmulatorOptions& o, std::string_view v) { o.check = parse_check(v); }},
    ChoiceRow{"schedule", choose_schedule},
    ChoiceRow{"resident", [](EmulatorOptions& o, std::string_view v) { o.resident_blocks = count_of<int>("resident", v); }},
    ChoiceRow{"threads",  [](EmulatorOptions& o, std::string_view v) { o.threads = count_of<int>("threads", v); }},
    ChoiceRow{"max-instructions", [](EmulatorOptions& o, std::string_view v) {
                o.warp_instructions_per_block = count_of<Index>("max-instructions", v); }},
    ChoiceRow{"max-memory", [](EmulatorOptions& o, std::string_view v) {
                o.memory_bytes = count_of<Index>("max-memory", v); }},
};
// clang-format on

}  // namespace

void choose(EmulatorOptions& options, std::string_view choice, std::string_view value) {
  std::vector<std::string> known;
  for (const ChoiceRow& row : kChoices) {
    if (row.name == choice) {
      row.make(options, value);
      return;
    }
    known.emplace_back(row.name);
  }
  refuse_name("option", choice, "it must be one of " + joined(known), known);
}

EmulatorOptions parse_emulator_options(std::string_view text) {
  EmulatorOptions options;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.empty()) continue;
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos)
      jute::refuse(ErrorCode::syntax, "option", std::string(word),
                   "it must be a choice and its value: check=full", std::string(word) + "=");
    choose(options, word.substr(0, equals), word.substr(equals + 1));
  }
  return options;
}

}  // namespace jute
