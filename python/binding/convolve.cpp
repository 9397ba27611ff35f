// Convolutions as Python calls them: cross-correlations of packed arrays.
#include "convolve.hpp"

#include "module.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

ImageOrder order_of(const std::string& text) {
  for (const ImageOrder order : {ImageOrder::channels_last, ImageOrder::channels_first})
    if (text == name(order)) return order;
  refuse(ErrorCode::unknown_name, "order", text, "it must be NHWC or NCHW", "NHWC");
}

/// A number for all axes, or one for each.
std::vector<Index> axis_numbers(const nb::object& given, const char* name, std::size_t axes) {
  const bool is_several = PySequence_Check(given.ptr()) && !PyUnicode_Check(given.ptr());
  if (!is_several) return std::vector<Index>(axes, to_index(given, name));
  std::vector<Index> numbers;
  for (const nb::handle each : given) numbers.push_back(to_index(each, name));
  if (numbers.size() != axes)
    refuse(ErrorCode::wrong_arity, name, std::to_string(numbers.size()) + " numbers",
           "it must be one number, or one for each axis", std::to_string(axes) + " numbers");
  return numbers;
}

}  // namespace

std::vector<Index> strides_of(const Array& array, const char* name) {
  refuse_negative_strides(array, name);
  const std::vector<Index> packed = packed_strides(array.extents());
  std::vector<Index> strides = packed;
  for (std::size_t i = 0; i < strides.size(); ++i)
    if (array.extents()[i] > 1) strides[i] = array.stride[i];
  return strides == packed ? std::vector<Index>{} : strides;
}

namespace {

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

}  // namespace

Extents in_order(Index images, const std::vector<Index>& axes, Index channels, ImageOrder order) {
  const bool is_first = order == ImageOrder::channels_first;
  Extents extents{images};
  if (is_first) extents.push_back(channels);
  for (const Index axis : axes) extents.push_back(axis);
  if (!is_first) extents.push_back(channels);
  return extents;
}

namespace {

void check_rank(const Array& array, const char* name) {
  const int most = 2 + static_cast<int>(kMostConvolutionAxes);
  if (array.rank < 3 || array.rank > most)
    refuse(ErrorCode::wrong_arity, name, std::to_string(array.rank) + " axes",
           "it must have 3 to " + std::to_string(most) +
               " axes: images or filters, channels, and one to three others",
           "4");
}

}  // namespace

Convolution convolution_of(const ConvolutionWords& words, const Array& x, const Array& w) {
  check_rank(x, "x");
  check_rank(w, "w");
  Convolution made{.channel_groups = words.groups, .order = order_of(words.order)};
  const Shape images = shape_of(x, made.order), filters = shape_of(w, made.order);
  if (w.rank != x.rank)
    refuse(ErrorCode::wrong_arity, "w", std::to_string(w.rank) + " axes",
           "it must have as many axes as x", std::to_string(x.rank));
  made.images = images.images, made.channels = images.channels, made.features = filters.images;
  const std::size_t axes = images.axes.size();
  const auto stride = axis_numbers(words.stride, "stride", axes),
             padding = axis_numbers(words.padding, "padding", axes),
             dilation = axis_numbers(words.dilation, "dilation", axes);
  for (std::size_t i = 0; i < axes; ++i)
    made.axes.push_back({images.axes[i], filters.axes[i], stride[i], dilation[i], padding[i]});
  require_legal(made);
  const Index seen = made.channels / made.channel_groups;
  if (filters.channels != seen)
    refuse_shape("w", w.extents(), "its channels must be those of x, divided by the groups",
                 in_order(made.features, filters.axes, seen, made.order));
  return made;
}

Extents output_shape(const Convolution& made) {
  std::vector<Index> places;
  for (const ConvolutionAxis& axis : made.axes) places.push_back(axis.output());
  return in_order(made.images, places, made.features, made.order);
}

Problem like_problem_of(const Wish& wish, const Bound& bound) {
  Problem like;
  const auto matrix = [](const Array& array) {
    Matrix made{array.type};
    made.alignment_bytes = promised_alignment(array);
    return made;
  };
  like.a = matrix(bound.a), like.b = matrix(bound.b), like.d = matrix(bound.d);
  like.c = bound.has_c ? matrix(bound.c) : like.d;
  like.precision = wish.precision;
  return like;
}

namespace {

nb::object convolve(nb::handle x, nb::handle w, nb::object out, nb::object c, double alpha,
                    double beta, nb::object inputs, nb::object outputs, nb::object stream,
                    const std::string& epilogue, const std::string& precision,
                    const std::string& config, nb::object dtype, nb::object out_dtype,
                    nb::object stride, nb::object padding, nb::object dilation, Index groups,
                    const std::string& order) {
  const Wish wish =
      wish_of({epilogue, precision, config, std::move(dtype), std::move(out_dtype), nb::none()});
  Bound bound;
  bound.a = array_of(x, "x", wish.dtype);
  bound.b = array_of(w, "w", wish.dtype);
  check_gradients(bound, x, w);
  const Convolution made =
      convolution_of({std::move(stride), std::move(padding), std::move(dilation), groups, order},
                     bound.a, bound.b);
  const Extents shape = output_shape(made);
  const Operands operands{x,
                          w,
                          std::move(out),
                          std::move(c),
                          std::move(stream),
                          dict_or_empty(inputs),
                          dict_or_empty(outputs),
                          alpha,
                          beta};
  bound.d = output_array(wish, operands, bound.a, shape, bound.out);
  ConvolutionStrides strides{strides_of(bound.a, "x"), strides_of(bound.b, "w"),
                             strides_of(bound.d, "out")};
  bound.has_c = !operands.c.is_none();
  if (bound.has_c) {
    bound.c = array_of(operands.c, "c", wish.out_dtype);
    if (Extents(bound.c.extents()) != shape)
      refuse_shape("c", bound.c.extents(), "it must have the shape of the result", shape);
  }
  const Problem like = like_problem_of(wish, bound);
  bound.problem = convolution(made, like, strides);
  if (bound.has_c) {
    strides.y = strides_of(bound.c, "c");
    bound.problem.c.view = convolution(made, like, strides).d.view;
  }
  finish(bound, wish, operands);
  run(bound, *prepared_for(wish, bound), x);
  return result_of(bound);
}

}  // namespace

void add_convolutions(nb::module_& core) {
  core.def("convolve", convolve, "x"_a, "w"_a, "out"_a.none(), "c"_a.none(), "alpha"_a, "beta"_a,
           "inputs"_a.none(), "outputs"_a.none(), "stream"_a.none(), "epilogue"_a, "precision"_a,
           "config"_a, "dtype"_a.none(), "out_dtype"_a.none(), "stride"_a, "padding"_a,
           "dilation"_a, "groups"_a, "order"_a);
}

}  // namespace jute::python
