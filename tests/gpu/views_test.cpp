// Products of Views on a real GPU: those that TMA moves, those that are walked or packed,
// contractions and convolutions. Each case says how many TMA moved.
#include <jute/device/device.hpp>

#include "support/gemm_families.hpp"
#include "support/gpu_views.hpp"
#include "support/viewed_cases.hpp"

using namespace jute;
using namespace jute::test;

namespace {

void expect_boxed(int first) {
  constexpr int kCases = 40, kLeast = 15;
  expect_views_on_gpu(kCases, kLeast, [=](Context& context) {
    NotationRuns all;
    for (int index = first; index < first + kCases; ++index)
      all += runs_of_views(context, boxed_view_case(index));
    return all;
  });
}

// So small that TMA seldom moves them.
void expect_aligned_contractions(std::uint64_t first) {
  constexpr int kCases = 20;
  expect_views_on_gpu(kCases, 0, [=](Context& context) {
    return run_contractions(context, first, kCases, NotationExtents::aligned);
  });
}

}  // namespace

TEST_CASE("products of Views 0 to 39 that TMA moves come out right on the GPU", "[gpu][view]") {
  expect_boxed(0);
}
TEST_CASE("products of Views 40 to 79 that TMA moves come out right on the GPU", "[gpu][view]") {
  expect_boxed(40);
}
TEST_CASE("random contractions come out right on the GPU", "[gpu][contraction]") {
  expect_views_on_gpu(30, 0, [](Context& context) { return run_contractions(context, 1, 30); });
}
TEST_CASE("contractions of aligned arrays come out right on the GPU: a half",
          "[gpu][contraction]") {
  expect_aligned_contractions(1);
}
TEST_CASE("contractions of aligned arrays come out right on the GPU: the other half",
          "[gpu][contraction]") {
  expect_aligned_contractions(21);
}
TEST_CASE("random convolutions come out right on the GPU", "[gpu][convolution]") {
  expect_views_on_gpu(30, 0, [](Context& context) { return run_convolutions(context, 1, 30); });
}
TEST_CASE("convolutions of aligned images come out right on the GPU", "[gpu][convolution]") {
  expect_views_on_gpu(40, 1, [](Context& context) {
    return run_convolutions(context, 1, 40, NotationExtents::aligned);
  });
}
TEST_CASE("runs that say the numbers of their Views come out right on the GPU", "[gpu][view]") {
  constexpr int kOfType = 3;
  expect_views_on_gpu(kOfType * static_cast<int>(kTypeFamilies.size()), 0, [](Context& context) {
    NotationRuns all;
    for (const TypeFamily& family : kTypeFamilies)
      for (int index = 0; index < kOfType; ++index) {
        const GemmCase one = run_time_view_case(family.types, index);
        all.failures += describe(one, run_case(context, one, make_data(one)));
      }
    return all;
  });
}
