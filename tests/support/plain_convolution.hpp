#pragma once
// Convolutions and their gradients as their definition says them: loops over outputs and taps of
// three axes, of which shorter images leave some 1 long. It takes nothing of the library but the
// numbers that describe one.
#include <jute/plan/notation/convolution.hpp>

#include <vector>

namespace jute::test {

/// Elements of x (N,D,H,W,C), w (F,T,R,S,C/groups) and y (N,O,P,Q,F) in C order, whatever `order`
/// says.
struct PlainImages {
  std::vector<double> x, w, y;
};

/// How many elements each has.
struct ImageSizes {
  Index x = 0, w = 0, y = 0;
};
[[nodiscard]] ImageSizes image_sizes(const Convolution& convolution);

/// y of x and w, dx of y and w, dw of y and x.
[[nodiscard]] std::vector<double> plain_outputs(const Convolution& convolution,
                                                const PlainImages& images);
[[nodiscard]] std::vector<double> plain_data_gradient(const Convolution& convolution,
                                                      const PlainImages& images);
[[nodiscard]] std::vector<double> plain_filter_gradient(const Convolution& convolution,
                                                        const PlainImages& images);

/// One of them.
enum class ImageArray : std::uint8_t { x, w, y };
/// From C order with the channels last to how `order` has them: (images, channels, places).
[[nodiscard]] std::vector<double> laid_out(const Convolution& convolution, ImageArray array,
                                           const std::vector<double>& channels_last);
/// And back.
[[nodiscard]] std::vector<double> channels_last(const Convolution& convolution, ImageArray array,
                                                const std::vector<double>& laid_out);

/// One of any kind; the same seed gives the same one everywhere.
[[nodiscard]] Convolution random_convolution(std::uint64_t seed);
/// Small whole numbers for its arrays.
[[nodiscard]] PlainImages random_images(const Convolution& convolution, std::uint64_t seed);

}  // namespace jute::test
