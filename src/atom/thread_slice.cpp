// Slices a swizzled layout at a thread's coordinate, with a form that does not depend on the
// thread.
#include "atom/thread_slice.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/modes.hpp>

#include <cstdlib>
#include <functional>
#include <optional>

namespace jute::atom {
namespace {

/// The bits that the thread's coordinate contributes.
struct ThreadBits {
  Index value = 0;  ///< of this thread
  Index any = 0;    ///< of all threads: the bits that vary
};

ThreadBits thread_bits(const IntTuple& coordinate, const Layout& layout) {
  const Layout fixed = dice(coordinate, layout);
  const IntTuple place = dice(coordinate, coordinate);
  const std::vector<Index> digits = flatten(crd2crd(place, fixed.shape(), fixed.shape())).leaves();
  const std::vector<Index> shape = fixed.flat_shape();
  const std::vector<Index> stride = fixed.flat_stride();
  ThreadBits bits;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    bits.value ^= digits[i] * stride[i];
    bits.any |= (shape[i] - 1) * stride[i];
  }
  return bits;
}

/// A mode of the unfolded swizzle; a varying step has another value in another thread.
struct Step {
  Index extent;
  Index stride;
  bool varies;
};

/// Appends a mode; merges it into the last one if it goes on there in every thread.
void append(std::vector<Step>& steps, Step next) {
  if (next.extent == 1) return;
  if (!steps.empty()) {
    Step& last = steps.back();
    if (!last.varies && !next.varies && last.extent * last.stride == next.stride) {
      last.extent *= next.extent;
      return;
    }
  }
  steps.push_back(next);
}

/// Steps along the bits of one field while the other field holds the thread's bits: a step along
/// the target changes sign where the source bit is set, one along the source carries the target.
void append_field(std::vector<Step>& steps, const Swizzle& swizzle, const ThreadBits& thread,
                  bool is_target) {
  const Index lowest_target = swizzle.target_mask() & -swizzle.target_mask();
  const Index lowest_source = swizzle.source_mask() & -swizzle.source_mask();
  for (int bit = 0; bit < swizzle.bits(); ++bit) {
    const Index target = lowest_target << bit;
    const Index source = lowest_source << bit;
    const Index other = is_target ? source : target;
    const bool set = (thread.value & other) != 0;
    const Index along_target = set ? -target : target;
    const Index along_source = set ? source - target : source + target;
    append(steps, {2, is_target ? along_target : along_source, (thread.any & other) != 0});
  }
}

/// offset -> swizzle(thread's bits ^ offset) - swizzle(thread's bits), step by step.
std::vector<Step> unfolded(const Swizzle& swizzle, const ThreadBits& thread) {
  const bool target_is_low = swizzle.shift() > 0;
  const int distance = std::abs(swizzle.shift());
  std::vector<Step> steps;
  append(steps, {Index{1} << swizzle.base(), 1, false});
  append_field(steps, swizzle, thread, target_is_low);
  const Index above_low = Index{1} << (swizzle.base() + swizzle.bits());
  append(steps, {Index{1} << (distance - swizzle.bits()), above_low, false});
  append_field(steps, swizzle, thread, !target_is_low);
  append(steps, {2, above_low << distance, false});  // the last mode goes on beyond its extent
  return steps;
}

/// The stride that one along a step becomes.
using StepStride = std::function<Index(const Step& step, Index count)>;

/// Strides that count steps become strides that count elements.
IntTuple in_elements(const IntTuple& stride, const std::vector<Step>& steps,
                     const StepStride& step_stride) {
  if (stride.is_basis()) {
    const auto step = static_cast<std::size_t>(stride.view().paths[0].front());
    return step_stride(steps[step], stride.value());
  }
  if (stride.is_leaf()) return stride;
  std::vector<IntTuple> modes;
  for (int mode = 0; mode < stride.rank(); ++mode)
    modes.push_back(in_elements(stride[mode], steps, step_stride));
  return IntTuple::tuple(modes);
}

/// steps ∘ rhs. Each step is a unit vector of its own, so that composition cannot merge steps.
Layout compose(const std::vector<Step>& steps, const Layout& rhs, const StepStride& step_stride) {
  std::vector<IntTuple> shape, stride;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    shape.emplace_back(steps[i].extent);
    stride.push_back(IntTuple::basis(1, {static_cast<int>(i)}));
  }
  const Layout by_step = composition(Layout(IntTuple::tuple(shape), IntTuple::tuple(stride)), rhs);
  return Layout(by_step.shape(), in_elements(by_step.stride(), steps, step_stride));
}

/// `sliced`, a slice of `parts`, with the swizzle unfolded; nothing where it cannot be.
std::optional<Layout> unfolded_slice(const ComposedAndOffset& sliced, const IntTuple& coordinate,
                                     const ComposedLayout& parts, const StepStride& step_stride) {
  const Swizzle& swizzle = parts.swizzle();
  if (swizzle.bits() == 0 || !sliced.layout.is_plain()) return std::nullopt;
  ThreadBits thread = thread_bits(coordinate, parts.layout());
  thread.value ^= parts.offset();
  return compose(unfolded(swizzle, thread), slice(coordinate, parts.layout()), step_stride);
}

}  // namespace

Partition thread_slice(const IntTuple& coordinate, const ComposedLayout& parts) {
  const ComposedAndOffset sliced = slice_and_offset(coordinate, parts);
  const auto plain = unfolded_slice(
      sliced, coordinate, parts, [](const Step& step, Index count) { return count * step.stride; });
  if (!plain) return {sliced.layout, sliced.offset};
  return {*plain, sliced.offset};
}

Layout thread_order(const IntTuple& coordinate, const ComposedLayout& parts) {
  Index unknown = Index{1} << 40;  // beyond every stride of a shared-memory tensor
  const ComposedAndOffset sliced = slice_and_offset(coordinate, parts);
  const auto plain = unfolded_slice(sliced, coordinate, parts, [&](const Step& step, Index count) {
    return step.varies ? unknown++ : count * step.stride;
  });
  return plain ? *plain : sliced.layout.layout();
}

}  // namespace jute::atom
