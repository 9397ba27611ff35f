// Flags from the table of words.
#include "options/said_flags.hpp"

#include <jute/atom/value_type.hpp>
#include <jute/base/retold.hpp>
#include <jute/dist/distributed_problem.hpp>

#include <algorithm>
#include <array>

#include "tree/words.hpp"

namespace jute::command {
namespace {

constexpr std::string_view kPlanners = "auto";  // what a choice says that is left to the planner

/// What help tells a group's flags under.
constexpr std::array<std::string_view, 10> kHeadings{"Problem", "Problem",      "Problem", "Memory",
                                                     "Scales",  "Epilogue",     "Groups",  "Memory",
                                                     "Choices", "Several ranks"};

Words element_types() {
  Words types;
  for (const ValueType& type : value_types())
    if (type.dtype && find_dtype(type.name)) types.emplace_back(type.name);
  for (const DType type : {DType::s4, DType::u4, DType::e2m1}) types.emplace_back(name(type));
  return types;
}

/// Rules of a value beyond what reads it, and what holds where it is left out.
void put_rules(Option& option, const Keyword& word, std::string& said) {
  constexpr int kWide = 64, kNarrow = 32;
  Words words = words_in(word.words);
  switch (word.kind) {
    case WordKind::text:
      break;
    case WordKind::one_of:
      if (word.group == WordGroup::choices) said = words.front();
      option.one_of(std::move(words));
      break;
    case WordKind::offered:
      option.offers(std::move(words));
      break;
    case WordKind::choice:
      said = kPlanners;
      words.insert(words.begin(), said);
      option.one_of(std::move(words));
      break;
    case WordKind::type:
      option.offers(words.empty() ? element_types() : std::move(words));
      break;
    case WordKind::extent:
      option.takes(Strays::extent);
      [[fallthrough]];
    case WordKind::number:
      option.whole(kWide);
      break;
    case WordKind::bytes:
      said = word.words;
      option.whole(kNarrow);
      break;
  }
  if (!said.empty()) option.with_default();
}

std::span<const Keyword> table_of(WordGroup group) {
  if (group == WordGroup::ranks) return words_of_ranks();
  return group == WordGroup::choices ? words_of_choices() : words_of_problems();
}

}  // namespace

const std::string& SaidFlags::operator[](std::string_view word) const {
  static const std::string kNothing;
  const auto said = words.find(word);
  return said == words.end() || said->second == kPlanners ? kNothing : said->second;
}

std::optional<Index> SaidFlags::number(std::string_view word) const {
  const std::string& said = (*this)[word];
  return said.empty() ? std::nullopt : std::optional<Index>(std::stoll(said));
}

bool SaidFlags::any() const {
  return std::ranges::any_of(words_of_problems(), [&](const Keyword& word) {
    const std::string& said = (*this)[word.name];
    return !said.empty() && !(word.kind == WordKind::bytes && said == word.words);
  });
}

void add_word_flags(Command& command, SaidFlags& said, WordGroup group) {
  for (const Keyword& word : table_of(group)) {
    if (word.group != group || word.flag.empty()) continue;
    std::string& text = said.words[word.name];
    Option& option = command.option(word.flag, &text, word.about)
                         .under(std::string(kHeadings[static_cast<size_t>(group)]));
    const bool is_number = word.kind >= WordKind::extent;
    if (is_number || !word.takes.empty()) option.type(is_number ? "INT" : std::string(word.takes));
    put_rules(option, word, text);
    if (word.is_usual) option.usual();
    option.also_called({std::string(word.name), std::string(word.keyword)});
  }
}

std::vector<ToldWord> told_words() {
  std::vector<ToldWord> told;
  for (const auto& table : {words_of_problems(), words_of_choices(), words_of_ranks()})
    for (const Keyword& word : table)
      told.push_back({&word, kHeadings[static_cast<size_t>(word.group)]});
  return told;
}

Words flags_of(const std::vector<WordGroup>& groups) {
  Words flags;
  for (const Keyword& word : words_of_problems())
    if (!word.flag.empty() && std::ranges::find(groups, word.group) != groups.end())
      flags.emplace_back(word.flag);
  return flags;
}

std::string flag_of(std::string_view word) {
  return std::string(find_word(words_of_problems(), word)->flag);
}

Problem problem_of_flags(const std::vector<SaidWord>& words) {
  return retold([&] { return problem_of_words(words); },
                [](Error& error) {
                  const Keyword* const word = find_word(words_of_problems(), error.operand);
                  const bool has_flag = word != nullptr && !word->flag.empty();
                  if (has_flag && word->name != "epilogue") error.operand = word->flag;
                });
}

std::vector<SaidWord> words_of(const SaidFlags& said, const std::vector<WordGroup>& groups,
                               std::vector<SaidWord> facts) {
  for (const Keyword& word : words_of_problems()) {
    if (std::ranges::find(groups, word.group) == groups.end() || said[word.name].empty()) continue;
    if (std::ranges::find(facts, word.name, &SaidWord::name) == facts.end())
      facts.push_back({std::string(word.name), said[word.name]});
  }
  return facts;
}

}  // namespace jute::command
