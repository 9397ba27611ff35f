// 1,000 random Views of all types on a real GPU, half of a type a test, so that they run side by
// side. Each says how many TMA moved.
#include "support/gemm_families.hpp"
#include "support/gpu_views.hpp"
#include "support/viewed_cases.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr int kViewsOfHalf = 46;

void check_views(std::string_view family, int half) {
  const CaseTypes& types = family_of(family).types;
  expect_views_on_gpu(kViewsOfHalf, 0, [&](Context& context) {
    NotationRuns all;
    for (int index = half * kViewsOfHalf; index < (half + 1) * kViewsOfHalf; ++index)
      all += runs_of_views(context, viewed_case(types, index));
    return all;
  });
}

}  // namespace

TEST_CASE("random Views of f32 come out right on the GPU: a half", "[gpu][view]") {
  check_views("f32", 0);
}
TEST_CASE("random Views of f32 come out right on the GPU: the other half", "[gpu][view]") {
  check_views("f32", 1);
}
TEST_CASE("random Views of f64 come out right on the GPU: a half", "[gpu][view]") {
  check_views("f64", 0);
}
TEST_CASE("random Views of f64 come out right on the GPU: the other half", "[gpu][view]") {
  check_views("f64", 1);
}
TEST_CASE("random Views of tf32 come out right on the GPU: a half", "[gpu][view]") {
  check_views("tf32", 0);
}
TEST_CASE("random Views of tf32 come out right on the GPU: the other half", "[gpu][view]") {
  check_views("tf32", 1);
}
TEST_CASE("random Views of bf16 come out right on the GPU: a half", "[gpu][view]") {
  check_views("bf16", 0);
}
TEST_CASE("random Views of bf16 come out right on the GPU: the other half", "[gpu][view]") {
  check_views("bf16", 1);
}
TEST_CASE("random Views of bf16 to f32 come out right on the GPU: a half", "[gpu][view]") {
  check_views("bf16 to f32", 0);
}
TEST_CASE("random Views of bf16 to f32 come out right on the GPU: the other half", "[gpu][view]") {
  check_views("bf16 to f32", 1);
}
TEST_CASE("random Views of f16 come out right on the GPU: a half", "[gpu][view]") {
  check_views("f16", 0);
}
TEST_CASE("random Views of f16 come out right on the GPU: the other half", "[gpu][view]") {
  check_views("f16", 1);
}
TEST_CASE("random Views of f16 in f16 come out right on the GPU: a half", "[gpu][view]") {
  check_views("f16 in f16", 0);
}
TEST_CASE("random Views of f16 in f16 come out right on the GPU: the other half", "[gpu][view]") {
  check_views("f16 in f16", 1);
}
TEST_CASE("random Views of e4m3 come out right on the GPU: a half", "[gpu][view]") {
  check_views("e4m3", 0);
}
TEST_CASE("random Views of e4m3 come out right on the GPU: the other half", "[gpu][view]") {
  check_views("e4m3", 1);
}
TEST_CASE("random Views of e5m2 by e4m3 come out right on the GPU: a half", "[gpu][view]") {
  check_views("e5m2 by e4m3", 0);
}
TEST_CASE("random Views of e5m2 by e4m3 come out right on the GPU: the other half", "[gpu][view]") {
  check_views("e5m2 by e4m3", 1);
}
TEST_CASE("random Views of s8 come out right on the GPU: a half", "[gpu][view]") {
  check_views("s8", 0);
}
TEST_CASE("random Views of s8 come out right on the GPU: the other half", "[gpu][view]") {
  check_views("s8", 1);
}
TEST_CASE("random Views of u8 by s8 come out right on the GPU: a half", "[gpu][view]") {
  check_views("u8 by s8", 0);
}
TEST_CASE("random Views of u8 by s8 come out right on the GPU: the other half", "[gpu][view]") {
  check_views("u8 by s8", 1);
}
