// A problem from its text: each word is a row of a table; what is left out goes by the rest.
#include <jute/base/nearest_name.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/problem.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/format.hpp"
#include "plan/ask/text/problem_words.hpp"

namespace jute {
namespace plan {
namespace {

Index read_number(const ProblemWord& word) {
  if (const auto value = whole_number(word.value)) return *value;
  refuse_text(ErrorCode::syntax, std::string(word.name), word.value, word.value_at,
              base::format("{} must be a whole number", word.name));
}

/// A problem half read: what operands are follows from each other once all is known.
struct Draft {
  Problem problem;
  MatrixText a, b, c, d;
};

/// The same rule of an operand of A·B, which no run passes as a number.
MatrixText read_operand(const ProblemWord& word) {
  const MatrixText matrix = read_matrix(word);
  if (matrix.by_value)
    refuse_text(ErrorCode::syntax, std::string(word.name), "by-value", word.value_at,
                "only a scalar of the epilogue must be passed by value");
  if (matrix.block)
    refuse_text(ErrorCode::syntax, std::string(word.name), word.value, word.value_at,
                "only scales and zero points must have blocks");
  return matrix;
}

/// `f32:row:block1x128`, or of zero points a number.
void read_numbers(OperandScale& scale, const ProblemWord& word) {
  const bool is_zero = word.name.starts_with("zero");
  double offset = 0;
  const char* const end = word.value.data() + word.value.size();
  const auto [rest, status] = std::from_chars(word.value.data(), end, offset);
  if (is_zero && rest == end && status == std::errc()) {
    scale.offset = offset;
    return;
  }
  const MatrixText text = read_matrix(word);
  BlockValues numbers;
  put(numbers, text);
  numbers.block = text.block.value_or(ValueBlock{});
  (is_zero ? scale.zero : scale.scale) = std::move(numbers);
}

void read_rows(Draft& draft, const ProblemWord& word) {
  Problem& problem = draft.problem;
  if (word.value.find(':') == std::string_view::npos) {
    problem.m = read_number(word);
    return;
  }
  problem.m_range = parse_m_range(word.value);
  problem.m = problem.m_range->last;
}

Factor read_scale(const ProblemWord& word) {
  std::vector<std::string> known;
  for (const Factor scale : {Factor::zero, Factor::one, Factor::run_time}) {
    if (name(scale) == word.value) return scale;
    known.emplace_back(name(scale));
  }
  refuse_text(ErrorCode::unknown_name, std::string(word.name), word.value, word.value_at,
              base::format("{} must be one of: {}", word.name, joined(known)),
              nearest_name(word.value, known));
}

void read_epilogue(Draft& draft, const ProblemWord& word) {
  std::string_view text = word.value;
  const bool is_quoted = text.size() > 1 && text.starts_with('"') && text.ends_with('"');
  if (is_quoted) text = text.substr(1, text.size() - 2);
  try {
    draft.problem.epilogue = Epilogue{.expression = parse_epilogue(text)};
  } catch (const Exception& exception) {
    Error error = exception.error();
    if (error.position) error.position->column += is_quoted ? 1 : 0;
    throw Exception(std::move(error));
  }
}

struct WordRow {
  std::string_view name;
  void (*read)(Draft&, const ProblemWord&);
};
// clang-format off
constexpr std::array<WordRow, 21> kWords{{
    {"M", read_rows},
    {"N", [](Draft& draft, const ProblemWord& word) { draft.problem.n = read_number(word); }},
    {"K", [](Draft& draft, const ProblemWord& word) { draft.problem.k = read_number(word); }},
    {"batch", [](Draft& draft, const ProblemWord& word) { draft.problem.batch = read_number(word); }},
    {"A", [](Draft& draft, const ProblemWord& word) { draft.a = read_operand(word); }},
    {"B", [](Draft& draft, const ProblemWord& word) { draft.b = read_operand(word); }},
    {"C", [](Draft& draft, const ProblemWord& word) { draft.c = read_operand(word); }},
    {"D", [](Draft& draft, const ProblemWord& word) { draft.d = read_operand(word); }},
    {"scale_a", [](Draft& draft, const ProblemWord& word) { read_numbers(draft.problem.scale_a, word); }},
    {"scale_b", [](Draft& draft, const ProblemWord& word) { read_numbers(draft.problem.scale_b, word); }},
    {"zero_a", [](Draft& draft, const ProblemWord& word) { read_numbers(draft.problem.scale_a, word); }},
    {"zero_b", [](Draft& draft, const ProblemWord& word) { read_numbers(draft.problem.scale_b, word); }},
    {"staged", [](Draft& draft, const ProblemWord& word) { draft.problem.staged = parse_dtype(word.value); }},
    {"accumulate", [](Draft& draft, const ProblemWord& word) { draft.problem.accumulate = parse_dtype(word.value); }},
    {"precision", [](Draft& draft, const ProblemWord& word) { draft.problem.precision = parse_precision(word.value); }},
    {"alpha", [](Draft& draft, const ProblemWord& word) { draft.problem.alpha = read_scale(word); }},
    {"beta", [](Draft& draft, const ProblemWord& word) { draft.problem.beta = read_scale(word); }},
    {"m_range", [](Draft& draft, const ProblemWord& word) { draft.problem.m_range = parse_m_range(word.value); }},
    {"groups", [](Draft& draft, const ProblemWord& word) { draft.problem.groups = parse_groups(word.value); }},
    {"gate", [](Draft& draft, const ProblemWord& word) { draft.problem.gate = parse_gate_columns(word.value); }},
    {"epilogue", read_epilogue},
}};
// clang-format on

/// Refusals of readers that know their own text alone say where it stands in the whole one.
void read_problem_word(const WordRow& row, Draft& draft, const ProblemWord& word) {
  try {
    row.read(draft, word);
  } catch (const Exception& exception) {
    Error error = exception.error();
    const bool is_placed = row.read != read_epilogue && error.position;
    if (is_placed) throw;
    const int inside = error.position ? error.position->column - 1 : 0;
    error.position = SourcePosition{1, static_cast<int>(word.value_at) + inside + 1};
    if (row.read != read_epilogue) error.operand = std::string(word.name);
    if (error.value.empty()) error.value = std::string(word.value);
    throw Exception(std::move(error));
  }
}

/// The words about what an epilogue names, which stand behind it; they leave `words`.
std::vector<ProblemWord> take_named(std::vector<ProblemWord>& words,
                                    const EpilogueExpression& expression) {
  const auto is_named = [&](const ProblemWord& word) {
    const auto has = [&](const auto& list) {
      return std::ranges::any_of(list, [&](const auto& one) { return one.name == word.name; });
    };
    return has(expression.inputs) || has(expression.outputs);
  };
  const auto epilogue = std::ranges::find(words, "epilogue", &ProblemWord::name);
  const auto first = std::stable_partition(
      epilogue, words.end(), [&](const ProblemWord& word) { return !is_named(word); });
  std::vector<ProblemWord> named(first, words.end());
  words.erase(first, words.end());
  return named;
}

void check_once(const std::vector<ProblemWord>& words) {
  for (auto word = words.begin(); word != words.end(); ++word)
    if (std::find_if(words.begin(), word,
                     [&](const ProblemWord& other) { return other.name == word->name; }) != word)
      refuse_text(ErrorCode::syntax, std::string(word->name), word->value, word->at,
                  base::format("{} must be said once", word->name));
}

[[noreturn]] void refuse_name(const ProblemWord& word, const Problem& problem) {
  if (word.name == "mesh")
    refuse_text(ErrorCode::unknown_name, "problem", word.name, word.at,
                "a problem must be one rank's here: of several ranks jute plan, gemm, bench and "
                "draw read one, and parse_distributed_problem");
  std::vector<std::string> known;
  for (const WordRow& row : kWords) known.emplace_back(row.name);
  if (problem.epilogue) {
    for (const auto& input : problem.epilogue->expression.inputs) known.push_back(input.name);
    for (const auto& output : problem.epilogue->expression.outputs) known.push_back(output.name);
  }
  refuse_text(ErrorCode::unknown_name, "problem", word.name, word.at,
              "a name must be one of: " + joined(known), nearest_name(word.name, known));
}

void check_extents(const std::vector<ProblemWord>& words, std::string_view text) {
  for (const std::string_view extent : {"M", "N", "K"})
    if (std::ranges::find(words, extent, &ProblemWord::name) == words.end())
      refuse_text(ErrorCode::syntax, std::string(extent), "", text.size(),
                  base::format("a problem must say M, N and K, as in M=48 N=40 K=32; {} is missing",
                               extent));
  const auto rows = std::ranges::find(words, "M", &ProblemWord::name);
  const auto range = std::ranges::find(words, "m_range", &ProblemWord::name);
  if (range != words.end() && rows->value.find(':') != std::string_view::npos)
    refuse_text(ErrorCode::syntax, "m_range", range->value, range->value_at,
                "m_range must be left out where M is a range itself");
}

/// What is left out of a matrix goes by the others: B's type is A's, D's the usual one of A's, C
/// lies as D does.
void put_matrices(Draft& draft) {
  Problem& problem = draft.problem;
  problem.a.type = draft.a.type.value_or(draft.b.type.value_or(DType::f32));
  problem.b.type = problem.a.type;
  put(problem.a, draft.a);
  put(problem.b, draft.b);
  const std::optional<DType> staged = problem.staged ? problem.staged : usual_staged_type(problem);
  problem.d.type = usual_output_type(staged.value_or(problem.a.type));
  put(problem.d, draft.d);
  problem.c.type = problem.d.type;
  problem.c.order = problem.d.order;
  put(problem.c, draft.c);
}

void put_named(Problem& problem, const std::vector<ProblemWord>& named) {
  if (!problem.epilogue) return;
  Epilogue& epilogue = *problem.epilogue;
  const auto put_all = [&](std::vector<EpilogueOperand>& operands, const auto& list) {
    for (const auto& one : list) {
      EpilogueOperand operand = usual_operand(problem, one);
      const auto word = std::ranges::find(named, one.name, &ProblemWord::name);
      if (word != named.end()) {
        const MatrixText text = read_matrix(*word);
        put(operand, text);
        operand.by_value = text.by_value;
      }
      operands.push_back(operand);
    }
  };
  std::vector<EpilogueOperand> inputs, outputs;
  put_all(inputs, epilogue.expression.inputs);
  put_all(outputs, epilogue.expression.outputs);
  epilogue.inputs = std::move(inputs);
  epilogue.outputs = std::move(outputs);
  for (std::size_t i = 0; i < epilogue.outputs.size(); ++i)
    if (is_d(epilogue.expression.outputs[i])) epilogue.outputs[i] = {problem.d, false};
}

}  // namespace
}  // namespace plan

Problem parse_problem(std::string_view text) {
  std::vector<plan::ProblemWord> words = plan::problem_words(text);
  plan::Draft draft;
  std::vector<plan::ProblemWord> named;
  const auto epilogue = std::ranges::find(words, "epilogue", &plan::ProblemWord::name);
  if (epilogue != words.end()) {
    plan::read_problem_word(plan::kWords.back(), draft, *epilogue);
    named = plan::take_named(words, draft.problem.epilogue->expression);
  }
  plan::check_once(words);
  plan::check_once(named);
  for (const plan::ProblemWord& word : words) {
    const auto row = std::ranges::find(plan::kWords, word.name, &plan::WordRow::name);
    if (row == plan::kWords.end()) plan::refuse_name(word, draft.problem);
    if (word.name != "epilogue") plan::read_problem_word(*row, draft, word);
  }
  plan::check_extents(words, text);
  plan::put_matrices(draft);
  plan::put_named(draft.problem, named);
  return draft.problem;
}

std::vector<Problem> parse_problems(std::string_view text) {
  std::vector<Problem> problems;
  int line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view words = text.substr(at, end - at);
    words = words.substr(0, words.find('#'));
    at = end + 1;
    if (words.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      for (const std::string& one : plan::listed_lines(words))
        problems.push_back(parse_problem(one));
    } catch (const Exception& exception) {
      Error error = exception.error();
      if (error.position) error.position->line = line;
      throw Exception(std::move(error));
    }
  }
  return problems;
}

}  // namespace jute
