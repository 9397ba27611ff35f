// Lists of modes become a layout of three modes, or of two where no batch is.
#include "plan/notation/coordinates.hpp"

namespace jute::plan {
namespace {

template <class Leaf>
Layout coordinates(const CoordinateModes& modes, Leaf leaf) {
  LayoutBuilder builder;
  builder.open();
  const std::size_t rank = modes[2].empty() ? 2 : 3;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto& list = modes[i];
    if (list.empty()) leaf(builder, CoordinateMode{});
    if (list.size() > 1) builder.open();
    for (const CoordinateMode& mode : list) leaf(builder, mode);
    if (list.size() > 1) builder.close();
  }
  builder.close();
  return builder.take();
}

}  // namespace

Layout element_coordinates(const CoordinateModes& modes) {
  return coordinates(modes, [](LayoutBuilder& builder, const CoordinateMode& mode) {
    builder.leaf(mode.extent, mode.stride);
  });
}

Layout box_coordinates(const CoordinateModes& modes) {
  return coordinates(modes, [](LayoutBuilder& builder, const CoordinateMode& mode) {
    builder.leaf(mode.extent, mode.stride, {static_cast<char32_t>(mode.axis)});
  });
}

}  // namespace jute::plan
