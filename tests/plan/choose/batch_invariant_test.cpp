// One order of sums whatever M is.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/batch_invariant.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/derive/sum_order.hpp>

#include <random>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

Problem with_m(const char* text, Index m) {
  Problem problem = parse_problem(text);
  problem.m = m;
  return problem;
}

constexpr const char* kProblems[] = {"M=1 N=4096 K=4096 A=bf16 B=bf16:col beta=0",
                                     "M=1 N=1000 K=1024 A=f16 beta=0",
                                     "M=1 N=512 K=16384 A=bf16 B=bf16:col",
                                     "M=1 N=768 K=768",
                                     "M=1 N=256 K=4096 A=e4m3 B=e4m3:col D=bf16 beta=0",
                                     "M=16 N=32 K=16 A=f32:col beta=0",
                                     "M=16 N=256 K=512 A=bf16:col B=bf16:col D=bf16:col beta=0",
                                     "M=16 N=256 K=512 batch=2 A=f16 B=f16 beta=0",
                                     "M=16 N=64 K=128 batch=3 A=f16:col B=f16 beta=0"};

}  // namespace

TEST_CASE("what sums in the same order and arithmetic is told by one line", "[plan][promise]") {
  const DeviceInfo& h200 = device_preset("h200");
  const auto order = [&](const char* text, const char* choices) {
    return sum_order(make_plan(parse_problem(text), h200, parse_config(choices)));
  };
  constexpr const char* kText = "M=512 N=512 K=1024 A=bf16 B=bf16:col beta=0";
  CHECK(order(kText, "main_loop=warp_specialised split_k=1 k_starts=1") ==
        "wgmma of 16 k, bf16 by bf16 in f32, k ascending");
  CHECK(order(kText, "main_loop=warp_specialised split_k=2 k_starts=1") !=
        order(kText, "main_loop=warp_specialised split_k=1 k_starts=1"));
  CHECK(order(kText, "main_loop=multistage").starts_with("mma of 16 k"));
  CHECK(order("M=8 N=4096 K=4096 A=bf16 B=bf16:col", "k_starts=8").empty());
}

TEST_CASE("batch-invariant plans of every M sum in one order", "[plan][promise][invariant]") {
  std::mt19937 random(5);
  for (const char* const text : kProblems) {
    INFO(text);
    for (const char* const chip : {"h200", "a100"}) {
      const DeviceInfo& device = device_preset(chip);
      if (std::string(text).find("e4m3") != std::string::npos && chip[0] == 'a') continue;
      const BatchInvariant held = batch_invariant(parse_problem(text), device);
      CHECK_FALSE(held.order.empty());
      for (int i = 0; i < 12; ++i) {
        const auto m = static_cast<Index>(1) << random() % 13;
        const Problem problem = with_m(text, m + static_cast<Index>(random() % 7));
        INFO(problem << " on " << chip << ", " << held.config);
        CHECK(sum_order(make_plan(problem, device, held.config)) == held.order);
      }
    }
  }
}

TEST_CASE("no M sums otherwise where small kernels have their warps share k",
          "[plan][promise][invariant]") {
  std::mt19937 random(6);
  for (const auto& [chip, text] : {std::pair{"l40s", "M=1 N=26 K=630 A=s8 B=s8"},
                                   {"l40s", "M=1 N=2 K=605 A=bf16 B=bf16:col"},
                                   {"a100", "M=1 N=29 K=41 A=bf16 B=bf16:col"},
                                   {"a100", "M=1 N=64 K=64 A=s8 B=s8"},
                                   {"a100", "M=1 N=1653 K=1275 A=f16 B=f16"},
                                   {"t4", "M=1 N=64 K=576 A=f16 B=f16"}}) {
    const BatchInvariant held = batch_invariant(parse_problem(text), device_preset(chip));
    CHECK(held.order.find("parts") == std::string::npos);
    for (int i = 0; i < 150; ++i) {
      const auto m = 1 + static_cast<Index>(random() % (Index{1} << (1 + random() % 16)));
      const Problem problem = with_m(text, m);
      INFO(problem << " on " << chip << ", " << held.config);
      CHECK(sum_order(make_plan(problem, device_preset(chip), held.config)) == held.order);
    }
  }
}

TEST_CASE("the kernels of a batch-invariant range of M sum in one order",
          "[plan][promise][invariant]") {
  const Problem ranged = parse_problem("M=1:4096 N=4096 K=4096 A=bf16 B=bf16:col beta=0");
  const BatchInvariant held = batch_invariant(ranged, device_preset("h200"));
  const std::vector<Plan> plans = make_plans(ranged, device_preset("h200"), held.config);
  CHECK(plans.size() > 1);
  for (const Plan& plan : plans) CHECK(sum_order(plan) == held.order);
}

TEST_CASE("choices that cut K are not batch-invariant", "[plan][promise][refusal]") {
  const Error error = test::refusal_of([] {
    return batch_invariant(parse_problem(kProblems[0]), device_preset("h200"),
                           parse_config("split_k=4"));
  });
  CHECK(error.operand == "split_k");
  CHECK(error.nearest_legal == "1");
}
