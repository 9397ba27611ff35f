// The precisions that an f32 problem may be computed in, and what each loses.
#include <jute/plan/ask/split.hpp>

#include <algorithm>
#include <array>

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

}  // namespace jute
