// Distributed problems: their rules and their text.
#include <jute/base/nearest_name.hpp>
#include <jute/base/parsed_number.hpp>
#include <jute/base/refuse.hpp>
#include <jute/dist/distributed_problem.hpp>
#include <jute/epilogue/expression.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/convert/epilogue_scales.hpp>

#include <algorithm>
#include <array>
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

constexpr std::array<std::string_view, 6> kOverlaps{"none",    "chunks", "one-shot",
                                                    "arrival", "store",  "fastest"};
constexpr std::array<std::string_view, 2> kReductions{"ordered", "nccl"};

std::size_t place_of_word(std::string_view operand, std::string_view text,
                          std::span<const std::string_view> words) {
  const auto found = std::ranges::find(words, text);
  const std::vector<std::string> known(words.begin(), words.end());
  if (found == words.end())
    jute::refuse(ErrorCode::unknown_name, std::string(operand), std::string(text),
                 "it must be one of " + joined(known), nearest_name(text, known));
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
  const auto count = parsed_number<int>(text);
  if (!count || *count < 0)
    jute::refuse(ErrorCode::syntax, "transport-sms", std::string(text),
                 "it must be a number of multiprocessors, 0 or more");
  return *count;
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
    jute::refuse(ErrorCode::illegal_problem, "transport-sms", std::to_string(result.transport_sms),
                 "it must be a number of multiprocessors, 0 or more", "0");
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

using Ranks = DistributedProblem;
/// A word beside a problem's own; what is usual is written as nothing.
struct RankWord {
  Keyword word;
  void (*read)(Ranks&, std::string_view);
  std::string (*write)(const Ranks&);
};
// clang-format off
constexpr std::array kRankWords{
    RankWord{{"mesh", "--mesh", WordGroup::ranks, WordKind::text, "AXES",
              "Axes of ranks, the first fastest: row=2,col=2"},
             [](Ranks& all, std::string_view text) { all.mesh = parse_mesh(text); },
             [](const Ranks& all) { return to_string(all.mesh); }},
    RankWord{{"place", "--place", WordGroup::ranks, WordKind::text, "PLACEMENTS",
              "Where matrices lie: A=M@tp,B=N@tp,D=N@tp; blocks dealt round K@tp/128; summands D=+tp"},
             [](Ranks& all, std::string_view text) { all.placements = parse_placements(text); },
             [](const Ranks& all) { return to_string(all.placements); }},
    RankWord{{"share", "--share", WordGroup::ranks, WordKind::text, "DEALS",
              "Who computes what: M@row,N@col; else the fastest"},
             [](Ranks& all, std::string_view text) { all.share = parse_share(text); },
             [](const Ranks& all) { return all.share ? to_string(*all.share) : ""; }},
    RankWord{{"wire", "--wire", WordGroup::ranks, WordKind::text, "TYPE",
              "Type in which summands of D travel; else the sum's"},
             [](Ranks& all, std::string_view text) { all.wire = parse_dtype(text); },
             [](const Ranks& all) { return std::string(all.wire ? name(*all.wire) : ""); }},
    RankWord{{"overlap", "--overlap", WordGroup::ranks, WordKind::one_of, "",
              "Exchanges beside products: cut by rounds (chunks), summands read in place (one-shot), "
              "one product that waits for rows as they come (arrival), products that store where their "
              "summands are added (store), none, or by the timeline; else that, and none by NCCL",
              "none chunks one-shot arrival store fastest"},
             [](Ranks& all, std::string_view text) { all.overlap = parse_overlap(text); },
             [](const Ranks& all) { return std::string(all.overlap == OverlapChoice::fastest ? "" : name(all.overlap)); }},
    RankWord{{"reduce", "--reduce", WordGroup::ranks, WordKind::one_of, "",
              "Who adds summands of D: kernels in the order of ranks, or the transport (nccl), by "
              "emulators the host", "ordered nccl"},
             [](Ranks& all, std::string_view text) { all.reduce = parse_reduction(text); },
             [](const Ranks& all) { return std::string(all.reduce == Reduction::ordered ? "" : name(all.reduce)); }},
    RankWord{{"transport-sms", "--transport-sms", WordGroup::ranks, WordKind::number, "",
              "Multiprocessors that products leave to the transport's kernels beside them, and "
              "NCCL takes at most; else 16 by NCCL, where it runs beside products"},
             [](Ranks& all, std::string_view text) { all.transport_sms = multiprocessors_of(text); },
             [](const Ranks& all) { return all.transport_sms == 0 ? "" : std::to_string(all.transport_sms); }},
};
// clang-format on

constexpr auto kWordsOfRanks = [] {
  std::array<Keyword, kRankWords.size()> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = kRankWords[i].word;
  return words;
}();

const RankWord& rank_word(std::string_view name) {
  return *std::ranges::find_if(kRankWords,
                               [&](const RankWord& one) { return one.word.name == name; });
}

/// What an epilogue names as words of ranks are called: behind it, such a word is first its own.
std::vector<std::string> taken_names(const EpilogueExpression& expression) {
  std::vector<std::string> names;
  const auto take = [&](const auto& operands) {
    for (const auto& operand : operands)
      if (find_word(kWordsOfRanks, operand.name) != nullptr) names.push_back(operand.name);
  };
  take(expression.inputs);
  take(expression.outputs);
  return names;
}
std::vector<std::string> taken_names(std::string_view word) try {
  const std::size_t first = word.find('=') + 1;
  std::string_view text = word.substr(std::min(first, word.size()));
  if (text.size() > 1 && text.starts_with('"')) text = text.substr(1, text.size() - 2);
  return taken_names(parse_epilogue(text));
} catch (const Exception&) {
  return {};  // parse_problem says what is wrong with it
}

/// The words that stand beside those of the problem itself.
std::string text_of_ranks(const Ranks& problem) {
  std::string text;
  for (const RankWord& row : kRankWords)
    if (const std::string value = row.write(problem); !value.empty())
      text += base::format(" {}={}", row.word.name, value);
  return text;
}

}  // namespace

