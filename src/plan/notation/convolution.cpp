// A convolution and its gradients, each as three Views.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/notation/convolution.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/format.hpp"
#include "plan/notation/coordinates.hpp"
#include "plan/notation/image_strides.hpp"

namespace jute {
namespace {

using plan::CoordinateMode;
using plan::CoordinateModes;
using plan::ImageStrides;

/// The arrays of a convolution, in elements.
struct Arrays {
  ImageStrides x, w, y;
  Index channels = 1, features = 1;  ///< of a group
};

/// As the caller's strides say, which stand as the array's axes do.
ImageStrides lying(ImageStrides packed, ImageOrder order, const std::vector<Index>& strides,
                   const char* array) {
  if (strides.empty()) return packed;
  const std::size_t axes = packed.axes.size();
  if (strides.size() != axes + 2)
    refuse(ErrorCode::wrong_arity, array, base::format("{} strides", strides.size()),
           "it must have one stride for each of its axes", base::format("{} strides", axes + 2));
  const bool is_last = order == ImageOrder::channels_last;
  packed.image = strides.front();
  packed.channel = is_last ? strides.back() : strides[1];
  std::copy_n(strides.begin() + (is_last ? 1 : 2), axes, packed.axes.begin());
  return packed;
}

Arrays arrays_of(const Convolution& convolution, const ConvolutionStrides& strides) {
  std::vector<Index> inputs, filters, outputs;
  for (const ConvolutionAxis& axis : convolution.axes) {
    inputs.push_back(axis.input);
    filters.push_back(axis.filter);
    outputs.push_back(axis.output());
  }
  const auto& [images, channels, features, groups, axes, order, fewest] = convolution;
  return {lying(plan::image_strides(order, channels, inputs), order, strides.x, "x"),
          lying(plan::image_strides(order, channels / groups, filters), order, strides.w, "w"),
          lying(plan::image_strides(order, features, outputs), order, strides.y, "y"),
          channels / groups, features / groups};
}

/// Places of the box of an image: channels, then the axes from W on, then images.
constexpr int kChannelAxis = 0;
int box_axis(std::size_t axis, std::size_t axes) { return static_cast<int>(axes - axis); }
int image_axis(std::size_t axes) { return static_cast<int>(axes) + 1; }

/// The box of an image and its extents.
std::vector<BoxMode> box_of(const ImageStrides& strides, Index channels, Index images) {
  std::vector<BoxMode> box{{channels, strides.channel}};
  for (std::size_t axis = strides.axes.size(); axis-- > 0;)
    box.push_back({strides.extents[axis], strides.axes[axis]});
  box.push_back({images, strides.image});
  return box;
}

/// plan::ModeList of all axes, the last axis first, as a row or column of numbers is counted.
template <class ModeOfAxis>
void add_axes(plan::ModeList& modes, std::size_t axes, ModeOfAxis mode_of_axis) {
  for (std::size_t axis = axes; axis-- > 0;) modes.push_back(mode_of_axis(axis));
}

View box_view(const CoordinateModes& modes, std::vector<BoxMode> box, std::vector<Index> origin) {
  return {.coordinates = plan::box_coordinates(modes),
          .box = std::move(box),
          .origin = std::move(origin),
          .outside = OutsideBox::zero};
}

View element_view(const CoordinateModes& modes, Index first = 0) {
  return {.coordinates = plan::element_coordinates(modes),
          .box = {},
          .origin = first == 0 ? std::vector<Index>{} : std::vector<Index>{first}};
}

/// The groups, a batch: so many steps of `stride`; none where there is one.
plan::ModeList groups_of(const Convolution& convolution, Index stride, int axis = 0) {
  if (convolution.channel_groups == 1) return {};
  return {{convolution.channel_groups, stride, axis}};
}

/// The modes that count the rows of x; channels and taps, or outputs, then count the columns.
enum class RowsOfX : std::uint8_t { outputs, taps };

View windows_of(const Convolution& convolution, const Arrays& arrays, RowsOfX rows) {
  const std::size_t axes = convolution.axes.size();
  plan::ModeList outputs, taps{{arrays.channels, 1, kChannelAxis}};
  add_axes(outputs, axes, [&](std::size_t i) {
    return CoordinateMode{convolution.axes[i].output(), convolution.axes[i].stride,
                          box_axis(i, axes)};
  });
  outputs.push_back({convolution.images, 1, image_axis(axes)});
  add_axes(taps, axes, [&](std::size_t i) {
    return CoordinateMode{convolution.axes[i].filter, convolution.axes[i].dilation,
                          box_axis(i, axes)};
  });
  std::vector<Index> origin(axes + 2, 0);
  for (std::size_t i = 0; i < axes; ++i)
    origin[static_cast<std::size_t>(box_axis(i, axes))] = -convolution.axes[i].padding;
  const plan::ModeList groups = groups_of(convolution, arrays.channels, kChannelAxis);
  return box_view(rows == RowsOfX::outputs ? CoordinateModes{outputs, taps, groups}
                                           : CoordinateModes{taps, outputs, groups},
                  box_of(arrays.x, convolution.channels, convolution.images), std::move(origin));
}

/// Outputs of y, and its features.
plan::ModeList outputs_of(const Convolution& convolution, const Arrays& arrays) {
  plan::ModeList modes;
  add_axes(modes, convolution.axes.size(), [&](std::size_t i) {
    return CoordinateMode{arrays.y.extents[i], arrays.y.axes[i]};
  });
  modes.push_back({convolution.images, arrays.y.image});
  return modes;
}
plan::ModeList features_of(const Arrays& arrays) { return {{arrays.features, arrays.y.channel}}; }

/// Channels and taps of one filter.
plan::ModeList taps_of(const Arrays& arrays) {
  plan::ModeList modes{{arrays.channels, arrays.w.channel}};
  add_axes(modes, arrays.w.axes.size(), [&](std::size_t i) {
    return CoordinateMode{arrays.w.extents[i], arrays.w.axes[i]};
  });
  return modes;
}

/// The filters of a group, and from one group to the next.
plan::ModeList filters_of(const Arrays& arrays) { return {{arrays.features, arrays.w.image}}; }

Index count_of(const plan::ModeList& modes) {
  Index size = 1;
  for (const CoordinateMode& mode : modes) size *= mode.extent;
  return size;
}

/// M's rows are those of all images, the last of which a run may leave out.
void set_range(Problem& problem, const Convolution& convolution) {
  if (convolution.fewest_images == 0) return;
  const Index rows = problem.m / convolution.images;
  problem.m_range = MRange{convolution.fewest_images * rows, problem.m};
}

}  // namespace

Problem convolution(const Convolution& convolution, const Problem& like,
                    const ConvolutionStrides& strides) {
  require_legal(convolution);
  const Arrays arrays = arrays_of(convolution, strides);
  const plan::ModeList outputs = outputs_of(convolution, arrays), taps = taps_of(arrays);
  Problem problem = like;
  problem.m = count_of(outputs);
  problem.n = arrays.features;
  problem.k = count_of(taps);
  problem.batch = convolution.channel_groups;
  problem.a.view = windows_of(convolution, arrays, RowsOfX::outputs);
  problem.b.view = element_view(
      {filters_of(arrays), taps, groups_of(convolution, arrays.features * arrays.w.image)});
  problem.d.view = element_view(
      {outputs, features_of(arrays), groups_of(convolution, arrays.features * arrays.y.channel)});
  problem.c.view = problem.d.view;
  set_range(problem, convolution);
  return problem;
}

Problem convolution_filter_gradient(const Convolution& convolution, const Problem& like,
                                    const ConvolutionStrides& strides) {
  require_legal(convolution);
  if (convolution.fewest_images > 0)
    refuse(ErrorCode::illegal_problem, "images",
           base::format("{}:{}", convolution.fewest_images, convolution.images),
           "the filters' gradient sums over images: their number must be one",
           std::to_string(convolution.images));
  const Arrays arrays = arrays_of(convolution, strides);
  const plan::ModeList outputs = outputs_of(convolution, arrays), taps = taps_of(arrays);
  Problem problem = like;
  problem.m = arrays.features;
  problem.n = count_of(taps);
  problem.k = count_of(outputs);
  problem.batch = convolution.channel_groups;
  problem.a.view = element_view(
      {features_of(arrays), outputs, groups_of(convolution, arrays.features * arrays.y.channel)});
  problem.b.view = windows_of(convolution, arrays, RowsOfX::taps);
  problem.d.view = element_view(
      {filters_of(arrays), taps, groups_of(convolution, arrays.features * arrays.w.image)});
  problem.c.view = problem.d.view;
  return problem;
}

namespace {

/// The inputs of one axis whose numbers leave one remainder by its stride, and the taps that meet
/// them: input first + stride*i meets tap first_tap + tap_step*t at output origin + i - back*t.
struct Residue {
  Index inputs = 0, first = 0;
  Index taps = 0, first_tap = 0, tap_step = 1;
  Index origin = 0, back = 0;
};

Residue residue_of(const ConvolutionAxis& axis, Index remainder) {
  const auto& [input, filter, stride, dilation, padding] = axis;
  Residue residue{.inputs = input > remainder ? (input - remainder - 1) / stride + 1 : 0,
                  .first = remainder};
  residue.tap_step = stride / std::gcd(stride, dilation);
  residue.back = residue.tap_step * dilation / stride;
  const Index last = std::min(filter, residue.tap_step);
  for (Index tap = 0; tap < last; ++tap) {
    if ((remainder + padding - tap * dilation) % stride != 0) continue;
    residue.first_tap = tap;
    residue.taps = (filter - 1 - tap) / residue.tap_step + 1;
    residue.origin = (remainder + padding - tap * dilation) / stride;
  }
  return residue;
}

/// Inputs of dx that have one remainder on every axis.
struct GradientPart {
  std::vector<Residue> axes;

