#pragma once
// A Spread with its leaves at hand, for those that walk over it.
#include <jute/dist/distribution.hpp>

#include <numeric>
#include <span>
#include <vector>

namespace jute::dist {

struct FlatSpread {
  Index extent = 0;
  std::vector<Index> axes;           ///< strides, 0 where there is a copy on each
  std::vector<Index> shape, stride;  ///< of a part
  Index places = 1;                  ///< of a part that is not clipped
  Index run = 1;  ///< indices that lie together in every part and begin at a multiple of it

  [[nodiscard]] Index first(std::span<const Index> coordinates) const {
    return std::inner_product(axes.begin(), axes.end(), coordinates.begin(), Index{0});
  }
  [[nodiscard]] Index local(Index place) const {
    Index index = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      index += place % shape[i] * stride[i];
      place /= shape[i];
    }
    return index;
  }
  /// Places whose index is none past the extent: they come first.
  [[nodiscard]] Index part_size(std::span<const Index> coordinates) const;
};

[[nodiscard]] FlatSpread flat(const Spread& spread);

}  // namespace jute::dist
