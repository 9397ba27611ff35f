// Scale flags: from words to a problem's scales and zero points.
#include "options/scale_options.hpp"

#include <charconv>
#include <optional>
#include <utility>

#include "options/read_flag.hpp"

namespace jute::command {
namespace {

std::optional<double> offset_in(const std::string& word) {
  double value = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, status] = std::from_chars(word.data(), end, value);
  return status == std::errc() && rest == end ? std::optional(value) : std::nullopt;
}

std::optional<BlockValues> numbers_of(const std::string& flag, const std::string& word,
                                      const Matrix& operand, const ValueBlock& block) {
  if (word.empty() || names_file(word)) return std::nullopt;
  BlockValues numbers;
  numbers.type = read_flag(flag, word, parse_dtype);
  numbers.order = operand.order;
  numbers.broadcast = operand.broadcast;
  numbers.block = block;
  return numbers;
}

void put_operand(OperandScale& scale, const std::string& letter, const Matrix& operand,
                 const ScaleWords& words) {
  if (!words.block.empty() && words.scale.empty() && words.zero.empty())
    throw UsageError("--block-" + letter,
                     "it needs what blocks have: --scale-" + letter + " or --zero-" + letter);
  const ValueBlock block = words.block.empty()
                               ? ValueBlock{}
                               : read_flag("--block-" + letter, words.block, parse_value_block);
  scale.scale = numbers_of("--scale-" + letter, words.scale, operand, block);
  if (const auto offset = offset_in(words.zero))
    scale.offset = *offset;
  else
    scale.zero = numbers_of("--zero-" + letter, words.zero, operand, block);
}

}  // namespace

bool names_file(const std::string& word) {
  return word.ends_with(".npy") || word.find('/') != std::string::npos;
}

void refuse_scale_files(const ScaleOptions& options) {
  for (const auto& [flag, word] :
       {std::pair{"--scale-a", &options.a.scale}, std::pair{"--scale-b", &options.b.scale},
        std::pair{"--zero-a", &options.a.zero}, std::pair{"--zero-b", &options.b.zero}})
    if (names_file(*word))
      refuse_usage(flag, *word,
                   "it must be a type where no files hold the "
                   "operands: their numbers are in none either",
                   "f32");
}

void add_scale_flags(Command& command, ScaleOptions& options) {
  const OptionGroup group{command, "Scales"};
  group.option("--scale-a TYPE|S.npy", &options.a.scale,
               "Numbers that A's elements are multiplied by, one a block: a type (f32, bf16, f16, "
               "e4m3, ue8m0); of jute gemm with files a file");
  group.option("--scale-b TYPE|S.npy", &options.b.scale, "B likewise");
  group.option("--zero-a NUMBER|TYPE|Z.npy", &options.a.zero,
               "What is taken from A's elements before: one number, or a type or a file of one a "
               "block");
  group.option("--zero-b NUMBER|TYPE|Z.npy", &options.b.zero, "B likewise");
  group.option("--block-a MxK", &options.a.block,
               "Elements of A along M and K that share a number: 1x128, 128x128, 1xall (default "
               "all)");
  group.option("--block-b NxK", &options.b.block, "B along N and K likewise");
  group
      .option("--stage-as", &options.stage_as,
              "What both become before they are multiplied: bf16, f16, tf32, f32 or s8 (default: "
              "what they need)")
      .offers({"bf16", "f16", "tf32", "f32", "s8"});
}

void put_scales(Problem& problem, const ScaleOptions& options) {
  put_operand(problem.scale_a, "a", problem.a, options.a);
  put_operand(problem.scale_b, "b", problem.b, options.b);
  if (!options.stage_as.empty())
    problem.staged = read_flag("--stage-as", options.stage_as, parse_dtype);
}

}  // namespace jute::command
