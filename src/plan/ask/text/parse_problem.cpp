// A problem from its text: each word is a row of a table; what is left out goes by the rest.
#include <jute/base/nearest_name.hpp>
#include <jute/epilogue/quantise.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/ask/words.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/format.hpp"
#include "plan/ask/text/draft.hpp"

namespace jute {
namespace plan {
namespace {

/// Words that say what an epilogue is, ahead of those for what it names.
bool is_of_epilogue(const ProblemWord& word) {
  return word.name == "epilogue" || word.name == "quantise_d" || word.name == "round_d";
}

/// Refusals of readers that know their own text alone say where it stands in the whole one.
void read_word(const WordRow& row, ProblemDraft& draft, const ProblemWord& word) {
  const bool is_epilogue = row.word.name == "epilogue";
  try {
    row.read(draft, word);
  } catch (const Exception& exception) {
    Error error = exception.error();
    const bool is_placed = !is_epilogue && error.position;
    if (is_placed) throw;
    const int inside = error.position ? error.position->column - 1 : 0;
    error.position = SourcePosition{1, static_cast<int>(word.value_at) + inside + 1};
    if (!is_epilogue) error.operand = std::string(word.name);
    if (error.value.empty()) error.value = std::string(word.value);
    throw Exception(std::move(error));
  }
}

/// Names in an epilogue, with those that blocks and drawn words add to it.
std::vector<std::string> names_of_epilogue(const ProblemDraft& draft) {
  std::vector<std::string> names;
  if (draft.quantised) names.emplace_back("scale_d");
  if (draft.is_drawn) names.emplace_back("seed");
  if (!draft.problem.epilogue) return names;
  for (const auto& input : draft.problem.epilogue->expression.inputs) names.push_back(input.name);
  for (const auto& output : draft.problem.epilogue->expression.outputs)
    names.push_back(output.name);
  return names;
}

/// The words about what an epilogue names, which stand behind it; they leave `words`.
std::vector<ProblemWord> take_named(std::vector<ProblemWord>& words,
                                    const std::vector<std::string>& names) {
  const auto first = std::stable_partition(
      std::ranges::find_if(words, is_of_epilogue), words.end(),
      [&](const ProblemWord& word) { return std::ranges::find(names, word.name) == names.end(); });
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

[[noreturn]] void refuse_name(const ProblemWord& word, const ProblemDraft& draft) {
  if (word.name == "mesh")
    refuse_text(ErrorCode::unknown_name, "problem", word.name, word.at,
                "a problem must be one rank's here: of several ranks jute plan, gemm, bench and "
                "draw read one, and parse_distributed_problem");
  std::vector<std::string> known;
  for (const Keyword& row : words_of_problems()) known.emplace_back(row.name);
  for (std::string& name : names_of_epilogue(draft)) known.push_back(std::move(name));
  std::optional<std::string> nearest = nearest_name(word.name, known);
  for (const Keyword& row : words_of_problems())  // as the command or Python calls it
    if (row.keyword == word.name || row.flag == word.name) nearest = row.name;
  refuse_text(ErrorCode::unknown_name, "problem", word.name, word.at,
              "a name must be one of: " + joined(known), std::move(nearest));
}

/// The extent that groups cut, where a bound of all of them says it.
Index* bounded_extent(ProblemDraft& draft) {
  Problem& problem = draft.problem;
  if (!draft.bound || !problem.groups || problem.groups->kind == GroupKind::each) return nullptr;
  if (problem.groups->kind == GroupKind::cols) return &problem.n;
  return problem.groups->kind == GroupKind::k ? &problem.k : &problem.m;
}

void put_extents(ProblemDraft& draft, const std::vector<ProblemWord>& words,
                 std::string_view text) {
  const auto find = [&](std::string_view name) {
    return std::ranges::find(words, name, &ProblemWord::name);
  };
  Problem& problem = draft.problem;
  Index* const bounded = bounded_extent(draft);
  for (const auto& [extent, number] :
       {std::pair{"M", &problem.m}, std::pair{"N", &problem.n}, std::pair{"K", &problem.k}})
    if (const auto said = find(extent); said != words.end() && number == bounded)
      refuse_text(ErrorCode::syntax, std::string(extent), said->value, said->value_at,
                  "it must be left out: bound says it of all groups");
    else if (said == words.end() && number != bounded && !(problem.m_range && number == &problem.m))
      refuse_text(ErrorCode::syntax, std::string(extent), "", text.size(),
                  base::format("a problem must say M, N and K, as in M=48 N=40 K=32; {} is missing",
                               extent));
  const auto rows = find("M"), range = find("m_range");
  if (range != words.end() && rows != words.end() &&
      rows->value.find(':') != std::string_view::npos)
    refuse_text(ErrorCode::syntax, "m_range", range->value, range->value_at,
                "m_range must be left out where M is a range itself");
  if (problem.m_range && rows == words.end()) problem.m = problem.m_range->last;
  if (bounded != nullptr) *bounded = *draft.bound;
  if (draft.expected && problem.groups) problem.groups->expected = *draft.expected;
}

/// Numbers of an operand's blocks, which words for the operand are about, too.
void put_numbers(OperandScale& scale, const MatrixText& operand,
                 const std::optional<ValueBlock>& block, std::string_view letter) {
  if (block && !scale.scale && !scale.zero)
    refuse_text(ErrorCode::syntax, base::format("block_{}", letter), "", 0,
                "it needs what blocks have: a scale or a zero point");
  for (std::optional<BlockValues>* const numbers : {&scale.scale, &scale.zero}) {
    if (!*numbers) continue;
    if (block) (*numbers)->block = *block;
    if (operand.is_for_numbers) (*numbers)->order = *operand.order;
  }
}

/// Completes matrices by each other where something is left out: B's type is A's, D's the usual one
/// of A's, C lies as D does.
void put_matrices(ProblemDraft& draft) {
  Problem& problem = draft.problem;
  if (!draft.a.type) draft.a.type = draft.type;
  if (!draft.b.type) draft.b.type = draft.type;
  problem.a.type = draft.a.type.value_or(draft.b.type.value_or(DType::f32));
  problem.b.type = problem.a.type;
  put(problem.a, draft.a);
  put(problem.b, draft.b);
  put_numbers(problem.scale_a, draft.a, draft.block_a, "a");
  put_numbers(problem.scale_b, draft.b, draft.block_b, "b");
  const std::optional<DType> staged = problem.staged ? problem.staged : usual_staged_type(problem);
  problem.d.type = usual_output_type(staged.value_or(problem.a.type));
  put(problem.d, draft.d);
  problem.c.type = problem.d.type;
  problem.c.order = problem.d.order;
  put(problem.c, draft.c);
}

/// The epilogue with what is said of D alone.
void put_epilogue(ProblemDraft& draft) {
  Problem& problem = draft.problem;
  if (!draft.quantised && !draft.is_drawn) return;
  EpilogueExpression expression =
      problem.epilogue ? problem.epilogue->expression : scaled_sum(problem.alpha, Factor::zero);
  if (draft.quantised) expression = quantised(expression, *draft.quantised, problem.d.type);
  if (draft.is_drawn) expression = rounded_by_seed(expression, problem.d.type);
  problem.epilogue = Epilogue{.expression = std::move(expression)};
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

/// The problem that words say; of a text also where each of them stands in it.
Problem problem_of(std::vector<ProblemWord> words, std::string_view text) {
  ProblemDraft draft;
  for (const ProblemWord& word : words)
    if (is_of_epilogue(word)) read_word(*find_row(word.name), draft, word);
  const std::vector<ProblemWord> named = take_named(words, names_of_epilogue(draft));
  check_once(words);
  check_once(named);
  for (const ProblemWord& word : words) {
    const WordRow* const row = find_row(word.name);
    if (row == nullptr) refuse_name(word, draft);
    if (!is_of_epilogue(word)) read_word(*row, draft, word);
  }
  put_extents(draft, words, text);
  put_matrices(draft);
  put_epilogue(draft);
  put_named(draft.problem, named);
  return std::move(draft.problem);
}

}  // namespace
}  // namespace plan

Problem parse_problem(std::string_view text) {
  return plan::problem_of(plan::problem_words(text), text);
}

Problem problem_of_words(std::span<const SaidWord> said) {
  std::vector<plan::ProblemWord> words;
  for (const SaidWord& word : said) words.push_back({word.name, word.value});
  // Flags and keywords have no order: whatever an epilogue names, they mean the table's.
  std::stable_partition(words.begin(), words.end(), [](const plan::ProblemWord& word) {
    return plan::find_row(word.name) != nullptr && !plan::is_of_epilogue(word);
  });
  try {
    return plan::problem_of(std::move(words), {});
  } catch (const Exception& exception) {
    Error error = exception.error();
    const std::string name = error.operand.substr(0, error.operand.find('.'));
    const auto word = std::ranges::find(said, name, &SaidWord::name);
    if (word == said.end()) throw;
    if (plan::find_row(name) != nullptr) error.operand = name;
    // A piece stands with what is ahead of its value in a matrix's text.
    const bool is_piece = error.value.find(word->value) != error.value.npos;
    if (error.value.empty() || is_piece) error.value = word->value;
    const bool is_whole = error.value == word->value;
    if (is_whole && error.position && error.position->column <= 1) error.position.reset();
    throw Exception(std::move(error));
  }
}

std::vector<SaidWord> said_words(std::string_view text) {
  std::vector<SaidWord> said;
  for (const plan::ProblemWord& word : plan::problem_words(text))
    said.push_back({std::string(word.name), std::string(word.value)});
  return said;
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
