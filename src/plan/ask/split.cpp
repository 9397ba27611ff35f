// The precisions that an f32 problem may be computed in, and what each loses.
#include <jute/base/refuse.hpp>
#include <jute/plan/ask/split.hpp>

#include <algorithm>
#include <array>

#include "base/format.hpp"

namespace jute {
namespace {

constexpr std::array kSplits{Split{Precision::tf32x3, "tf32x3", DType::tf32, 2},
                             Split{Precision::bf16x6, "bf16x6", DType::bf16, 3}};

}  // namespace

std::span<const Split> splits() { return kSplits; }

const Split* split_of(Precision precision) {
  const auto* const found = std::ranges::find(kSplits, precision, &Split::precision);
  return found == kSplits.end() ? nullptr : found;
}

std::string_view name(Precision precision) {
  if (const Split* split = split_of(precision)) return split->name;
  return precision == Precision::tf32 ? "tf32" : "f32";
}

Precision parse_precision(std::string_view text) {
  for (const Precision whole : {Precision::f32, Precision::tf32})
    if (text == name(whole)) return whole;
  std::string words = "f32, tf32";
  for (const Split& split : splits()) {
    if (text == split.name) return split.precision;
    words += base::format(", {}", split.name);
  }
  refuse(ErrorCode::unknown_name, "precision", std::string(text),
         "a precision must be one of: " + words);
}

}  // namespace jute
