// Numbers that elements of A and B stand for: their scales' rules, and what they become.
#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/format.hpp"
#include "plan/ask/epilogue_operands.hpp"
#include "plan/ask/operand_sums.hpp"

namespace jute {
namespace plan {
namespace {

constexpr std::string_view kAll = "all";

constexpr std::array kStagedTypes{DType::bf16, DType::f16, DType::tf32, DType::f32, DType::s8};
constexpr std::array kScaleTypes{DType::f32, DType::bf16, DType::f16, DType::e4m3, DType::ue8m0};
constexpr std::array kZeroTypes{DType::f32, DType::bf16, DType::f16, DType::e4m3, DType::ue8m0,
                                DType::s8,  DType::u8,   DType::s4,  DType::u4};
constexpr std::array kNotConverted{DType::f64, DType::s32, DType::ue8m0};

bool holds(const auto& types, DType type) { return std::ranges::find(types, type) != types.end(); }

std::string names_of(const auto& types) {
  std::string text;
  for (const DType type : types) text += (text.empty() ? "" : ", ") + std::string(name(type));
  return text;
}

bool is_float8(DType type) { return type == DType::e4m3 || type == DType::e5m2; }
bool is_integer8(DType type) { return type == DType::s8 || type == DType::u8; }

/// Does some kernel multiply them as they are?
bool are_multiplied(DType a, DType b) {
  return (a == b && !is_stored_only(a)) || (is_float8(a) && is_float8(b)) ||
         (is_integer8(a) && is_integer8(b));
}

/// Are its values whole numbers that s8 holds?
bool is_whole_s8(const Matrix& operand, const OperandScale& scale) {
  constexpr double kMost = 100;  // with the 16 values of 4 bits within 127
  if (!is_integer(operand.type) || operand.type == DType::s32 || scale.scale || scale.zero)
    return false;
  if (width_bits(operand.type) == 4)
    return scale.offset == std::floor(scale.offset) && std::abs(scale.offset) <= kMost;
  return operand.type == DType::s8 && scale.offset == 0;
}

/// One operand, its scale, and how many rows or columns and k it has.
struct Scaled {
  std::string_view letter;
  const Matrix& operand;
  OperandScale& scale;
  Index mn, k;
};
template <class Problem>
std::array<Scaled, 2> operands_of(Problem& problem, Index most_m) {
  return {Scaled{"A", problem.a, problem.scale_a, most_m, problem.k},
          Scaled{"B", problem.b, problem.scale_b, problem.n, problem.k}};
}

class Rules {
 public:
  void add(std::string operand, std::string value, std::string rule,
           std::optional<std::string> nearest = std::nullopt) {
    errors_.push_back(
        broken(std::move(operand), std::move(value), std::move(rule), std::move(nearest)));
  }
  void check_numbers(const std::string& what, BlockValues& numbers, const auto& types) {
    if (!holds(types, numbers.type))
      add(what + ".type", std::string(name(numbers.type)),
          base::format("{} must be one of: {}", what, names_of(types)),
          std::string(name(types.front())));
    if (numbers.view)
      add(what + ".view", to_string(*numbers.view),
          base::format("{} must have an order and strides", what));
    if (numbers.block.mn < 0 || numbers.block.k < 0)
      add(what + ".block", to_string(numbers.block), "a block must have one element or more",
          "all");
    numbers.alignment_bytes = width_bytes(numbers.type);
  }
  void check_operand(const Scaled& one) {
    const std::string a = one.letter == "A" ? "a" : "b";
    auto& [scale, zero, offset] = one.scale;
    if (scale) check_numbers("scale_" + a, *scale, kScaleTypes);
    if (zero) check_numbers("zero_" + a, *zero, kZeroTypes);
    if (zero && offset != 0)
      add("zero_" + a, base::format("{}", offset),
          "zero points must be numbers of blocks, or one number", "0");
    constexpr double kMost = std::numeric_limits<float>::max();
    const auto nearest = static_cast<float>(
        std::isnan(offset) ? 0.0 : std::clamp(static_cast<double>(offset), -kMost, kMost));
    if (static_cast<double>(nearest) != offset)
      add("zero_" + a, base::format("{}", offset), "a zero point must be a number of type f32",
          base::format("{}", nearest));
  }
  [[nodiscard]] Errors take() { return std::move(errors_); }

