// What runs beside a product decides how it begins and when what is behind it may.
#include "support/catch.hpp"
#include "support/problem_of.hpp"

#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/cost/prediction.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>
#include <vector>

using namespace jute;
using namespace jute::test;

namespace {

Plan planned(const Problem& problem, const std::string& config) {
  return make_plan(problem, device_preset("h200"), parse_config(config));
}
const KernelSchedule& schedule_of(const Plan& plan) { return gemm_step(plan).schedule; }

double clocks_of(const Plan& plan) { return prediction_of(plan).value().clocks; }

/// Of every family, small to large.
std::vector<Problem> problems() {
  const ProblemTypes halves{DType::bf16, DType::bf16};
  const ProblemOrders both_along_k{Order::row, Order::col};
  return {problem_of(1, 4096, 4096, halves, both_along_k),
          problem_of(16, 2048, 4096, halves, both_along_k),
          problem_of(300, 520, 640, halves, both_along_k),
          problem_of(1000, 1000, 1000, halves, both_along_k),
          problem_of(4096, 4096, 4096, halves, both_along_k),
          problem_of(333, 1214, 64),
          problem_of(1500, 1300, 900, {DType::f64, DType::f64}),
          problem_of(77, 95, 33, halves)};
}

}  // namespace

TEST_CASE("a product launched alone lets nothing begin behind it, and asks for nothing ahead",
          "[plan][launches]") {
  for (const Problem& problem : problems()) {
    INFO(to_string(problem));
    const Plan plan = planned(problem, "launches=alone");
    CHECK(schedule_of(plan).launches == Launches::alone);
    CHECK(schedule_of(plan).releases == Release::never);
    CHECK(schedule_of(plan).first_stages != FirstStages::prefetched);
    CHECK(check(plan).empty());
    CHECK(to_string(plan).find("launches alone") != std::string::npos);
    CHECK(explain(plan).find("launched alone") != std::string::npos);
  }
}

TEST_CASE("launches behind others are what planning takes for granted", "[plan][launches]") {
  for (const Problem& problem : problems()) {
    const Plan plan = planned(problem, "");
    CHECK(schedule_of(plan).launches == Launches::behind_others);
    CHECK(to_string(plan) == to_string(planned(problem, "launches=behind_others")));
    CHECK(to_string(plan).find("launches") == std::string::npos);
  }
}

TEST_CASE("of candidates for launches alone the one expected to be fastest is chosen",
          "[plan][launches]") {
  for (const Problem& problem : problems()) {
    INFO(to_string(problem));
    Config others = considered(problem, device_preset("h200"))[0].config;
    others.launches = Launches::alone;
    others.release.reset();
    others.first_stages.reset();
    const Plan as_usual = make_plan(problem, device_preset("h200"), others);
    CHECK(clocks_of(planned(problem, "launches=alone")) <= clocks_of(as_usual) * 1.001);
  }
}

TEST_CASE("a step of the same plan still begins early, and so may the caller's",
          "[plan][launches]") {
  Problem sums = problem_of(512, 512, 512, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  sums.epilogue = Epilogue{parse_epilogue("d = acc; r = a_sum[m]")};
  const Plan plan = planned(sums, "launches=alone");
  REQUIRE(plan.steps.size() > 1);
  CHECK(schedule_of(plan).releases == Release::after_previous);
  const Problem plain = problem_of(300, 520, 640, {DType::bf16, DType::bf16});
  CHECK(schedule_of(planned(plain, "launches=alone release=at_start")).releases ==
        Release::at_start);
}
