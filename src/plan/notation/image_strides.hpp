#pragma once
// Where the elements of a packed array of images, or of filters, lie.
#include <jute/plan/notation/convolution.hpp>

#include <vector>

namespace jute::plan {

/// Elements between neighbours. Of filters an image is one filter.
struct ImageStrides {
  Index channel = 1, image = 1;
  std::vector<Index> axes{}, extents{};  ///< (D,) H, W
};
///   throws  overflow
[[nodiscard]] ImageStrides image_strides(ImageOrder order, Index channels,
                                         const std::vector<Index>& extents);

}  // namespace jute::plan
