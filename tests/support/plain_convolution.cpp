// Loops over outputs and taps.
#include "support/plain_convolution.hpp"

#include <array>

#include "support/chance.hpp"

namespace jute::test {
namespace {

/// A convolution of three axes, the first ones 1 long where an image has fewer.
struct Loops {
  explicit Loops(const Convolution& of) : c(of) {
    for (auto axis = of.axes.rbegin(); axis != of.axes.rend(); ++axis)
      axes[2 - static_cast<std::size_t>(axis - of.axes.rbegin())] = *axis;
    channels = of.channels / of.channel_groups;
    features = of.features / of.channel_groups;
  }

  /// Calls visit(x, w, y) with the elements of every product.
  template <class Visit>
  void each(Visit visit) const {
    const Index outputs = out(0) * out(1) * out(2),
                taps = in_filter(0) * in_filter(1) * in_filter(2);
    for (Index image = 0; image < c.images; ++image)
      for (Index output = 0; output < outputs; ++output)
        for (Index tap = 0; tap < taps; ++tap) {
          const Index place = input_of(output, tap);
          if (place < 0) continue;
          for (Index f = 0; f < c.features; ++f)
            for (Index channel = 0; channel < channels; ++channel) {
              const Index group = f / features;
              visit((image * inputs() + place) * c.channels + group * channels + channel,
                    (f * taps + tap) * channels + channel,
                    (image * outputs + output) * c.features + f);
            }
        }
  }

  Index out(std::size_t axis) const {
    const auto& [input, filter, stride, dilation, padding] = axes[axis];
    Index count = 0;  // windows that end inside the padded input
    while (count * stride + (filter - 1) * dilation < input + 2 * padding) ++count;
    return count;
  }
  Index in_filter(std::size_t axis) const { return axes[axis].filter; }
  Index inputs() const { return axes[0].input * axes[1].input * axes[2].input; }

  /// The input under a tap; -1 in the padding.
  Index input_of(Index output, Index tap) const {
    std::array<Index, 3> o{output / (out(1) * out(2)), output / out(2) % out(1), output % out(2)};
    std::array<Index, 3> t{tap / (in_filter(1) * in_filter(2)), tap / in_filter(2) % in_filter(1),
                           tap % in_filter(2)};
    Index place = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Index at = o[i] * axes[i].stride + t[i] * axes[i].dilation - axes[i].padding;
      if (at < 0 || at >= axes[i].input) return -1;
      place = place * axes[i].input + at;
    }
    return place;
  }

  Convolution c;
  std::array<ConvolutionAxis, 3> axes{};
  Index channels = 1, features = 1;  // of a group
};

std::vector<double> zeros(Index count) {
  return std::vector<double>(static_cast<std::size_t>(count), 0.0);
}
std::size_t at(Index index) { return static_cast<std::size_t>(index); }

}  // namespace

ImageSizes image_sizes(const Convolution& convolution) {
  const Loops loops(convolution);
  const Index taps = loops.in_filter(0) * loops.in_filter(1) * loops.in_filter(2);
  return {convolution.images * loops.inputs() * convolution.channels,
          convolution.features * taps * loops.channels,
          convolution.images * loops.out(0) * loops.out(1) * loops.out(2) * convolution.features};
}

std::vector<double> plain_outputs(const Convolution& convolution, const PlainImages& images) {
  std::vector<double> y = zeros(image_sizes(convolution).y);
  Loops(convolution).each([&](Index x, Index w, Index out) {
    y[at(out)] += images.x[at(x)] * images.w[at(w)];
  });
  return y;
}

std::vector<double> plain_data_gradient(const Convolution& convolution, const PlainImages& images) {
  std::vector<double> dx = zeros(image_sizes(convolution).x);
  Loops(convolution).each([&](Index x, Index w, Index out) {
    dx[at(x)] += images.y[at(out)] * images.w[at(w)];
  });
  return dx;
}

std::vector<double> plain_filter_gradient(const Convolution& convolution,
                                          const PlainImages& images) {
  std::vector<double> dw = zeros(image_sizes(convolution).w);
  Loops(convolution).each([&](Index x, Index w, Index out) {
    dw[at(w)] += images.y[at(out)] * images.x[at(x)];
  });
  return dw;
}

namespace {

/// (images, rows, columns) with the last two exchanged.
std::vector<double> exchanged(const std::vector<double>& from, Index rows, Index columns) {
  std::vector<double> to(from.size());
  const Index image = rows * columns;
  for (Index i = 0; i < std::ssize(from); ++i) {
    const Index row = i % image / columns, column = i % columns;
    to[at(i / image * image + column * rows + row)] = from[at(i)];
  }
  return to;
}

/// Channels of an array, and its places: taps or elements of an image.
struct Shape {
  Index channels = 1, places = 1;
};
Shape shape_of(const Convolution& convolution, ImageArray array) {
  const Loops loops(convolution);
  const ImageSizes sizes = image_sizes(convolution);
  switch (array) {
    case ImageArray::x:
      return {convolution.channels, sizes.x / convolution.images / convolution.channels};
    case ImageArray::w:
      return {loops.channels, sizes.w / convolution.features / loops.channels};
    case ImageArray::y:
      break;
  }
  return {convolution.features, sizes.y / convolution.images / convolution.features};
}

}  // namespace

std::vector<double> laid_out(const Convolution& convolution, ImageArray array,
                             const std::vector<double>& elements) {
  if (convolution.order == ImageOrder::channels_last) return elements;
  const auto [channels, places] = shape_of(convolution, array);
  return exchanged(elements, places, channels);
}

std::vector<double> channels_last(const Convolution& convolution, ImageArray array,
                                  const std::vector<double>& elements) {
  if (convolution.order == ImageOrder::channels_last) return elements;
  const auto [channels, places] = shape_of(convolution, array);
  return exchanged(elements, channels, places);
}

Convolution random_convolution(std::uint64_t seed) {
  Chance chance(seed);
  Convolution made;
  made.images = 1 + chance.below(3);
  made.channel_groups = chance.one_in(3) ? 1 + chance.below(3) : 1;
  made.channels = made.channel_groups * (1 + chance.below(6));
  made.features = made.channel_groups * (1 + chance.below(6));
  made.axes.resize(static_cast<std::size_t>(1 + chance.below(3)));
  made.order = chance.one_in(2) ? ImageOrder::channels_first : ImageOrder::channels_last;
  for (ConvolutionAxis& axis : made.axes) {
    axis.filter = 1 + chance.below(3);
    axis.stride = 1 + chance.below(3);
    axis.dilation = 1 + chance.below(3);
    axis.padding = chance.below(3);
    const Index least = (axis.filter - 1) * axis.dilation + 1 - 2 * axis.padding;
    axis.input = (least > 1 ? least : 1) + chance.below(5);
  }
  return made;
}

PlainImages random_images(const Convolution& convolution, std::uint64_t seed) {
  Chance chance(seed);
  const ImageSizes sizes = image_sizes(convolution);
  const auto numbers = [&](Index count) {
    std::vector<double> values(at(count));
    for (double& value : values) value = static_cast<double>(chance.below(5) - 2);
    return values;
  };
  return {numbers(sizes.x), numbers(sizes.w), numbers(sizes.y)};
}

}  // namespace jute::test
