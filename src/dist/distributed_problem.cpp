// Distributed problems: their rules and their text.
#include <jute/base/nearest_name.hpp>
#include <jute/dist/distributed_problem.hpp>
#include <jute/epilogue/expression.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/convert/epilogue_scales.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <ostream>
#include <span>

#include "base/format.hpp"

namespace jute {
namespace {

std::vector<std::string> rules_of(const Problem& problem) {
  std::vector<std::string> rules;
  const auto must = [&](bool holds, std::string_view rule) {
    if (!holds) rules.emplace_back(rule);
  };
  must(problem.batch == 1, "a distributed product must be of one matrix: batch 1");
  must(!problem.groups, "a distributed product must be without groups");
  must(!problem.m_range, "a distributed product must have one M");
  must(is_plain(problem.scale_a) && is_plain(problem.scale_b),
       "a distributed product must have scales along all of K, one for each row of A, column of B "
       "or matrix");
  for (const Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d}) {
    must(!matrix->view, "a distributed matrix must have an order, no view");
    must(width_bits(matrix->type) >= 8, "elements of distributed matrices must be whole bytes");
  }
  if (problem.epilogue) {
    const EpilogueExpression& it = problem.epilogue->expression;
    must(it.outputs.size() == 1 && is_d(it.outputs.front()),
         "a distributed epilogue must have d alone");
    must(it.inputs.size() + 2 <= static_cast<std::size_t>(kMostEpilogueInputs),
         base::format("a distributed epilogue must have at most {} inputs",
                      kMostEpilogueInputs - 2));
    must(!names(it, EpilogueOp::a_sum) && !names(it, EpilogueOp::b_sum),
         "a distributed epilogue must be without sums of operands");
    // Both depend on an element's place in D, which a rank's kernel does not know.
    must(!names(it, EpilogueOp::stochastic) && !names(it, EpilogueOp::block_amax),
         "a distributed epilogue must be without stochastic rounding and amax");
    for (const EpilogueOperand& input : problem.epilogue->inputs)
      must(!input.view && width_bits(input.type) >= 8,
           "inputs of a distributed epilogue must have an order and be of whole bytes");
  }
  return rules;
}

DType usual_wire(const Problem& problem) {
  const DType accumulate = problem.accumulate.value_or(DType::f32);
  return accumulate == DType::f64 || accumulate == DType::s32 ? accumulate : DType::f32;
}

/// Words beside a problem's own.
constexpr std::array<std::string_view, 7> kDistributedWords{
    "mesh=", "place=", "share=", "wire=", "overlap=", "reduce=", "transport-sms="};
constexpr std::array<std::string_view, 6> kOverlaps{"none",    "chunks", "one-shot",
                                                    "arrival", "store",  "fastest"};
constexpr std::array<std::string_view, 2> kReductions{"ordered", "nccl"};

std::size_t place_of_word(std::string_view operand, std::string_view text,
                          std::span<const std::string_view> words) {
  const auto found = std::ranges::find(words, text);
  const std::vector<std::string> known(words.begin(), words.end());
  if (found == words.end())
    throw Exception({.code = ErrorCode::unknown_name,
                     .operand = std::string(operand),
                     .value = std::string(text),
                     .violated_rules = {"it must be one of " + joined(known)},
                     .nearest_legal = nearest_name(text, known)});
  return static_cast<std::size_t>(found - words.begin());
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Where a word ends: at a blank outside quotes.
std::size_t end_of_word(std::string_view text, std::size_t at) {
  bool is_quoted = false;
  for (; at < text.size() && (is_quoted || !is_blank(text[at])); ++at)
    if (text[at] == '"') is_quoted = !is_quoted;
  return at;
}

int multiprocessors_of(std::string_view text) {
  int count = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (fault != std::errc() || end != text.data() + text.size() || count < 0)
    throw Exception({.code = ErrorCode::syntax,
                     .operand = "transport-sms",
                     .value = std::string(text),
                     .violated_rules = {"it must be a number of multiprocessors, 0 or more"}});
  return count;
}

void put_word(DistributedProblem& problem, std::size_t word, std::string_view value) {
  switch (word) {
    case 0:
      problem.mesh = parse_mesh(value);
      break;
    case 1:
      problem.placements = parse_placements(value);
      break;
    case 2:
      problem.share = parse_share(value);
      break;
    case 3:
      problem.wire = parse_dtype(value);
      break;
    case 4:
      problem.overlap = parse_overlap(value);
      break;
    case 5:
      problem.reduce = parse_reduction(value);
      break;
    default:
      problem.transport_sms = multiprocessors_of(value);
  }
}

/// A refusal with its place in the whole text.
template <class Function>
void at_place(std::size_t at, Function function) {
  try {
    function();
  } catch (const Exception& exception) {
    Error error = exception.error();
    error.position =
        SourcePosition{1, static_cast<int>(at) + (error.position ? error.position->column : 1)};
    throw Exception(std::move(error));
  }
}

}  // namespace

std::string_view name(OverlapChoice choice) { return kOverlaps[static_cast<std::size_t>(choice)]; }

std::string_view name(Reduction reduction) {
  return kReductions[static_cast<std::size_t>(reduction)];
}

OverlapChoice parse_overlap(std::string_view text) {
  return static_cast<OverlapChoice>(place_of_word("overlap", text, kOverlaps));
}
Reduction parse_reduction(std::string_view text) {
  return static_cast<Reduction>(place_of_word("reduce", text, kReductions));
}

DistributedProblem completed(const DistributedProblem& given) {
  DistributedProblem result = given;
  result.problem = with_epilogue_scales(completed(given.problem));
  if (std::vector<std::string> rules = rules_of(result.problem); !rules.empty())
    throw Exception({.code = ErrorCode::illegal_problem,
                     .operand = "problem",
                     .value = to_string(given.problem),
                     .violated_rules = std::move(rules)});
  if (result.transport_sms < 0)
    throw Exception({.code = ErrorCode::illegal_problem,
                     .operand = "transport-sms",
                     .value = std::to_string(result.transport_sms),
                     .violated_rules = {"it must be a number of multiprocessors, 0 or more"},
                     .nearest_legal = "0"});
  if (!result.placements.c) {
    result.placements.c = result.placements.d;
    result.placements.c->sums.clear();
  }
  if (!result.wire)
    result.wire =
        result.reduce == Reduction::nccl ? result.problem.d.type : usual_wire(result.problem);
  return result;
}

namespace {

/// The words that stand behind those of the problem itself.
std::string text_of_ranks(const DistributedProblem& problem) {
  std::string text =
      base::format(" mesh={} place={}", to_string(problem.mesh), to_string(problem.placements));
  if (problem.share) text += base::format(" share={}", to_string(*problem.share));
  if (problem.wire) text += base::format(" wire={}", name(*problem.wire));
  if (problem.overlap != OverlapChoice::fastest)
    text += base::format(" overlap={}", name(problem.overlap));
  if (problem.reduce != Reduction::ordered)
    text += base::format(" reduce={}", name(problem.reduce));
  if (problem.transport_sms != 0) text += base::format(" transport-sms={}", problem.transport_sms);
  return text;
}

}  // namespace

std::string to_string(const DistributedProblem& problem) {
  return to_string(problem.problem) + text_of_ranks(problem);
}
std::string short_text(const DistributedProblem& problem) {
  return short_text(problem.problem) + text_of_ranks(problem);
}
std::ostream& operator<<(std::ostream& out, const DistributedProblem& problem) {
  return out << to_string(problem);
}

DistributedProblem parse_distributed_problem(std::string_view text) {
  DistributedProblem result;
  std::string rest(text);
  std::array<bool, kDistributedWords.size()> said{};
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_word(text, at);
    for (std::size_t word = 0; word < kDistributedWords.size(); ++word) {
      const std::string_view head = kDistributedWords[word];
      if (!text.substr(at, end - at).starts_with(head)) continue;
      if (std::exchange(said[word], true))
        throw Exception({.code = ErrorCode::syntax,
                         .operand = std::string(head.substr(0, head.size() - 1)),
                         .value = std::string(text),
                         .violated_rules = {"it must be said once"},
                         .position = SourcePosition{1, static_cast<int>(at) + 1}});
      const std::size_t first = at + head.size();
      at_place(first, [&] { put_word(result, word, text.substr(first, end - first)); });
      rest.replace(at, end - at, end - at, ' ');
    }
    at = end;
  }
  if (!said[0])
    throw Exception(
        {.code = ErrorCode::syntax,
         .operand = "mesh",
         .value = std::string(text),
         .violated_rules = {"a distributed problem must have a mesh, such as mesh=tp=4"}});
  result.problem = parse_problem(rest);
  return result;
}

}  // namespace jute
