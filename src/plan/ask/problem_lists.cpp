// Lines that say many problems: N, K and batch may be lists, or go by steps.
#include <algorithm>
#include <utility>

#include "base/format.hpp"
#include "plan/ask/problem_words.hpp"

namespace jute::plan {
namespace {

/// A word's choices, and its place in the line.
struct Listed {
  std::size_t at = 0, size = 0;
  std::vector<std::string> choices{};
};

bool is_list(const ProblemWord& word) {
  return (word.name == "N" || word.name == "K" || word.name == "batch") &&
         word.value.find_first_of(",:") != std::string_view::npos;
}

std::vector<Index> numbers_between(const ProblemWord& word, char separator) {
  std::vector<Index> numbers;
  for (std::size_t at = 0; at <= word.value.size();) {
    const std::size_t end = std::min(word.value.find(separator, at), word.value.size());
    const std::optional<Index> number = whole_number(word.value.substr(at, end - at));
    if (!number || *number < 0)
      refuse_text(ErrorCode::syntax, std::string(word.name), word.value, word.value_at + at,
                  base::format("{} must be whole numbers, as 64,128 or 64:256:64", word.name));
    numbers.push_back(*number);
    at = end + 1;
  }
  return numbers;
}

void refuse_many(const ProblemWord& word) {
  refuse_text(ErrorCode::syntax, std::string(word.name), word.value, word.value_at,
              base::format("a line must say at most {} problems", kMostListed),
              std::to_string(kMostListed));
}

/// `64:256:64`: 64, 128, 192, 256.
std::vector<std::string> stepped(const ProblemWord& word) {
  const std::vector<Index> numbers = numbers_between(word, ':');
  if (numbers.size() != 3 || numbers[2] < 1 || numbers[1] < numbers[0] ||
      (numbers[1] - numbers[0]) % numbers[2] != 0)
    refuse_text(
        ErrorCode::syntax, std::string(word.name), word.value, word.value_at,
        base::format("steps of {} must lead from the first to the last, as 64:256:64", word.name));
  const Index steps = (numbers[1] - numbers[0]) / numbers[2];
  if (steps >= static_cast<Index>(kMostListed)) refuse_many(word);
  std::vector<std::string> choices;
  for (Index i = 0; i <= steps; ++i) choices.push_back(std::to_string(numbers[0] + i * numbers[2]));
  return choices;
}

Listed listed(const ProblemWord& word) {
  Listed made{word.value_at, word.value.size(), {}};
  if (word.value.find(':') != std::string_view::npos) {
    made.choices = stepped(word);
    return made;
  }
  for (const Index number : numbers_between(word, ','))
    made.choices.push_back(std::to_string(number));
  return made;
}

}  // namespace

std::vector<Problem> listed_problems(std::string_view line) {
  std::vector<Listed> lists;
  std::size_t count = 1;
  for (const ProblemWord& word : problem_words(line)) {
    if (!is_list(word)) continue;
    lists.push_back(listed(word));
    count *= lists.back().choices.size();
    if (count > kMostListed) refuse_many(word);
  }
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text(line);
    std::size_t rest = i;
    for (auto list = lists.rbegin(); list != lists.rend(); ++list) {
      std::string choice = list->choices[rest % list->choices.size()];
      rest /= list->choices.size();
      choice.resize(std::max(choice.size(), list->size), ' ');  // so that places stay true
      text.replace(list->at, list->size, choice);
    }
    problems.push_back(parse_problem(text));
  }
  return problems;
}

}  // namespace jute::plan
