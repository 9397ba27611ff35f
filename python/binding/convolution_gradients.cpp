// Gradients of convolutions: of the images in as many parts as strides make, of the filters in one.
#include "convolve.hpp"
#include "module.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

/// An array that is not there yet: what a convolution needs to know of it.
Array shaped_like(const nb::object& size, const char* name) {
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

/// Which array the gradient is of, and how callers name its shape.
enum class Side : std::uint8_t { images, filters };

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

nb::object gradient(Side side, nb::handle dy, nb::handle other, const nb::object& size,
                    nb::object out, nb::object stream, const std::string& precision,
                    const std::string& config, nb::object dtype, nb::object out_dtype,
                    const ConvolutionWords& words) {
  const bool is_data = side == Side::images;
  const Wish wish =
      wish_of({"", precision, config, std::move(dtype), std::move(out_dtype), nb::none()});
  Bound bound;
  bound.a = array_of(dy, "dy", wish.dtype);
  bound.b = array_of(other, is_data ? "w" : "x", wish.dtype);
  check_gradients(bound, dy, other);
  const Array sized = shaped_like(size, is_data ? "input_size" : "weight_size");
  const Convolution made =
      is_data ? convolution_of(words, sized, bound.b) : convolution_of(words, bound.b, sized);
  if (Extents(bound.a.extents()) != output_shape(made))
    refuse_shape("dy", bound.a.extents(), "it must have the shape of the convolution's result",
                 output_shape(made));
  const Operands operands{dy,         other,     std::move(out), nb::none(), std::move(stream),
                          nb::dict(), nb::dict()};
  bound.d = output_array(wish, operands, bound.a, Extents(sized.extents()), bound.out);
  ConvolutionStrides strides{.y = strides_of(bound.a, "dy")};
  (is_data ? strides.w : strides.x) = strides_of(bound.b, is_data ? "w" : "x");
  (is_data ? strides.x : strides.w) = strides_of(bound.d, "out");
  const Problem like = like_problem_of(wish, bound);
  const std::vector<Problem> parts =
      is_data ? convolution_data_gradient(made, like, strides)
              : std::vector<Problem>{convolution_filter_gradient(made, like, strides)};
  run(bound, *prepared_for(wish, bound, finished(bound, wish, operands, parts)), dy);
  return bound.out;
}

template <Side kSide>
nb::object gradient_of(nb::handle dy, nb::handle other, nb::object size, nb::object out,
                       nb::object stream, const std::string& precision, const std::string& config,
                       nb::object dtype, nb::object out_dtype, nb::object stride,
                       nb::object padding, nb::object dilation, Index groups,
                       const std::string& order) {
  return gradient(kSide, dy, other, size, std::move(out), std::move(stream), precision, config,
                  std::move(dtype), std::move(out_dtype),
                  {std::move(stride), std::move(padding), std::move(dilation), groups, order});
}

}  // namespace

void add_convolution_gradients(nb::module_& core) {
  const auto add = [&](const char* name, auto* function) {
    core.def(name, function, "dy"_a, "other"_a, "size"_a, "out"_a.none(), "stream"_a.none(),
             "precision"_a, "config"_a, "dtype"_a.none(), "out_dtype"_a.none(), "stride"_a,
             "padding"_a, "dilation"_a, "groups"_a, "order"_a);
  };
  add("convolve_data_gradient", gradient_of<Side::images>);
  add("convolve_filter_gradient", gradient_of<Side::filters>);
}

}  // namespace jute::python
