// From letters and extents, or from shapes of images, to a Problem.
#include "options/notation_options.hpp"

#include <jute/plan/choose/parts.hpp>

#include <algorithm>
#include <charconv>

namespace jute::command {

bool is_notation(const ProblemOptions& options) {
  return !options.contract.empty() || !options.conv.empty() || !options.extents.empty() ||
         !options.gradient.empty() || options.part.has_value();
}

std::vector<LetterCount> letter_counts(const std::string& extents) {
  std::vector<LetterCount> counts;
  for (std::size_t at = 0; at < extents.size();) {
    const std::size_t end = std::min(extents.find(',', at), extents.size());
    const std::string word = extents.substr(at, end - at);
    LetterCount count{word.empty() ? char{0} : word[0], 0};
    const char* const last = word.data() + word.size();
    const bool has_number = word.size() > 2 && word[1] == '=';
    const auto [stop, status] =
        std::from_chars(word.data() + (has_number ? 2 : 0), last, count.extent);
    if (!has_number || status != std::errc() || stop != last)
      throw UsageError("--extents " + word, "it must be letters with numbers, as in a=64,b=32");
    counts.push_back(count);
    at = end + 1;
  }
  return counts;
}

std::vector<StridedArray> packed_operands(const Subscripts& subscripts,
                                          const std::vector<LetterCount>& extents) {
  std::string all;
  std::vector<StridedArray> operands;
  for (const std::string& letters : subscripts.operands) {
    for (const char letter : letters)
      if (all.find(letter) == std::string::npos) all += letter;
    StridedArray array;
    for (const char letter : letters) {
      const auto count = std::ranges::find(extents, letter, &LetterCount::letter);
      if (count == extents.end())
        throw UsageError("--extents", letter == '.'
                                          ? std::string("it must be left out where an ellipsis "
                                                        "stands: files say how many axes that is")
                                          : std::string("it must have an extent for ") + letter);
      array.extents.push_back(count->extent);
    }
    operands.push_back(std::move(array));
  }
  for (const LetterCount& count : extents)
    if (all.find(count.letter) == std::string::npos)
      throw UsageError(std::string("--extents ") + count.letter,
                       "it must be a letter of an operand, one of " + all);
  return operands;
}

namespace {

/// throws  UsageError: an option whose partner is missing
void require_partner(const char* option, bool is_given, const char* partner, bool has_partner) {
  if (is_given && !has_partner)
    throw UsageError(option, std::string("it must stand together with ") + partner);
}

Problem contracted_problem(const ProblemOptions& options, const Problem& like) {
  const Subscripts subscripts = parse_subscripts(options.contract);
  if (subscripts.operands.size() > 2)
    throw UsageError("--contract",
                     "it must have one or two operands: jute contract multiplies more, pair by "
                     "pair");
  return contraction(subscripts, packed_operands(subscripts, letter_counts(options.extents)), like)
      .problem;
}

Problem gradient_part(const ProblemOptions& options, std::vector<Problem> parts) {
  const int last = static_cast<int>(parts.size()) - 1;
  const int part = options.part.value_or(0);
  if (part > last || (!options.part && last > 0))
    refuse(ErrorCode::out_of_range, "--part", options.part ? std::to_string(part) : "",
           "it must say which of the gradient's " + std::to_string(parts.size()) +
               " problems, 0 to " + std::to_string(last) +
               "; plan, source, ptx and cubin take all of them without it",
           std::to_string(std::min(part, last)));
  return std::move(parts[static_cast<size_t>(part)]);
}

Problem convolved_problem(const ProblemOptions& options, const Problem& like) {
  const Convolution made = parse_convolution(options.conv);
  require_partner("--part", options.part.has_value(), "--gradient x", options.gradient == "x");
  if (options.gradient == "x") return gradient_part(options, convolution_data_gradient(made, like));
  return options.gradient == "w" ? convolution_filter_gradient(made, like)
                                 : convolution(made, like);
}

}  // namespace

Problem notation_problem(const ProblemOptions& options, const Problem& like) {
  const bool contracts = !options.contract.empty(), convolves = !options.conv.empty();
  if (contracts && convolves) throw UsageError("--conv", "it must stand without --contract");
  require_partner("--extents", !options.extents.empty(), "--contract", contracts);
  require_partner("--gradient", !options.gradient.empty(), "--conv", convolves);
  require_partner("--part", options.part.has_value(), "--conv", convolves);
  return contracts ? contracted_problem(options, like) : convolved_problem(options, like);
}

std::vector<Problem> problems_of(const ProblemOptions& options) {
  if (!options.text.empty()) return parse_parts(options.text);
  const bool has_parts = !options.conv.empty() && options.gradient == "x" && !options.part &&
                         options.contract.empty() && options.extents.empty();
  if (!has_parts) return {problem_of(options)};
  std::vector<Problem> parts =
      convolution_data_gradient(parse_convolution(options.conv), typed_problem(options));
  for (Problem& part : parts) add_epilogue(part, options);
  return parts;
}

}  // namespace jute::command
