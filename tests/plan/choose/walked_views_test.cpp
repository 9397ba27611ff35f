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

/// Of Views of 16-bit operands.
struct Ways {
  int without_copies = 0, by_tma = 0;
};

Ways ways_of_views(int count, Index run, const DeviceInfo& device) {
  Ways ways;
  for (int seed = 0; seed < count; ++seed) {
    const Plan plan = make_plan(viewed(static_cast<std::uint64_t>(seed), run), device);
    const GemmStep& step = gemm_step(plan);
    ways.without_copies += !copies(plan);
    ways.by_tma += tma_of(step.a).map || tma_of(step.b).map;
  }
  return ways;
}

}  // namespace

TEST_CASE("most Views of up to 512 rows and columns are multiplied where they lie",
          "[plan][view]") {
  struct Chip {
    const char* name;
    int least_by_tma;
  };
  for (const Chip& chip : {Chip{"h200", 100}, Chip{"a100", 0}}) {
    const DeviceInfo device = device_preset(chip.name);
    const Ways aligned = ways_of_views(1000, 8, device);
    CHECK(aligned.without_copies >= 850);
    CHECK(aligned.by_tma >= chip.least_by_tma);
    CHECK(ways_of_views(1000, 1, device).without_copies >= 500);
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

TEST_CASE("a copied View names the question that it answers no", "[plan][view]") {
  const auto reason = [](const std::string& a) {
    return explain(make_plan(parse_problem("M=256 N=256 K=256 A=bf16:" + a), device_preset("h200"),
                             {.pad = true}));
  };
  const auto says = [&](const std::string& a, const char* what) {
    INFO(a);
    CHECK(reason(a).find(what) != std::string::npos);
  };
  says("view[(256,256):(768,3)]", "no two of its elements lie side by side");
  says("view[((64,4),256):((260,66560),1)]", "runs of 8 bytes");
  says("view[((64,4),256):((256,65536),1)]:align8", "a multiple of 8 bytes");
  says("view[((2,2,2,2,2,8),256):((264,1056,4224,16896,67584,270336),1)]",
       "it has 7 dimensions, of 5");
  says("view[((64,4),256):((256,65600),1);numbers=run-time]", "each run says its numbers");
}
