// Convolutions as words.
#include <jute/plan/notation/convolution.hpp>

#include "support/catch.hpp"
#include "support/plain_convolution.hpp"
#include "support/refusal.hpp"

using namespace jute;

TEST_CASE("a convolution's text has the shapes of x and w, and what is not usual",
          "[plan][convolution]") {
  const Convolution layer = parse_convolution("x=32x56x40x64  w=256x3x1 stride=2 padding=1,0");
  CHECK(layer.images == 32);
  CHECK(layer.channels == 64);
  CHECK(layer.features == 256);
  REQUIRE(layer.axes.size() == 2);
  CHECK(layer.axes[0] == ConvolutionAxis{56, 3, 2, 1, 1});
  CHECK(layer.axes[1] == ConvolutionAxis{40, 1, 2, 1, 0});
  CHECK(to_string(layer) == "x=32x56x40x64 w=256x3x1 stride=2,2 padding=1,0");
  CHECK(parse_convolution("order=NCHW groups=2 w=8x3 x=1x9x4").order == ImageOrder::channels_first);
}

TEST_CASE("what a convolution prints is read back", "[plan][convolution]") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Convolution made = test::random_convolution(seed);
    INFO(to_string(made));
    CHECK(parse_convolution(to_string(made)) == made);
  }
}

TEST_CASE("images may be as many as a run has", "[plan][convolution]") {
  const Convolution layer = parse_convolution("x=2:32x56x40x64 w=256x3x1 padding=1,0");
  CHECK((layer.fewest_images == 2 && layer.images == 32));
  CHECK(to_string(layer) == "x=2:32x56x40x64 w=256x3x1 padding=1,0");
  const Problem forward = convolution(layer);
  CHECK(forward.m_range == MRange{2 * 56 * 40, 32 * 56 * 40});
  CHECK(convolution_data_gradient(layer).at(0).m_range == MRange{2 * 56 * 40, 32 * 56 * 40});
  const Error error = test::refusal_of([&] { return convolution_filter_gradient(layer); });
  CHECK((error.value == "2:32" && error.nearest_legal == "32"));
  const Error down =
      test::refusal_of([] { return convolution(parse_convolution("x=4:2x8x8x4 w=4x3x3")); });
  CHECK((down.operand == "images" && down.nearest_legal == "2:2"));
  CHECK(test::refusal_of([] { return parse_convolution("x=0:2x8x8x4 w=4x3x3"); }).operand == "x");
}

TEST_CASE("words that are none are refused with their place", "[plan][convolution][refusal]") {
  const auto refused = [](const char* text) {
    return to_string(test::refusal_of([&] { return parse_convolution(text); }));
  };
  CHECK(refused("x=1x8x8x4 w=4x3x3 pading=1") ==
        "column 19: pading = 1: a name must be one of: x, w, stride, padding, dilation, groups, "
        "order "
        "(nearest legal: padding)");
  CHECK(refused("x=1x8x8x4") ==
        "column 10: w: a convolution must say x and w, as in x=32x56x56x64 w=256x3x3");
  CHECK(
      refused("x=1x8 w=4") ==
      "column 1: x = 1x8: x must have images, one to three axes and channels, as in x=32x56x56x64");
  CHECK(refused("x=1x8x8x4 w=4x3") ==
        "column 11: w = 4x3: w must have features and the 2 extents of a filter");
  CHECK(refused("x=1x8x8x4 w=4x3x3 stride=1,2,3") ==
        "column 19: stride = 1,2,3: stride needs one number, or one for each of the 2 axes");
  CHECK(refused("x=1x8x8x4 w=4x3x3 order=NHCW") ==
        "column 19: order = NHCW: order must be NHWC or NCHW (nearest legal: NHWC)");
  CHECK(refused("x=1x8x8xc w=4x3x3") ==
        "column 1: x = 1x8x8xc: x must be whole numbers with an x between them");
  CHECK(refused("1x8x8x4") == "column 1: 1x8x8x4: a word must be name=value, as in w=256x3x3");
}
