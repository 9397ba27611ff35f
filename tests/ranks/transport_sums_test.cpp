// Sums that a transport adds: exact ones have the bits of one rank, others are within the bound.
#include <jute/launch/device_presets.hpp>

#include <cmath>

#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

DistributedPlan planned(const std::string& shape, int ranks, const std::string& place) {
  return make_plan(
      parse_distributed_problem(shape + " mesh=tp=" + std::to_string(ranks) +
                                " place=A=K@tp,B=K@tp" + place + " share=K@tp reduce=nccl"),
      device_preset("h200"));
}

const CollectiveStep& collective_in(const DistributedPlan& plan) {
  for (const DistributedStep& step : plan.steps)
    if (const auto* it = std::get_if<CollectiveStep>(&step.body)) return *it;
  throw std::runtime_error("no collective");
}

}  // namespace

TEST_CASE("sums that the transport adds leave the bits of one rank where they are exact",
          "[ranks][collective]") {
  const RanksOfEmulators emulators(5);
  std::mt19937 random(81);
  for (const std::string shape :
       {"M=20 N=24 K=36 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0",
        "M=40 N=17 K=33 A=f32 B=f32 D=f32 alpha=run-time beta=run-time",
        "M=60 N=8 K=30 A=f16 B=f16 D=f16 alpha=run-time beta=0 epilogue=\"relu(alpha*acc)\""})
    for (const int ranks : {2, 4, 5})
      for (const std::string place : {"", ",D=M@tp"}) {
        const DistributedPlan plan = planned(shape, ranks, place);
        INFO(plan.problem);
        CHECK(broken_rules(plan).empty());
        CHECK(collective_in(plan).kind ==
              (place.empty() ? CollectiveKind::all_reduce : CollectiveKind::reduce_scatter));
        const Problem& problem = plan.problem.problem;
        const WholeData data = whole_data(problem, random, Numbers::integers);
        const double beta = problem.beta == Factor::run_time ? -2 : 0;
        const RanksOutcome outcome = run_on_ranks(emulators, plan, data, 1, beta);
        CHECK(outcome.bytes == moved_bytes(plan));
        CHECK(outcome.d == run_on_one(emulators, problem, data, 1, beta));
      }
}

TEST_CASE("sums that the transport adds are rounded to the wire's type each time",
          "[ranks][collective][numerics]") {
  const RanksOfEmulators emulators(4);
  std::mt19937 random(82);
  const DistributedPlan plan =
      planned("M=16 N=24 K=64 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0", 4, "");
  CHECK(to_string(plan).find("each addition rounded") != std::string::npos);
  const Problem& problem = plan.problem.problem;
  const WholeData data = whole_data(problem, random, Numbers::fractions);
  const std::vector<double> sums = decode(DType::bf16, run_on_ranks(emulators, plan, data, 1, 0).d);
  const std::vector<double> right = decode(DType::bf16, run_on_one(emulators, problem, data, 1, 0));
  double most = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) most = std::max(most, std::abs(sums[i] - right[i]));
  // Partial sums are below 64 or so: five roundings of half a unit of 2^-2.
  CHECK(most > 0);
  CHECK(most < 5 * 0.25);
}

TEST_CASE("sums that no transport adds are refused by their rule", "[ranks][collective][refusal]") {
  const auto rule = [](const std::string& text) {
    const Error error = refusal_of([&] {
      (void)make_plan(parse_distributed_problem(text + " reduce=nccl"), device_preset("h200"));
    });
    CHECK(error.operand == "reduce");
    CHECK(error.nearest_legal == "ordered");
    return error.violated_rules.front();
  };
  const std::string shape = "M=30 N=24 K=36 beta=0 ";
  CHECK(rule(shape + "mesh=tp=4 place=A=K@tp,B=K@tp,D=M@tp share=K@tp").find("whole lines") !=
        std::string::npos);
  CHECK(rule(shape + "mesh=tp=2 place=A=K@tp,B=K@tp,D=N@tp share=K@tp").find("leading dimension") !=
        std::string::npos);
  CHECK(rule(shape + "mesh=row=2,tp=2 place=A=K@tp,B=K@tp share=M@row,K@tp").size() > 0);
  DistributedPlan wrong = planned("M=20 N=24 K=36 A=f32 B=f32 D=f32 alpha=1 beta=0", 2, "");
  for (DistributedStep& step : wrong.steps)
    if (auto* it = std::get_if<CollectiveStep>(&step.body)) it->elements -= 1;
  CHECK(broken_rules(wrong).size() == 1);
  for (RankBuffer& buffer : wrong.buffers)
    if (!buffer.is_callers) buffer.type = DType::e4m3;
  CHECK(broken_rules(wrong).front().find("must travel as") != std::string::npos);
}

}  // namespace jute::test
