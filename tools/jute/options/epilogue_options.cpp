// Epilogue flags: from texts to a problem's epilogue.
#include "options/epilogue_options.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/base/retold.hpp>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "options/problem_options.hpp"

namespace jute::command {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::optional<std::string> if_read(const std::string& text) {
  try {
    (void)parse_epilogue(text);
    return text;
  } catch (const Exception&) {
    return std::nullopt;
  }
}

/// The whole text with the operand or the brackets that its end lacks.
std::optional<std::string> closed(std::string text) {
  constexpr int kMostOpen = 8;
  if (!text.empty() && is_word(text.back()))
    if (auto whole = if_read(text + "(acc)")) return whole;
  for (int i = 0; i < kMostOpen; ++i)
    if (auto whole = if_read(text += ')')) return whole;
  return std::nullopt;
}

/// The whole text with the nearest legal word in the place of the wrong one, where that can be
/// read.
std::optional<std::string> mended(const std::string& text, const Error& error) {
  if (!error.position) return std::nullopt;
  const auto column = static_cast<std::size_t>(error.position->column - 1);
  if (!error.nearest_legal) return closed(text);
  std::size_t first = std::min(column, text.size()), end = first;
  if (const std::size_t at = text.rfind(error.value, column);
      at != std::string::npos && at + error.value.size() >= column)
    if (auto whole =
            if_read(std::string(text).replace(at, error.value.size(), *error.nearest_legal)))
      return whole;
  if (end < text.size() && is_word(text[end]))
    while (end < text.size() && is_word(text[end])) ++end;
  else  // what is wrong is what the word before lacks
    while (first > 0 && is_word(text[first - 1])) --first;
  return if_read(text.substr(0, first) + *error.nearest_legal + text.substr(end));
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& list) {
  std::vector<std::string> names;
  for (const Named& one : list) names.push_back(one.name);
  return names;
}

}  // namespace

EpilogueExpression read_epilogue(const std::string& text) {
  return retold([&] { return parse_epilogue(text); },
                [&](Error& error) {
                  error.nearest_legal = mended(text, error);
                  if (error.nearest_legal) error.value = text;
                });
}

void add_epilogue_flags(Command& command, ProblemOptions& options) {
  add_word_flags(command, options.said, WordGroup::epilogue);
  const OptionGroup group{command, "Epilogue"};
  group.option("--input-type NAME=TYPE", &options.input_types,
               "Elements of an input: bias=bf16, x=f16:col; s=value passes a scalar as a number");
  group.option("--output-type NAME=TYPE", &options.output_types, "Elements of an output: g=bf16");
}

NamedWord named_word(const std::string& flag, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw UsageError(flag, "it must be NAME=WORD, as in bias=bf16; \"" + text + "\" is not");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<NamedWord> named_words(const std::string& flag, const std::vector<std::string>& texts) {
  std::vector<NamedWord> words;
  for (const std::string& text : texts) {
    NamedWord word = named_word(flag, text);
    if (std::ranges::find(words, word.name, &NamedWord::name) != words.end())
      throw UsageError(flag + " " + word.name, "it must be given once");
    words.push_back(std::move(word));
  }
  return words;
}

std::size_t place_of(const std::string& flag, const std::vector<std::string>& names,
                     const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  refuse(
      ErrorCode::unknown_name, flag, name,
      "the epilogue must name it; it has " + (names.empty() ? std::string("none") : joined(names)),
      nearest_name(name, names));
}

std::vector<std::string> input_names(const Problem& problem) {
  return problem.epilogue ? names_of(problem.epilogue->expression.inputs)
                          : std::vector<std::string>();
}
std::vector<std::string> output_names(const Problem& problem) {
  return problem.epilogue ? names_of(problem.epilogue->expression.outputs)
                          : std::vector<std::string>();
}

bool has_gate(const ProblemOptions& options) {
  const std::string& text = options.said["epilogue"];
  return !text.empty() && names(read_epilogue(text), EpilogueOp::gate);
}

Problem with_named(std::vector<SaidWord> words, const ProblemOptions& options) {
  const auto epilogue = std::ranges::find(words, "epilogue", &SaidWord::name);
  if (epilogue != words.end()) (void)read_epilogue(epilogue->value);
  const auto inputs = named_words("--input-type", options.input_types),
             outputs = named_words("--output-type", options.output_types);
  Problem problem = problem_of_flags(words);
  if (inputs.empty() && outputs.empty()) return problem;
  for (const NamedWord& word : inputs) {
    (void)place_of("--input-type", input_names(problem), word.name);
    words.push_back({word.name, word.word == "value" ? "by-value" : word.word});
  }
  for (const NamedWord& word : outputs) {
    (void)place_of("--output-type", output_names(problem), word.name);
    words.push_back({word.name, word.word});
  }
  return problem_of_flags(words);
}

void add_epilogue(Problem& problem, const ProblemOptions& options) {
  const std::vector<SaidWord> said = words_of(options.said, {WordGroup::epilogue});
  std::vector<SaidWord> words = said_words(to_string(problem));
  std::erase_if(words, [&](const SaidWord& word) {
    return std::ranges::find(said, word.name, &SaidWord::name) != said.end();
  });
  words.insert(words.end(), said.begin(), said.end());
  Problem read = with_named(std::move(words), options);
  problem.epilogue = std::move(read.epilogue);
  problem.gate = read.gate;
}

}  // namespace jute::command
