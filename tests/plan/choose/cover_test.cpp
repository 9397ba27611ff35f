// Covers: how few kernels serve how many problems, and what that is expected to cost.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/cover.hpp>

#include <array>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

const std::string kRanged = "M=64:2048 N=1024 K=1024 A=bf16 B=bf16:col beta=0";

Cover cover_of(const std::vector<std::string>& texts, const RangeLimits& limits = {},
               const char* chip = "h200") {
  std::vector<Problem> problems;
  for (const std::string& text : texts) problems.push_back(parse_problem(text));
  return cover(problems, device_preset(chip), {.limits = limits});
}

}  // namespace

TEST_CASE("a cover has the kernels that prepare makes of each problem", "[plan][cover]") {
  const Cover both = cover_of({kRanged, "M=48 N=40 K=32"});
  REQUIRE(both.problems.size() == 2);
  CHECK(both.problems[0].plans == make_plans(parse_problem(kRanged), device_preset("h200")));
  CHECK(both.problems[1].plans.size() == 1);
  CHECK(kernel_count(both) == both.problems[0].plans.size() + 1);
}

TEST_CASE("no M of a cover loses more than was allowed, and few kernels lose more",
          "[plan][cover]") {
  const Cover usual = cover_of({kRanged});
  REQUIRE(usual.problems[0].worst);
  CHECK(usual.problems[0].plans.size() <= kMostKernelsOfRange);
  // Between the M that planning looks at a little more may be lost.
  CHECK(usual.problems[0].worst->part <= kLossOfRange + 0.04);
  const Cover few = cover_of({kRanged}, {.kernels = 1});
  CHECK(few.problems[0].plans.size() == 1);
  REQUIRE(few.problems[0].worst);
  CHECK(few.problems[0].worst->part > usual.problems[0].worst->part);
  const Cover loose = cover_of({kRanged}, {.loss = 0.5});
  CHECK(loose.problems[0].plans.size() < usual.problems[0].plans.size());
  CHECK(loose.problems[0].worst->part <= 0.5);
}

TEST_CASE("limits hold on chips whose kernels share out M, too", "[plan][cover]") {
  const std::string text = "M=1:1024 N=512 K=512 A=f16 beta=0";
  CHECK(cover_of({text}, {.kernels = 2}, "a100").problems[0].plans.size() <= 2);
  CHECK(cover_of({text}, {.loss = 10}, "a100").problems[0].plans.size() == 1);
}

TEST_CASE("a cover prints its kernels, the worst loss and where", "[plan][cover]") {
  const std::string text = to_string(cover_of({kRanged}, {.kernels = 2}));
  INFO(text);
  CHECK(text.starts_with("M=2048 N=1024 K=1024"));
  CHECK(text.find("% lost, at M=") != std::string::npos);
  CHECK(text.find("\n  to M=2048 SM90_") != std::string::npos);
  CHECK(text.ends_with("2 kernels, by the cost model\n"));
}

TEST_CASE("limits that allow nothing are refused", "[plan][cover][refusal]") {
  CHECK(test::refusal_of([] { return cover_of({kRanged}, {.kernels = 0}); }).code ==
        ErrorCode::illegal_config);
  CHECK(test::refusal_of([] { return cover_of({kRanged}, {.loss = -1}); }).code ==
        ErrorCode::illegal_config);
  const Error error = test::refusal_of([] { return cover_of({"M=4 N=4 K=4 A=f32:ld3"}); });
  CHECK(error.operand == "A.ld");
  CHECK(error.detail.starts_with("M=4 N=4 K=4"));
}
