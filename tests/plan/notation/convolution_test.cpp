// Convolutions as Views, walked element by element and held against loops over outputs and taps.
#include <jute/plan/notation/convolution.hpp>

#include "support/catch.hpp"
#include "support/plain_convolution.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::ImageArray;
using test::PlainImages;

namespace {

/// D += A·B by the operands' Views; an operand without one is never read.
void multiply(const Problem& problem, const std::vector<double>& a, const std::vector<double>& b,
              std::vector<double>& d) {
  const ViewModes to = modes_of(*problem.d.view);
  for (Index batch = 0; batch < problem.batch; ++batch)
    for (Index m = 0; m < problem.m; ++m)
      for (Index n = 0; n < problem.n; ++n) {
        double sum = 0;
        for (Index k = 0; k < problem.k; ++k) {
          const auto at_a = modes_of(*problem.a.view).element(m, k, batch);
          const auto at_b = modes_of(*problem.b.view).element(n, k, batch);
          if (at_a && at_b)
            sum += a.at(static_cast<std::size_t>(*at_a)) * b.at(static_cast<std::size_t>(*at_b));
        }
        d.at(static_cast<std::size_t>(to.element(m, n, batch).value())) += sum;
      }
}

/// What a convolution, or a gradient, writes: its problems run one behind the other.
std::vector<double> written_by(const std::vector<Problem>& problems, const std::vector<double>& a,
                               const std::vector<double>& b, std::size_t elements) {
  std::vector<double> d(elements);
  for (const Problem& problem : problems) multiply(problem, a, b, d);
  return d;
}

Convolution resnet_layer() {
  return {
      .images = 32, .channels = 64, .features = 256, .axes = {{56, 3, 1, 1, 1}, {56, 3, 1, 1, 1}}};
}

}  // namespace

TEST_CASE("a convolution multiplies outputs by features, over channels and taps",
          "[plan][convolution]") {
  const Problem problem = convolution(resnet_layer());
  CHECK(problem.m == 32 * 56 * 56);
  CHECK(problem.n == 256);
  CHECK(problem.k == 64 * 3 * 3);
  CHECK(to_string(*problem.a.view) ==
        "((56,56,32),(64,3,3)):((1@1,1@2,1@3),(1@0,1@1,1@2));box=(64,56,56,32):(1,64,3584,200704);"
        "origin=(0,-1,-1,0);outside=zero");
}

TEST_CASE("a crop's, and channels that lie first, are other strides of the same box",
          "[plan][convolution]") {
  const Convolution layer{
      .images = 2, .channels = 4, .features = 8, .axes = {{6, 3, 1, 1, 0}, {5, 3, 1, 1, 0}}};
  const ConvolutionStrides crop{.x = {1000, 70, 7, 1}, .w = {}, .y = {96, 4, 1, 12}};
  const Problem problem = convolution(layer, {}, crop);
  CHECK(to_string(*problem.a.view) ==
        "((3,4,2),(4,3,3)):((1@1,1@2,1@3),(1@0,1@1,1@2));box=(4,5,6,2):(1,7,70,1000);"
        "origin=(0,0,0,0);outside=zero");
  CHECK(to_string(*problem.d.view) == "((3,4,2),8):((1,4,96),12)");
  CHECK(convolution(layer).b.view == problem.b.view);
  CHECK(test::refusal_of([&] {
          return convolution(layer, {}, {.x = {1, 2}});
        }).code == ErrorCode::wrong_arity);
}

TEST_CASE("a 1x1 convolution is a plain product", "[plan][convolution]") {
  Convolution layer = resnet_layer();
  for (ConvolutionAxis& axis : layer.axes) axis = {.input = 56};
  Problem plain;
  plain.m = 32 * 56 * 56, plain.n = 256, plain.k = 64;
  plain.b.order = Order::col;
  CHECK(completed(convolution(layer)) == completed(plain));
}

TEST_CASE("the data gradient of a strided convolution has a Problem for each remainder",
          "[plan][convolution]") {
  Convolution layer = resnet_layer();
  CHECK(convolution_data_gradient(layer).size() == 1);
  for (ConvolutionAxis& axis : layer.axes) axis.stride = 2;
  const std::vector<Problem> parts = convolution_data_gradient(layer);
  REQUIRE(parts.size() == 4);
  // Even inputs meet the middle tap alone, odd ones the outer two.
  CHECK(parts[0].k == 256);
  CHECK(parts[1].k == 256 * 2);
  CHECK(parts[3].k == 256 * 4);
  // A 1x1 filter meets no odd input: those are zeros.
  for (ConvolutionAxis& axis : layer.axes) axis.filter = 1, axis.padding = 0;
  CHECK(convolution_data_gradient(layer)[3].k == 0);
}

TEST_CASE("200 random convolutions and their gradients are what loops over outputs and taps are",
          "[plan][convolution][random]") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Convolution made = test::random_convolution(seed);
    const PlainImages images = test::random_images(made, seed);
    const auto x = laid_out(made, ImageArray::x, images.x);
    const auto w = laid_out(made, ImageArray::w, images.w);
    const auto y = laid_out(made, ImageArray::y, images.y);
    INFO("seed " << seed << ", " << name(made.order) << ", axes " << made.axes.size());
    CHECK(channels_last(made, ImageArray::y, written_by({convolution(made)}, x, w, y.size())) ==
          plain_outputs(made, images));
    CHECK(channels_last(made, ImageArray::x,
                        written_by(convolution_data_gradient(made), y, w, x.size())) ==
          plain_data_gradient(made, images));
    CHECK(channels_last(made, ImageArray::w,
                        written_by({convolution_filter_gradient(made)}, y, x, w.size())) ==
          plain_filter_gradient(made, images));
  }
}

TEST_CASE("what is no convolution is refused by its number", "[plan][convolution][refusal]") {
  const auto refused = [](Convolution made) {
    return to_string(test::refusal_of([&] { return convolution(made); }));
  };
  Convolution layer = resnet_layer();
  layer.axes[1].stride = 0;
  CHECK(refused(layer) == "W.stride = 0: W.stride must be at least 1 (nearest legal: 1)");
  layer = resnet_layer();
  layer.axes[0] = {.input = 4, .filter = 3, .dilation = 3, .padding = 1};
  CHECK(refused(layer) ==
        "H.filter = 3: its window of 7 elements must not be longer than the padded input, 6 "
        "(nearest legal: 2)");
  layer = resnet_layer();
  layer.channel_groups = 3;
  CHECK(refused(layer) ==
        "channel_groups = 3: groups must divide the 64 channels (nearest legal: 2)");
  layer.axes.resize(4);
  CHECK(refused(layer) ==
        "convolution = 4 axes: an image must have one to three axes beside its channels (nearest "
        "legal: 3 axes)");
}
