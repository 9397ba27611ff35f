#pragma once
// Convolutions as Problems: an image is an operand whose coordinates are places of a box.
#include <jute/base/export.hpp>
#include <jute/plan/ask/problem.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// How images and filters lie: channels fastest or slowest.
enum class ImageOrder : std::uint8_t {
  channels_last,   ///< x NHWC, w FRSC, y NPQF
  channels_first,  ///< x NCHW, w FCRS, y NFPQ
};
[[nodiscard]] std::string_view name(ImageOrder order);  ///< NHWC, NCHW

/// One dimension of images: input[output*stride + tap*dilation - padding] meets filter[tap].
struct ConvolutionAxis {
  Index input = 1, filter = 1;
  Index stride = 1, dilation = 1;
  Index padding = 0;  ///< zeros before the first element, and behind the last
  bool operator==(const ConvolutionAxis&) const = default;

  /// Elements between the first and the last tap, both among them.
  [[nodiscard]] Index window() const { return (filter - 1) * dilation + 1; }
  [[nodiscard]] Index output() const { return (input + 2 * padding - window()) / stride + 1; }
};

/// Cross-correlation, as neural networks call it convolution.
struct Convolution {
  Index images = 1;                     ///< N
  Index channels = 1;                   ///< C, of x
  Index features = 1;                   ///< F, channels of y
  Index channel_groups = 1;             ///< the features of one see its channels alone
  std::vector<ConvolutionAxis> axes{};  ///< one to three: (D,) H, W
  ImageOrder order = ImageOrder::channels_last;
  /// Runs have from so many images to `images`; 0: all of them. Products that write images have M's
  /// range then.
  Index fewest_images = 0;
  bool operator==(const Convolution&) const = default;
};
inline constexpr std::size_t kMostConvolutionAxes = 3;

/// Elements between neighbours along each axis of an array's shape, as `order` has it; of an array
/// that lies packed none. None is negative.
struct ConvolutionStrides {
  std::vector<Index> x{}, w{}, y{};
};

/// `x=32x56x56x64 w=256x3x3 stride=2,2 padding=1,1`: extents as NHWC and FRS, whatever the order
/// is. A number that is the same for all axes may stand once; stride, dilation, padding, groups and
/// order=NCHW may be left out.
/// `x=1:32x56x56x64` has from 1 to 32 images.
///   throws  syntax, unknown_name: the position and the nearest name; wrong_arity
[[nodiscard]] Convolution parse_convolution(std::string_view text);
/// The text that parse_convolution reads, in as few words as it takes.
[[nodiscard]] std::string to_string(const Convolution& convolution);

/// Refuses what is no convolution.
///   throws  illegal_problem: an extent, stride, dilation or group count below 1, a negative
///           padding, groups that divide C or F not, a window longer than the padded input;
///           wrong_arity: no axis or more than three
void require_legal(const Convolution& convolution);

/// y = x * w. M counts outputs (Q fastest, then P, then the image), N features, K channels and taps
/// (C fastest, then S, then R); the batch is the groups. `like` has types, alignments, scale
/// factors and the epilogue, in which rows are outputs and columns features.
///   shapes  A is x (N,H,W,C), B is w (F,R,S,C/groups), D is y (N,P,Q,F), or with
///           channels first, as `order` says
///   throws  what require_legal throws; wrong_arity: strides of another number of axes
[[nodiscard]] Problem convolution(const Convolution& convolution, const Problem& like = {},
                                  const ConvolutionStrides& strides = {});

/// dx of dy and w: A is dy, B is w, D is dx. Where strides are 1 it is one Problem; else one for
/// each remainder of the inputs' numbers by the strides, which write inputs of their own: together
/// all of dx.
///   throws  what require_legal throws
[[nodiscard]] std::vector<Problem> convolution_data_gradient(
    const Convolution& convolution, const Problem& like = {},
    const ConvolutionStrides& strides = {});

/// dw of dy and x: A is dy, B is x, D is dw.
///   throws  what require_legal throws; illegal_problem: a range of images, over which dw sums
[[nodiscard]] Problem convolution_filter_gradient(const Convolution& convolution,
                                                  const Problem& like = {},
                                                  const ConvolutionStrides& strides = {});

}  // namespace jute
