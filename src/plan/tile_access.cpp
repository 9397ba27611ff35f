// (thread, value) layouts followed into memory, as tables.
#include "plan/tile_access.hpp"

#include <cassert>

namespace jute::plan {

std::vector<Index> all_offsets(const ComposedLayout& layout) {
  const std::vector<Index> shape = layout.layout().flat_shape();
  const std::vector<Index> stride = layout.layout().flat_stride();
  std::vector<Index> offsets{layout.offset()};
  for (size_t mode = 0; mode < shape.size(); ++mode) {
    const size_t block = offsets.size();
    offsets.reserve(block * static_cast<size_t>(shape[mode]));
    for (Index i = 1; i < shape[mode]; ++i)
      for (size_t j = 0; j < block; ++j) offsets.push_back(offsets[j] + i * stride[mode]);
  }
  if (layout.swizzle().bits() != 0)
    for (Index& offset : offsets) offset = layout.swizzle()(offset);
  return offsets;
}

TileAccess tile_access(const Layout& tv) {
  return {static_cast<int>(size(tv[0])), static_cast<int>(size(tv[1])), all_offsets(tv)};
}

TileAccess follow(TileAccess access, const ComposedLayout& memory) {
  const std::vector<Index> where = all_offsets(memory);
  for (Index& index : access.offsets) {
    assert(index >= 0 && index < static_cast<Index>(where.size()));
    index = where[static_cast<size_t>(index)];
  }
  return access;
}

int widest_vector(const TileAccess& access, int limit) {
  const auto fits = [&](int width) {
    if (access.values % width != 0) return false;
    for (int value = 0; value < access.values; value += width)
      for (int thread = 0; thread < access.threads; ++thread) {
        const Index first = access(thread, value);
        if (first % width != 0) return false;
        for (int i = 1; i < width; ++i)
          if (access(thread, value + i) != first + i) return false;
      }
    return true;
  };
  int width = 1;
  while (width * 2 <= limit && fits(width * 2)) width *= 2;
  return width;
}

}  // namespace jute::plan