  [[nodiscard]] Index first(const std::vector<Index>& strides, Index Residue::*where) const {
    Index element = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) element += axes[i].*where * strides[i];
    return element;
  }
};

View gradient_view_of_y(const Convolution& convolution, const Arrays& arrays,
                        const GradientPart& part) {
  const std::size_t axes = part.axes.size();
  plan::ModeList inputs, taps{{arrays.features, 1, kChannelAxis}};
  std::vector<Index> origin(axes + 2, 0);
  add_axes(inputs, axes, [&](std::size_t i) {
    origin[static_cast<std::size_t>(box_axis(i, axes))] = part.axes[i].origin;
    return CoordinateMode{part.axes[i].inputs, 1, box_axis(i, axes)};
  });
  inputs.push_back({convolution.images, 1, image_axis(axes)});
  add_axes(taps, axes, [&](std::size_t i) {
    return CoordinateMode{part.axes[i].taps, -part.axes[i].back, box_axis(i, axes)};
  });
  return box_view({inputs, taps, groups_of(convolution, arrays.features, kChannelAxis)},
                  box_of(arrays.y, convolution.features, convolution.images), std::move(origin));
}

/// dx of the inputs of one part. No tap may meet them: then they are 0.
Problem part_gradient(const Convolution& convolution, const Arrays& arrays,
                      const GradientPart& part, const Problem& like) {
  plan::ModeList inputs, taps{{arrays.features, arrays.w.image}};
  add_axes(inputs, part.axes.size(), [&](std::size_t i) {
    return CoordinateMode{part.axes[i].inputs, convolution.axes[i].stride * arrays.x.axes[i]};
  });
  inputs.push_back({convolution.images, arrays.x.image});
  add_axes(taps, part.axes.size(), [&](std::size_t i) {
    return CoordinateMode{part.axes[i].taps, part.axes[i].tap_step * arrays.w.axes[i]};
  });
  Problem problem = like;
  problem.m = count_of(inputs);
  problem.n = arrays.channels;
  problem.k = count_of(taps);
  problem.batch = convolution.channel_groups;
  if (problem.k > 0) {
    problem.a.view = gradient_view_of_y(convolution, arrays, part);
    problem.b.view = element_view({plan::ModeList{{arrays.channels, arrays.w.channel}}, taps,
                                   groups_of(convolution, arrays.features * arrays.w.image)},
                                  part.first(arrays.w.axes, &Residue::first_tap));
  }
  problem.d.view = element_view({inputs, plan::ModeList{{arrays.channels, arrays.x.channel}},
                                 groups_of(convolution, arrays.channels * arrays.x.channel)},
                                part.first(arrays.x.axes, &Residue::first));
  problem.c.view = problem.d.view;
  set_range(problem, convolution);
  return problem;
}

}  // namespace

std::vector<Problem> convolution_data_gradient(const Convolution& convolution, const Problem& like,
                                               const ConvolutionStrides& strides) {
  require_legal(convolution);
  const Arrays arrays = arrays_of(convolution, strides);
  std::vector<GradientPart> parts{{}};
  for (const ConvolutionAxis& axis : convolution.axes) {
    std::vector<GradientPart> longer;
    for (const GradientPart& part : parts)
      for (Index remainder = 0; remainder < std::min(axis.stride, axis.input); ++remainder) {
        longer.push_back(part);
        longer.back().axes.push_back(residue_of(axis, remainder));
      }
    parts = std::move(longer);
  }
  std::vector<Problem> problems;
  for (const GradientPart& part : parts)
    problems.push_back(part_gradient(convolution, arrays, part, like));
  return problems;
}

}  // namespace jute
