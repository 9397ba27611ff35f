#pragma once
// What convolutions and their gradients have in common.
#include "calls.hpp"

namespace jute::python {

/// What a call says besides its arrays.
struct ConvolutionWords {
  nb::object stride, padding, dilation;
  Index groups = 1;
  std::string order;
};

/// Of images and filters by their extents alone.
///   throws  wrong_arity, not_compatible, illegal_problem: they are no convolution
[[nodiscard]] Convolution convolution_of(const ConvolutionWords& words, const Array& x,
                                         const Array& w);
[[nodiscard]] Extents in_order(Index images, const std::vector<Index>& axes, Index channels,
                               ImageOrder order);
/// Of y.
[[nodiscard]] Extents output_shape(const Convolution& made);

/// Of an array that does not lie packed; extents of 1 have none that count.
///   throws  unsupported: one is negative
[[nodiscard]] std::vector<Index> strides_of(const Array& array, const char* name);
/// Types and alignments of what is bound.
[[nodiscard]] Problem like_problem_of(const Wish& wish, const Bound& bound);

}  // namespace jute::python