std::span<const Keyword> words_of_ranks() { return kWordsOfRanks; }

void choose(DistributedProblem& problem, std::string_view word, std::string_view value) {
  rank_word(word).read(problem, value);
}

std::string said(const DistributedProblem& problem, std::string_view word) {
  return rank_word(word).write(problem);
}

namespace {

/// Behind the problem's own text, or ahead of it where its epilogue has names of words of ranks.
std::string with_ranks(std::string text, const DistributedProblem& problem) {
  const std::optional<Epilogue>& epilogue = problem.problem.epilogue;
  if (!epilogue || taken_names(epilogue->expression).empty()) return text + text_of_ranks(problem);
  return text_of_ranks(problem).substr(1) + " " + text;
}

}  // namespace

std::string to_string(const DistributedProblem& problem) {
  return with_ranks(to_string(problem.problem), problem);
}
std::string short_text(const DistributedProblem& problem) {
  return with_ranks(short_text(problem.problem), problem);
}
std::ostream& operator<<(std::ostream& out, const DistributedProblem& problem) {
  return out << to_string(problem);
}

DistributedProblem parse_distributed_problem(std::string_view text) {
  DistributedProblem result;
  std::string rest(text);
  std::vector<std::string_view> said;
  std::vector<std::string> taken;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_word(text, at), equals = text.substr(at, end - at).find('=');
    const std::string_view word = text.substr(at, std::min(equals, end - at));
    if (word == "epilogue") taken = taken_names(text.substr(at, end - at));
    if (find_word(kWordsOfRanks, word) != nullptr && std::erase(taken, word) == 0) {
      if (std::ranges::find(said, word) != said.end())
        throw Exception({.code = ErrorCode::syntax,
                         .operand = std::string(word),
                         .value = std::string(text),
                         .violated_rules = {"it must be said once"},
                         .position = SourcePosition{1, static_cast<int>(at) + 1}});
      said.push_back(word);
      const std::size_t first = std::min(at + word.size() + 1, end);
      at_place(first, [&] { choose(result, word, text.substr(first, end - first)); });
      rest.replace(at, end - at, end - at, ' ');
    }
    at = end;
  }
  if (std::ranges::find(said, "mesh") == said.end())
    jute::refuse(ErrorCode::syntax, "mesh", std::string(text),
                 "a distributed problem must have a mesh, such as mesh=tp=4");
  result.problem = parse_problem(rest);
  return result;
}

}  // namespace jute
