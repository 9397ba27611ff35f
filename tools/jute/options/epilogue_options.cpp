// Epilogue flags: from texts to a problem's epilogue.
#include "options/epilogue_options.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/epilogue/quantise.hpp>
#include <jute/plan/ask/epilogue.hpp>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "options/problem_options.hpp"

namespace jute::command {
namespace {

constexpr std::string_view kByValue = "value";

/// `bf16`, `bf16:col`, and of an input `value`.
void set_type(EpilogueOperand& operand, const std::string& flag, const std::string& word) {
  if (word == kByValue) {
    operand.by_value = true;
    return;
  }
  const std::size_t colon = word.find(':');
  operand.type = parse_dtype(word.substr(0, colon));
  if (colon != std::string::npos) operand.order = parse_order(flag, word.substr(colon + 1));
}

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
  try {
    return parse_epilogue(text);
  } catch (const Exception& exception) {
    Error error = exception.error();
    error.nearest_legal = mended(text, error);
    if (error.nearest_legal) error.value = text;
    throw Exception(std::move(error));
  }
}

void add_epilogue_flags(Command& command, EpilogueOptions& options) {
  const OptionGroup group{command, "Epilogue"};
  group
      .option("--epilogue", &options.text,
              "What becomes of a sum: \"relu(alpha*acc + bias[n])\"; see jute epilogue")
      .usual();
  group
      .option("--gate", &options.gate,
              "Of an epilogue that names gate, the sum with the other half of B, which has 2N "
              "columns: the gate's are the first N (halves), or every other (pairs)")
      .one_of({"halves", "pairs"});
  group.option("--quantise-d BLOCK", &options.quantise_d,
               "D e4m3, e5m2 or s8 with a scale for each block of so many rows and columns, the "
               "output scale_d: 1x128, 128x128; for each row, or for all of it: row, tensor");
  group
      .option("--round-d", &options.round_d,
              "How D is rounded: to nearest, or by random words of a seed, which a run says")
      .one_of({"nearest", "stochastic"});
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

bool has_gate(const EpilogueOptions& options) {
  return !options.text.empty() && names(read_epilogue(options.text), EpilogueOp::gate);
}

namespace {

/// `1x128`
EpilogueBlock read_block(const std::string& text) {
  if (text == "row") return {1, kWholeExtent};
  if (text == "tensor") return {kWholeExtent, kWholeExtent};
  const std::size_t at = text.find('x');
  const auto number = [&](const std::string& word) {
    const bool is_number = !word.empty() && word.size() < 5 &&
                           std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
    if (!is_number)
      throw UsageError(
          "--quantise-d",
          "it must be rows by columns, as 1x128, or row or tensor; \"" + text + "\" is not");
    return std::stoi(word);
  };
  if (at == std::string::npos) return {number(""), 0};
  return {number(text.substr(0, at)), number(text.substr(at + 1))};
}

/// The epilogue of the flags, with what they say of D alone.
std::optional<EpilogueExpression> expression_of(const Problem& problem,
                                                const EpilogueOptions& options) {
  const bool is_drawn = options.round_d == "stochastic";
  if (options.text.empty() && options.quantise_d.empty() && !is_drawn) return std::nullopt;
  EpilogueExpression expression = !options.text.empty() ? read_epilogue(options.text)
                                  : problem.epilogue    ? problem.epilogue->expression
                                                     : scaled_sum(Factor::run_time, Factor::zero);
  if (!options.quantise_d.empty())
    expression = quantised(expression, read_block(options.quantise_d), problem.d.type);
  return is_drawn ? rounded_by_seed(expression, problem.d.type) : expression;
}

}  // namespace

void add_epilogue(Problem& problem, const EpilogueOptions& options) {
  if (!options.gate.empty()) problem.gate = parse_gate_columns(options.gate);
  if (std::optional<EpilogueExpression> asked = expression_of(problem, options)) {
    problem.epilogue = Epilogue{.expression = *std::move(asked)};
    const EpilogueExpression& expression = problem.epilogue->expression;
    for (const EpilogueInput& input : expression.inputs)
      problem.epilogue->inputs.push_back(usual_operand(problem, input));
    for (const EpilogueOutput& output : expression.outputs)
      problem.epilogue->outputs.push_back(usual_operand(problem, output));
  }
  for (const NamedWord& word : named_words("--input-type", options.input_types)) {
    const std::size_t place = place_of("--input-type", input_names(problem), word.name);
    set_type(problem.epilogue->inputs[place], "--input-type", word.word);
  }
  for (const NamedWord& word : named_words("--output-type", options.output_types)) {
    const std::size_t place = place_of("--output-type", output_names(problem), word.name);
    set_type(problem.epilogue->outputs[place], "--output-type", word.word);
  }
}

}  // namespace jute::command
