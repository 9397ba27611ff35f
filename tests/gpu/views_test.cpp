// Products of Views on a real GPU: those that TMA moves, those that are walked or packed,
// contractions and convolutions. Each case says how many TMA moved.
#include <jute/device/device.hpp>

#include <functional>
#include <string>

#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/gpu.hpp"
#include "support/moved_views.hpp"
#include "support/notation_run.hpp"
#include "support/viewed_cases.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr int kSecondsOfViews = 300;

/// Runs in a child; what failed, and in the last line how many of the cases TMA moved.
void expect_on_gpu(int cases, int least_by_maps,
                   const std::function<NotationRuns(Context&)>& work) {
  const std::string text = on_gpu(
      [&] {
        Context context(open_device(), without_disk_cache());
        const NotationRuns runs = work(context);
        return runs.failures + (runs.by_maps >= least_by_maps ? "ok: " : "too few: ") +
               std::to_string(runs.by_maps) + " of " + std::to_string(cases) + " by TMA";
      },
      kSecondsOfViews);
  WARN(text);
  CHECK(text.starts_with("ok: "));
}

NotationRuns runs_of(Context& context, const GemmCase& one) {
  NotationRuns runs;
  runs.failures = describe(one, run_case(context, one, make_data(one)));
  if (runs.failures.empty())
    runs.by_maps = moved_by_maps(prepare(context, one.problem, one.config).plan()) > 0 ? 1 : 0;
  return runs;
}

void expect_boxed(int first) {
  constexpr int kCases = 40, kLeast = 15;
  expect_on_gpu(kCases, kLeast, [=](Context& context) {
    NotationRuns all;
    for (int index = first; index < first + kCases; ++index)
      all += runs_of(context, boxed_view_case(index));
    return all;
  });
}

}  // namespace

TEST_CASE("products of Views 0 to 39 that TMA moves come out right on the GPU", "[gpu][view]") {
  expect_boxed(0);
}
TEST_CASE("products of Views 40 to 79 that TMA moves come out right on the GPU", "[gpu][view]") {
  expect_boxed(40);
}
TEST_CASE("products of Views of all types come out right on the GPU", "[gpu][view]") {
  constexpr int kOfType = 6;
  expect_on_gpu(kOfType * static_cast<int>(kTypeFamilies.size()), 0, [](Context& context) {
    NotationRuns all;
    for (const TypeFamily& family : kTypeFamilies)
      for (int index = 0; index < kOfType; ++index)
        all += runs_of(context, viewed_case(family.types, index));
    return all;
  });
}
TEST_CASE("random contractions come out right on the GPU", "[gpu][contraction]") {
  expect_on_gpu(30, 0, [](Context& context) { return run_contractions(context, 1, 30); });
}
TEST_CASE("contractions of aligned arrays come out right on the GPU", "[gpu][contraction]") {
  expect_on_gpu(40, 1, [](Context& context) {
    return run_contractions(context, 1, 40, NotationExtents::aligned);
  });
}
TEST_CASE("random convolutions come out right on the GPU", "[gpu][convolution]") {
  expect_on_gpu(30, 0, [](Context& context) { return run_convolutions(context, 1, 30); });
}
TEST_CASE("convolutions of aligned images come out right on the GPU", "[gpu][convolution]") {
  expect_on_gpu(40, 1, [](Context& context) {
    return run_convolutions(context, 1, 40, NotationExtents::aligned);
  });
}
TEST_CASE("runs that say the numbers of their Views come out right on the GPU", "[gpu][view]") {
  constexpr int kOfType = 3;
  expect_on_gpu(kOfType * static_cast<int>(kTypeFamilies.size()), 0, [](Context& context) {
    NotationRuns all;
    for (const TypeFamily& family : kTypeFamilies)
      for (int index = 0; index < kOfType; ++index) {
        const GemmCase one = run_time_view_case(family.types, index);
        all.failures += describe(one, run_case(context, one, make_data(one)));
      }
    return all;
  });
}
