// Fitting modes to samples, first mode first.
#include "expr/fitted_layout.hpp"

#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>

namespace jute::expr {
namespace {

/// throws  overflow
Index difference(Index left, Index right) {
  Index result = 0;
  if (__builtin_sub_overflow(left, right, &result)) throw_overflow("offset", left, "-", right);
  return result;
}

/// Do runs of `extent` samples all rise by the same step, wherever they begin?
bool is_mode(const std::vector<Index>& samples, std::size_t extent, Index step) {
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (difference(samples[i], samples[i - i % extent]) !=
        checked_mul(static_cast<Index>(i % extent), step, "offset"))
      return false;
  return true;
}

/// The first of each run.
std::vector<Index> every(const std::vector<Index>& samples, std::size_t extent) {
  std::vector<Index> firsts;
  for (std::size_t i = 0; i < samples.size(); i += extent) firsts.push_back(samples[i]);
  return firsts;
}

/// Samples that begin at 0.
std::optional<Layout> fitted(std::vector<Index> samples) {
  std::vector<Index> shape, stride;
  while (samples.size() > 1) {
    const Index step = difference(samples[1], samples[0]);
    std::size_t extent = 1;
    while (extent < samples.size() && difference(samples[extent], samples[0]) ==
                                          checked_mul(static_cast<Index>(extent), step, "offset"))
      ++extent;
    while (extent > 1 && (samples.size() % extent != 0 || !is_mode(samples, extent, step)))
      --extent;
    if (extent == 1) return std::nullopt;
    shape.push_back(static_cast<Index>(extent));
    stride.push_back(step);
    samples = every(samples, extent);
  }
  if (shape.empty()) return Layout();
  if (shape.size() == 1) return Layout(IntTuple(shape[0]), IntTuple(stride[0]));
  std::vector<IntTuple> extents(shape.begin(), shape.end()), steps(stride.begin(), stride.end());
  return Layout(IntTuple::tuple(extents), IntTuple::tuple(steps));
}

/// A swizzle is its own inverse, and leaves 0 where it is.
std::optional<ComposedLayout> behind_swizzle(const std::vector<Index>& samples) {
  constexpr int kMostBits = 4, kMostBase = 8, kMostShift = 8;
  for (int bits = 1; bits <= kMostBits; ++bits)
    for (int shift = bits; shift <= kMostShift; ++shift)
      for (int base = 0; base <= kMostBase; ++base) {
        const Swizzle swizzle(bits, base, shift);
        std::vector<Index> straight;
        for (const Index sample : samples) straight.push_back(swizzle(sample));
        if (const auto layout = fitted(straight)) return ComposedLayout(swizzle, 0, *layout);
      }
  return std::nullopt;
}

}  // namespace

std::optional<FittedLayout> fitted_layout(const std::vector<Index>& offsets) {
  if (offsets.empty()) return std::nullopt;
  std::vector<Index> samples;
  for (const Index offset : offsets) samples.push_back(difference(offset, offsets.front()));
  if (const auto layout = fitted(samples)) return FittedLayout{*layout, offsets.front()};
  if (offsets.front() != 0) return std::nullopt;
  const auto swizzled = behind_swizzle(samples);
  return swizzled ? std::optional(FittedLayout{*swizzled, 0}) : std::nullopt;
}

}  // namespace jute::expr
