// From a global layout to the dimensions of a tensor map, innermost first.
#include <jute/plan/derive/operand/tensor_map.hpp>
#include <jute/plan/values/plan.hpp>

#include <algorithm>
#include <vector>

namespace jute {
namespace {

struct Dimension {
  Index extent = 1;
  Index stride = 0;
  Index box = 1;
};

[[noreturn]] void refuse_map(const Layout& global, std::vector<std::string> rules) {
  throw Exception({.code = ErrorCode::illegal_tensor_map,
                   .operand = "global",
                   .value = to_string(global),
                   .violated_rules = std::move(rules)});
}

/// By rising stride; the contiguous mode comes first even where a broadcast one has stride 0.
bool lies_inside(const Dimension& left, const Dimension& right) {
  const auto key = [](const Dimension& d) {
    return std::pair(d.stride == 1 ? 0 : 1, std::pair(d.stride, d.extent));
  };
  return key(left) < key(right);
}

std::vector<Dimension> dimensions(const Layout& global, const IntTuple& box) {
  std::vector<std::string> broken;
  const bool flat =
      global.is_plain() && (global.is_leaf() || global.shape().leaf_count() == global.rank());
  if (!flat) broken.emplace_back("each mode of the layout must be one extent and one stride");
  const int rank = global.is_leaf() ? 1 : global.rank();
  if (box.leaf_count() != rank) broken.emplace_back("the box must have an extent for each mode");
  if (!broken.empty()) refuse_map(global, std::move(broken));
  const std::vector<Index> shape = global.flat_shape(), stride = global.flat_stride();
  const std::vector<Index> extents = box.leaves();
  std::vector<Dimension> list;
  for (size_t i = 0; i < shape.size(); ++i) list.push_back({shape[i], stride[i], extents[i]});
  std::ranges::stable_sort(list, lies_inside);
  if (list.front().stride != 1) refuse_map(global, {"one mode of the layout must have stride 1"});
  return list;
}

}  // namespace

TensorMapSpec tensor_map_spec(const Layout& global, DType type, const IntTuple& box,
                              TmaSwizzle swizzle) {
  TensorMapSpec spec;
  spec.type = type;
  spec.swizzle = swizzle;
  for (const Dimension& dimension : dimensions(global, box)) {
    if (!spec.dims.empty()) spec.strides_bytes.push_back(dimension.stride * width_bytes(type));
    spec.dims.push_back(dimension.extent);
    spec.box.push_back(dimension.box);
    spec.element_strides.push_back(1);
  }
  if (auto error = check(spec)) throw Exception(*std::move(error));
  return spec;
}

}  // namespace jute