 private:
  Errors errors_;
};

/// Sums are formed of elements as they lie.
void check_sums(Rules& rules, const Problem& problem) {
  for (const SumRow& sum : sums_named(problem)) {
    const bool is_a = sum.tensor == TensorRole::a;
    if (is_converted(is_a ? problem.a : problem.b, is_a ? problem.scale_a : problem.scale_b,
                     problem.staged))
      rules.add("epilogue", std::string(sum.name),
                base::format("{} must be of an operand that is multiplied as it is", sum.name));
  }
}

/// Clears `staged` where operands are it already.
void complete_staged(Rules& rules, Problem& problem) {
  if (!problem.staged) problem.staged = usual_staged_type(problem);
  if (!problem.staged) return;
  const DType staged = *problem.staged;
  if (!is_converted(problem.a, problem.scale_a, staged) &&
      !is_converted(problem.b, problem.scale_b, staged)) {
    problem.staged.reset();
    return;
  }
  if (!holds(kStagedTypes, staged))
    rules.add("staged", std::string(name(staged)),
              base::format("operands must become one of: {}", names_of(kStagedTypes)),
              std::string(name(usual_staged_type(problem).value_or(DType::bf16))));
  if (problem.precision != Precision::f32)
    rules.add("precision", std::string(name(problem.precision)),
              "operands that are split must be multiplied as they are, without scales", "f32");
  for (const Scaled& one : operands_of(problem, problem.m)) {
    if (holds(kNotConverted, one.operand.type))
      rules.add(base::format("{}.type", one.letter), std::string(name(one.operand.type)),
                base::format("elements that become {} must not be {}", name(staged),
                             names_of(kNotConverted)),
                std::string(name(staged)));
    else if (staged == DType::s8 && one.operand.type != DType::s8 &&
             !is_whole_s8(one.operand, one.scale))
      rules.add("staged", "s8",
                base::format("{} must have whole numbers that s8 holds: s8 or 4 bits, unscaled",
                             one.letter),
                "bf16");
  }
}

}  // namespace

Errors complete_scales(Problem& problem, Index most_m) {
  Rules rules;
  for (const Scaled& one : operands_of(problem, most_m)) rules.check_operand(one);
  complete_staged(rules, problem);
  check_sums(rules, problem);
  return rules.take();
}

std::string scale_text(const Problem& problem) {
  std::string text;
  const auto add = [&](std::string_view what, const BlockValues& numbers) {
    text += text_of(what, numbers) + ":block" + to_string(numbers.block);
  };
  for (const auto& [letter, scale] :
       {std::pair("a", &problem.scale_a), std::pair("b", &problem.scale_b)}) {
    if (scale->scale) add(base::format("scale_{}", letter), *scale->scale);
    if (scale->zero) add(base::format("zero_{}", letter), *scale->zero);
    if (scale->offset != 0) text += base::format(" zero_{}={}", letter, scale->offset);
  }
  return problem.staged ? text + base::format(" staged={}", name(*problem.staged)) : text;
}

}  // namespace plan

std::string to_string(const ValueBlock& block) {
  if (block == ValueBlock{}) return std::string(plan::kAll);
  const auto one = [](Index extent) {
    return extent == 0 ? std::string(plan::kAll) : std::to_string(extent);
  };
  return one(block.mn) + "x" + one(block.k);
}

ValueBlock parse_value_block(std::string_view text) {
  const auto refuse = [&] {
    jute::refuse(
        ErrorCode::syntax, "block", std::string(text),
        "a block must be elements along M or N by elements along K, 1x128 or 1xall, or all");
  };
  if (text == plan::kAll) return {};
  const auto one = [&](std::string_view part) {
    if (part == plan::kAll) return Index{0};
    Index extent = 0;
    const char* const end = part.data() + part.size();
    const auto [rest, status] = std::from_chars(part.data(), end, extent);
    if (rest != end || status != std::errc() || extent < 1) refuse();
    return extent;
  };
  const std::size_t by = text.find('x');
  if (by == std::string_view::npos) refuse();
  return {one(text.substr(0, by)), one(text.substr(by + 1))};
}

bool is_converted(const Matrix& operand, const OperandScale& scale, std::optional<DType> staged) {
  return staged && (operand.type != *staged || !is_plain(scale));
}

std::optional<DType> usual_staged_type(const Problem& problem) {
  const DType a = problem.a.type, b = problem.b.type;
  const bool is_plain_product = is_plain(problem.scale_a) && is_plain(problem.scale_b);
  if (is_plain_product && plan::are_multiplied(a, b)) return std::nullopt;
  const auto has = [&](DType type) { return a == type || b == type; };
  for (const DType type : plan::kNotConverted)
    if (has(type) && is_plain_product) return std::nullopt;
  if (plan::is_whole_s8(problem.a, problem.scale_a) &&
      plan::is_whole_s8(problem.b, problem.scale_b))
    return DType::s8;
  for (const DType type : {DType::f32, DType::tf32})
    if (has(type)) return type;
  if (has(DType::f16) && has(DType::bf16)) return DType::tf32;
  return has(DType::f16) ? DType::f16 : DType::bf16;
}

}  // namespace jute
