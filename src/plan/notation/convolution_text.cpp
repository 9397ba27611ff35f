// Convolutions as words: shapes of x and w, then a number for each axis.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/plan/notation/convolution.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/format.hpp"

namespace jute {
namespace {

/// `name=value`, and where it begins in the text.
struct Word {
  std::string_view name, value;
  std::size_t at = 0;
};

[[noreturn]] void refuse_word(ErrorCode code, const Word& word, std::string rule,
                              std::optional<std::string> nearest = std::nullopt) {
  throw Exception({.code = code,
                   .operand = std::string(word.name),
                   .value = std::string(word.value),
                   .violated_rules = {std::move(rule)},
                   .nearest_legal = std::move(nearest),
                   .position = SourcePosition{1, static_cast<int>(word.at) + 1}});
}

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t at = text.find_first_not_of(' '); at < text.size();
       at = text.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const std::size_t sign = std::min(word.find('='), word.size());
    words.push_back({word.substr(0, sign), word.substr(std::min(sign + 1, word.size())), at});
    if (sign == word.size())
      refuse_word(ErrorCode::syntax, words.back(), "a word must be name=value, as in w=256x3x3");
    at = end;
  }
  return words;
}

/// Whole numbers between the marks.
std::vector<Index> numbers_of(const Word& word, char mark) {
  std::vector<Index> numbers;
  const char* at = word.value.data();
  const char* const end = at + word.value.size();
  for (;; ++at) {
    Index number = 0;
    const auto [stop, status] = std::from_chars(at, end, number);
    if (status != std::errc() || (stop != end && *stop != mark))
      refuse_word(ErrorCode::syntax, word,
                  base::format("{} must be whole numbers with {} between them", word.name,
                               mark == 'x' ? "an x" : "a comma"));
    numbers.push_back(number);
    if (stop == end) return numbers;
    at = stop;
  }
}

/// A number for each axis, or one for all.
void put_numbers(Convolution& made, const Word& word, Index ConvolutionAxis::*number) {
  const std::vector<Index> numbers = numbers_of(word, ',');
  if (numbers.size() != 1 && numbers.size() != made.axes.size())
    refuse_word(ErrorCode::wrong_arity, word,
                base::format("{} needs one number, or one for each of the {} axes", word.name,
                             made.axes.size()));
  for (std::size_t i = 0; i < made.axes.size(); ++i)
    made.axes[i].*number = numbers[numbers.size() == 1 ? 0 : i];
}

/// `1:32x56x56x64` without its first number, which is the fewest images.
Word without_fewest(Convolution& made, Word word) {
  const std::size_t colon = word.value.find(':');
  if (colon == word.value.npos || colon > word.value.find('x')) return word;
  const std::vector<Index> fewest =
      numbers_of({word.name, word.value.substr(0, colon), word.at}, 'x');
  if (fewest.front() < 1)
    refuse_word(ErrorCode::syntax, word, "a range of images must begin with 1 or more");
  made.fewest_images = fewest.front();
  word.value.remove_prefix(colon + 1);
  return word;
}

void put_x(Convolution& made, const Word& word) {
  const std::vector<Index> extents = numbers_of(without_fewest(made, word), 'x');
  if (extents.size() < 3 || extents.size() > 2 + kMostConvolutionAxes)
    refuse_word(ErrorCode::wrong_arity, word,
                "x must have images, one to three axes and channels, as in x=32x56x56x64");
  made.images = extents.front();
  made.channels = extents.back();
  made.axes.resize(extents.size() - 2);
  for (std::size_t i = 0; i < made.axes.size(); ++i) made.axes[i].input = extents[i + 1];
}

void put_w(Convolution& made, const Word& word) {
  const std::vector<Index> extents = numbers_of(word, 'x');
  if (extents.size() != made.axes.size() + 1)
    refuse_word(
        ErrorCode::wrong_arity, word,
        base::format("w must have features and the {} extents of a filter", made.axes.size()));
  made.features = extents.front();
  for (std::size_t i = 0; i < made.axes.size(); ++i) made.axes[i].filter = extents[i + 1];
}

