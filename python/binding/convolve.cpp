// Convolutions as Python calls them, cross-correlations, and their gradients: of the images in as
// many parts as strides make, of the filters in one.
#include "module.hpp"
#include "run.hpp"
#include "words.hpp"

namespace jute::python {

namespace {

/// A number for all axes, or one for each.
std::vector<Index> axis_numbers(const nb::object& given, const char* name, std::size_t axes,
                                Index usual) {
  if (!given.is_valid()) return std::vector<Index>(axes, usual);
  const bool is_several = nb::hasattr(given, "__iter__") && !PyUnicode_Check(given.ptr());
  if (!is_several) return std::vector<Index>(axes, to_index(given, name));
  std::vector<Index> numbers;
  for (const nb::handle each : given) numbers.push_back(to_index(each, name));
  if (numbers.size() != axes)
    refuse(ErrorCode::wrong_arity, name, std::to_string(numbers.size()) + " numbers",
           "it must be one number, or one for each axis", std::to_string(axes) + " numbers");
  return numbers;
}

/// The strides of an array that does not lie packed; extents of 1 have none that count.
std::vector<Index> strides_of(const Array& array, const char* name) {
  refuse_negative_strides(array, name);
  const std::vector<Index> packed = packed_strides(array.extents());
  std::vector<Index> strides = packed;
  for (std::size_t i = 0; i < strides.size(); ++i)
    if (array.extents()[i] > 1) strides[i] = array.stride[i];
  return strides == packed ? std::vector<Index>{} : strides;
}

/// An array of images or filters, whatever its order.
struct Shape {
  Index images = 1, channels = 1;
  std::vector<Index> axes;
};
Shape shape_of(const Array& array, ImageOrder order) {
  const bool is_first = order == ImageOrder::channels_first;
  Shape shape;
  for (int i = 0; i < array.rank; ++i) {
    const Index extent = array.extent[static_cast<std::size_t>(i)];
    if (i == 0)
      shape.images = extent;
    else if (i == (is_first ? 1 : array.rank - 1))
      shape.channels = extent;
    else
      shape.axes.push_back(extent);
  }
  return shape;
}

Extents in_order(Index images, const std::vector<Index>& axes, Index channels, ImageOrder order) {
  const bool is_first = order == ImageOrder::channels_first;
  Extents extents{images};
  if (is_first) extents.push_back(channels);
  for (const Index axis : axes) extents.push_back(axis);
  if (!is_first) extents.push_back(channels);
  return extents;
}

void check_rank(const Array& array, const char* name) {
  const int most = 2 + static_cast<int>(kMostConvolutionAxes);
  if (array.rank < 3 || array.rank > most)
    refuse(ErrorCode::wrong_arity, name, std::to_string(array.rank) + " axes",
           "it must have 3 to " + std::to_string(most) +
               " axes: images or filters, channels, and one to three others",
           "4");
}

/// A convolution of images and filters by their extents alone.
Convolution convolution_of(const Call& call, const Array& x, const Array& w) {
  const ConvolutionWords& words = call.convolution;
  check_rank(x, "x");
  check_rank(w, "w");
  Convolution made{.channel_groups = words.groups};
  if (!call.order.empty())
    made.order = chosen<ImageOrder>(
        "order", call.order,
        {{"NHWC", ImageOrder::channels_last}, {"NCHW", ImageOrder::channels_first}});
  const Shape images = shape_of(x, made.order), filters = shape_of(w, made.order);
  if (w.rank != x.rank)
    refuse(ErrorCode::wrong_arity, "w", std::to_string(w.rank) + " axes",
           "it must have as many axes as x", std::to_string(x.rank));
  made.images = images.images, made.channels = images.channels, made.features = filters.images;
  const std::size_t axes = images.axes.size();
  const auto stride = axis_numbers(words.stride, "stride", axes, 1),
             padding = axis_numbers(words.padding, "padding", axes, 0),
             dilation = axis_numbers(words.dilation, "dilation", axes, 1);
  for (std::size_t i = 0; i < axes; ++i)
    made.axes.push_back({images.axes[i], filters.axes[i], stride[i], dilation[i], padding[i]});
  require_legal(made);
  const Index seen = made.channels / made.channel_groups;
  if (filters.channels != seen)
    refuse_shape("w", w.extents(), "its channels must be those of x, divided by the groups",
                 in_order(made.features, filters.axes, seen, made.order));
  return made;
}

/// The result's axes as its memory has them, the last one fastest: as torch has it, channels lie
/// fastest where they do in the images.
Extents axes_like(const Array& x, ImageOrder order) {
  if (order != ImageOrder::channels_first || x.extent[1] < 2 || x.stride[1] != 1) return {};
  Extents axes{0};
  for (Index axis = 2; axis < x.rank; ++axis) axes.push_back(axis);
  axes.push_back(1);
  return axes;
}

Extents output_shape(const Convolution& made) {
  std::vector<Index> places;
  for (const ConvolutionAxis& axis : made.axes) places.push_back(axis.output());
  return in_order(made.images, places, made.features, made.order);
}

nb::object convolve(Call& call) {
  const Wish& wish = call.wish;
  Operands& operands = call.operands;
  operands.a = call.x, operands.b = call.w;
  Bound bound;
  bound.a = array_of(call.x, "x", wish.dtype);
  bound.b = array_of(call.w, "w", wish.dtype);
  check_gradients(bound, call.x, call.w);
  const Convolution made = convolution_of(call, bound.a, bound.b);
  const Extents shape = output_shape(made);
  bound.d = output_array(wish, operands, bound.a, shape, bound.out, axes_like(bound.a, made.order));
  ConvolutionStrides strides{strides_of(bound.a, "x"), strides_of(bound.b, "w"),
                             strides_of(bound.d, "out")};
  read_c(bound, wish, operands, shape);
  const Problem like = like_problem_of(wish, bound);
  bound.problem = convolution(made, like, strides);
  if (bound.has_c) {
    strides.y = strides_of(bound.c, "c");
    bound.problem.c.view = convolution(made, like, strides).d.view;
  }
  finish(bound, wish, operands);
  run(bound, *prepared_for(wish, bound), call.x);
  return result_of(bound);
}

/// An array that is not there yet: what a convolution needs to know of it.
Array shaped_like(nb::handle size, const char* name) {
  Extents extents;
  for (const nb::handle each : size) extents.push_back(to_index(each, name));
  Array array;
  array.rank = static_cast<int>(extents.size());
  for (std::size_t i = 0; i < extents.size(); ++i) {
    array.extent[i] = extents[i];
    if (extents[i] < 0)
      refuse(ErrorCode::out_of_range, name, std::to_string(extents[i]),
             "an extent must not be negative", "0");
  }
  return array;
}

/// The parts with all that the call says of each; the key is of them together.
std::vector<Problem> finished(Bound& bound, const Wish& wish, const Operands& operands,
                              std::vector<Problem> parts) {
  std::string key;
  for (Problem& part : parts) {
    bound.problem = part;
    finish(bound, wish, operands);
    part = bound.problem;
    key += bound.key;
  }
  bound.key = std::move(key);
  return parts;
}

/// The gradient of the images, from dy and w, or of the filters, from dy and x.
nb::object gradient(Call& call) {
  const Wish& wish = call.wish;
  const bool is_data = call.w.is_valid();
  const nb::handle dy = call.dy, other = is_data ? call.w : call.x;
  const char* const name = is_data ? "w" : "x";
  Operands& operands = call.operands;
  operands.a = dy, operands.b = other;
  Bound bound;
  bound.a = array_of(dy, "dy", wish.dtype);
  bound.b = array_of(other, name, wish.dtype);
  check_gradients(bound, dy, other);
  const Array sized = shaped_like(call.size, is_data ? "input_size" : "weight_size");
  const Convolution made =
      is_data ? convolution_of(call, sized, bound.b) : convolution_of(call, bound.b, sized);
  if (Extents(bound.a.extents()) != output_shape(made))
    refuse_shape("dy", bound.a.extents(), "it must have the shape of the convolution's result",
                 output_shape(made));
  bound.d = output_array(wish, operands, bound.a, Extents(sized.extents()), bound.out);
  ConvolutionStrides strides{.y = strides_of(bound.a, "dy")};
  (is_data ? strides.w : strides.x) = strides_of(bound.b, name);
  (is_data ? strides.x : strides.w) = strides_of(bound.d, "out");
  const Problem like = like_problem_of(wish, bound);
  const std::vector<Problem> parts =
      is_data ? convolution_data_gradient(made, like, strides)
              : std::vector<Problem>{convolution_filter_gradient(made, like, strides)};
  run(bound, *prepared_for(wish, bound, finished(bound, wish, operands, parts)), dy);
  return bound.out;
}

}  // namespace

void add_convolutions(nb::module_& core) {
  add_called(core, "conv2d(x: Any, w: Any, *", 'v', "Any", convolve);
  add_called(core, "conv2d_input(input_size: Sequence[int], w: Any, dy: Any, *", 'h', "Any",
             gradient);
  add_called(core, "conv2d_weight(x: Any, weight_size: Sequence[int], dy: Any, *", 'h', "Any",
             gradient);
}

}  // namespace jute::python
