// Packed images, and the rules of convolutions.
#include "plan/notation/image_strides.hpp"

#include <jute/base/checked.hpp>
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/format.hpp"

namespace jute::plan {

ImageStrides image_strides(ImageOrder order, Index channels, const std::vector<Index>& extents) {
  ImageStrides strides{.channel = 1, .image = 1, .axes = extents, .extents = extents};
  const bool is_last = order == ImageOrder::channels_last;
  Index next = is_last ? channels : 1;
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    strides.axes[axis] = next;
    next = checked_mul(next, extents[axis], "image");
  }
  if (!is_last) {
    strides.channel = next;
    next = checked_mul(next, channels, "image");
  }
  strides.image = next;
  return strides;
}

namespace {

/// The least that a number of a convolution must be.
struct Least {
  std::string what;
  Index value = 0, least = 1;
};

[[noreturn]] void refuse_convolution(std::string what, Index value, std::string rule,
                                     std::optional<Index> nearest) {
  Error error{.code = ErrorCode::illegal_problem,
              .operand = std::move(what),
              .value = std::to_string(value),
              .violated_rules = {std::move(rule)}};
  if (nearest) error.nearest_legal = std::to_string(*nearest);
  throw Exception(std::move(error));
}

void require_least(const std::vector<Least>& numbers) {
  for (const auto& [what, value, least] : numbers)
    if (value < least)
      refuse_convolution(what, value, base::format("{} must be at least {}", what, least), least);
}

/// The divisor of `whole` that lies nearest below `value`, or above it.
Index nearest_divisor(Index whole, Index value) {
  Index nearest = std::min(value, whole);
  while (whole % nearest != 0) --nearest;
  return nearest;
}

void require_groups(const Convolution& convolution) {
  const Index groups = convolution.channel_groups;
  for (const auto& [what, count] :
       {std::pair{"channels", convolution.channels}, std::pair{"features", convolution.features}})
    if (count % groups != 0)
      refuse_convolution(
          "channel_groups", groups, base::format("groups must divide the {} {}", count, what),
          nearest_divisor(std::gcd(convolution.channels, convolution.features), groups));
}

void require_axis(const ConvolutionAxis& axis, const std::string& where) {
  require_least({{where + "input", axis.input},
                 {where + "filter", axis.filter},
                 {where + "stride", axis.stride},
                 {where + "dilation", axis.dilation},
                 {where + "padding", axis.padding, 0}});
  // Numbers beyond 2^31 are no extents of a problem.
  constexpr Index kMost = Index{1} << 31;
  for (const Index number : {axis.input, axis.filter, axis.stride, axis.dilation, axis.padding})
    if (number >= kMost)
      refuse_convolution(where + "numbers", number, base::format("they must be below {}", kMost),
                         kMost - 1);
  const Index padded = axis.input + 2 * axis.padding;
  if (axis.window() > padded)
    refuse_convolution(
        where + "filter", axis.filter,
        base::format("its window of {} elements must not be longer than the padded input, {}",
                     axis.window(), padded),
        (padded - 1) / axis.dilation + 1);
}

}  // namespace
}  // namespace jute::plan

namespace jute {

std::string_view name(ImageOrder order) {
  return order == ImageOrder::channels_last ? "NHWC" : "NCHW";
}

void require_legal(const Convolution& convolution) {
  const auto& [images, channels, features, groups, axes, order, fewest] = convolution;
  if (axes.empty() || axes.size() > kMostConvolutionAxes)
    refuse(ErrorCode::wrong_arity, "convolution", base::format("{} axes", axes.size()),
           "an image must have one to three axes beside its channels",
           axes.empty() ? "1 axis" : "3 axes");
  plan::require_least({{"images", images},
                       {"channels", channels},
                       {"features", features},
                       {"channel_groups", groups}});
  if (fewest < 0 || fewest > images)
    refuse(ErrorCode::illegal_problem, "images", base::format("{}:{}", fewest, images),
           "a range of images must not go down", base::format("{}:{}", images, images));
  plan::require_groups(convolution);
  constexpr std::string_view kAxes = "DHW";
  for (std::size_t i = 0; i < axes.size(); ++i)
    plan::require_axis(axes[i],
                       base::format("{}.", kAxes.substr(kAxes.size() - axes.size() + i, 1)));
}

}  // namespace jute