void put_groups(Convolution& made, const Word& word) {
  const std::vector<Index> numbers = numbers_of(word, ',');
  if (numbers.size() != 1) refuse_word(ErrorCode::wrong_arity, word, "groups must be one number");
  made.channel_groups = numbers.front();
}

void put_order(Convolution& made, const Word& word) {
  for (const ImageOrder order : {ImageOrder::channels_last, ImageOrder::channels_first})
    if (word.value == name(order)) {
      made.order = order;
      return;
    }
  refuse_word(ErrorCode::unknown_name, word, "order must be NHWC or NCHW",
              nearest_name(word.value, std::vector<std::string>{"NHWC", "NCHW"}));
}

struct WordOfConvolution {
  std::string_view name;
  void (*put)(Convolution&, const Word&);
};
// clang-format off
constexpr std::array<WordOfConvolution, 7> kConvolutionWords{{  // shapes first: the others follow from them
    {"x", put_x},
    {"w", put_w},
    {"stride", [](Convolution& c, const Word& w) { put_numbers(c, w, &ConvolutionAxis::stride); }},
    {"padding", [](Convolution& c, const Word& w) { put_numbers(c, w, &ConvolutionAxis::padding); }},
    {"dilation", [](Convolution& c, const Word& w) { put_numbers(c, w, &ConvolutionAxis::dilation); }},
    {"groups", put_groups},
    {"order", put_order},
}};
// clang-format on

void check_names(const std::vector<Word>& words) {
  std::vector<std::string> known;
  for (const WordOfConvolution& row : kConvolutionWords) known.emplace_back(row.name);
  for (const Word& word : words) {
    if (std::ranges::find(known, word.name) == known.end())
      refuse_word(ErrorCode::unknown_name, word,
                  "a name must be one of: x, w, stride, padding, dilation, groups, order",
                  nearest_name(word.name, known));
    if (std::ranges::count(words, word.name, &Word::name) > 1)
      refuse_word(ErrorCode::syntax, word, base::format("{} must be said once", word.name));
  }
}

}  // namespace

Convolution parse_convolution(std::string_view text) {
  const std::vector<Word> words = words_of(text);
  check_names(words);
  Convolution made;
  for (const WordOfConvolution& row : kConvolutionWords) {
    const auto word = std::ranges::find(words, row.name, &Word::name);
    if (word != words.end()) {
      row.put(made, *word);
    } else if (row.name == "x" || row.name == "w") {
      refuse_word(ErrorCode::syntax, {row.name, "", text.size()},
                  "a convolution must say x and w, as in x=32x56x56x64 w=256x3x3");
    }
  }
  return made;
}

std::string to_string(const Convolution& convolution) {
  const Index fewest = convolution.fewest_images;
  std::string x =
      base::format("x={}{}", fewest > 0 ? base::format("{}:", fewest) : "", convolution.images);
  std::string w = base::format("w={}", convolution.features);
  for (const ConvolutionAxis& axis : convolution.axes) {
    x += base::format("x{}", axis.input);
    w += base::format("x{}", axis.filter);
  }
  std::string text = base::format("{}x{} {}", x, convolution.channels, w);
  const std::pair<const char*, Index ConvolutionAxis::*> numbers[] = {
      {"stride", &ConvolutionAxis::stride},
      {"padding", &ConvolutionAxis::padding},
      {"dilation", &ConvolutionAxis::dilation}};
  for (const auto& [word, number] : numbers) {
    const auto is_usual = [number = number](const ConvolutionAxis& axis) {
      return axis.*number == ConvolutionAxis{}.*number;
    };
    if (std::ranges::all_of(convolution.axes, is_usual)) continue;
    std::string list;
    for (const ConvolutionAxis& axis : convolution.axes)
      list += (list.empty() ? "" : ",") + std::to_string(axis.*number);
    text += base::format(" {}={}", word, list);
  }
  if (convolution.channel_groups != 1)
    text += base::format(" groups={}", convolution.channel_groups);
  if (convolution.order != ImageOrder::channels_last)
    text += base::format(" order={}", name(convolution.order));
  return text;
}

}  // namespace jute
