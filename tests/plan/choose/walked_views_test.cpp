// Which Views kernels walk as they lie, and which are copied first.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/plan.hpp>

#include <algorithm>

#include "support/catch.hpp"
#include "support/random_view.hpp"

using namespace jute;
using test::Oddity;
using test::ViewDraw;

namespace {

Problem viewed(std::uint64_t seed, Index run) {
  constexpr int kUnits = 32;
  ViewDraw draw(seed);
  Problem problem{.m = 16 * (1 + draw.below(kUnits)),
                  .n = 16 * (1 + draw.below(kUnits)),
                  .k = 16 * (1 + draw.below(kUnits))};
  for (Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d})
    matrix->type = DType::bf16;
  problem.a.view = draw.view(problem.m, problem.k, 1, Oddity::any, run);
  problem.b.view = draw.view(problem.n, problem.k, 1, Oddity::any, run);
  return problem;
}

bool copies(const Plan& plan) {
  return std::ranges::any_of(
      plan.steps, [](const Step& step) { return std::holds_alternative<MoveStep>(step); });
}

/// Of so many Views of 16-bit operands, those that are planned without a copy.
int without_copies(int count, Index run, const DeviceInfo& device) {
  int result = 0;
  for (int seed = 0; seed < count; ++seed)
    result += !copies(make_plan(viewed(static_cast<std::uint64_t>(seed), run), device));
  return result;
}

}  // namespace

TEST_CASE("most Views of up to 512 rows and columns are multiplied where they lie",
          "[plan][view]") {
  for (const char* chip : {"h200", "a100"}) {
    CHECK(without_copies(1000, 8, device_preset(chip)) >= 850);
    CHECK(without_copies(1000, 1, device_preset(chip)) >= 500);
  }
}

TEST_CASE("a plan says that a View is walked, or why it is copied", "[plan][view]") {
  Problem problem = viewed(1, 8);
  const Plan walked = make_plan(problem, device_preset("a100"));
  CHECK(check(walked).empty());
  CHECK(gemm_step(walked).a.view == walked.problem.a.view);
  CHECK_FALSE(copies(walked));
  const Plan copied = make_plan(problem, device_preset("a100"), {.pad = true});
  CHECK(check(copied).empty());
  CHECK(copies(copied));
  CHECK(explain(copied).find("copied once into the workspace") != std::string::npos);
}
