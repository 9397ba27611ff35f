// The shape that a refused one was probably meant to be.
#include "layout/legal_shape.hpp"

#include <vector>

namespace jute::layout {

std::string nearest_shape(const IntTuple& shape) {
  TupleView view = shape.view();
  std::vector<Index> extents(view.values, view.values + view.leaves);
  for (int i = 0; i < view.leaves; ++i) {
    Index& extent = extents[static_cast<std::size_t>(i)];
    if (extent < 1 || (view.paths != nullptr && !view.paths[i].empty())) extent = 1;
  }
  view.values = extents.data();
  view.paths = nullptr;
  return to_string(IntTuple(view));
}

}  // namespace jute::layout
