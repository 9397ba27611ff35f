// Distributed products on emulator ranks: the bits of one rank, and the bytes that were planned.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/epilogue.hpp>

#include <array>

#include "dist/distributed_cases.hpp"
#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/draws.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

constexpr Index kMostRanksHere = 9;

const RanksOfEmulators& emulators() {
  static const RanksOfEmulators kRanks(kMostRanksHere);
  return kRanks;
}

/// Bytes of C that do not move, as it has the factor 0.
Index bytes_of_c_unread(const DistributedPlan& plan, double beta) {
  Index bytes = 0;
  if (reads_c(plan.problem.problem, beta)) return bytes;
  for (std::size_t step = 0; step < plan.steps.size(); ++step)
    if (plan.steps[step].name == "bring C")
      for (const Index pair : bytes_by_pair(plan, step)) bytes += pair;
  return bytes;
}

/// Runs of one plan against one rank and the reference. D is left whole.
void check_case(const DistributedProblem& asked, std::mt19937& random) {
  const DistributedPlan plan = make_plan(asked, device_preset("h200"));
  INFO(plan.problem);
  const Problem& problem = plan.problem.problem;
  const WholeData data = whole_data(problem, random, Numbers::integers);
  const double alpha = problem.alpha == Factor::run_time ? 2 : 1;
  const double beta = problem.beta == Factor::run_time ? -1 : 0;
  const RanksOutcome outcome = run_on_ranks(emulators(), plan, data, alpha, beta);
  CHECK(outcome.bytes == moved_bytes(plan) - bytes_of_c_unread(plan, beta));
  CHECK(outcome.d == run_on_one(emulators(), problem, data, alpha, beta));
}

/// A third of the 300, as each is a test with a time limit.
void check_random_cases(std::uint32_t seed) {
  std::mt19937 random(seed);
  const int count = draws(100);
  for (int i = 0; i < count; ++i) {
    DistributedProblem asked = random_distributed(random);
    put_types(asked.problem, i);
    // Summands that stay apart have a case of their own.
    asked.placements.d.sums.clear();
    if (i % 3 == 0) put_epilogue(asked.problem, random);
    check_case(asked, random);
  }
}

}  // namespace

TEST_CASE("random distributions leave the bits of one rank and move what was planned",
          "[ranks][law]") {
  check_random_cases(31);
}
TEST_CASE("more random distributions leave the bits of one rank", "[ranks][law]") {
  check_random_cases(35);
}
TEST_CASE("a last third of random distributions leaves the bits of one rank", "[ranks][law]") {
  check_random_cases(36);
}

TEST_CASE("named distributions, in small, leave the bits of one rank", "[ranks]") {
  std::mt19937 random(32);
  for (const NamedCase& it : named_cases()) {
    DistributedProblem asked = parse_distributed_problem(it.text);
    if (!asked.placements.d.sums.empty()) continue;
    asked.problem = Problem{.m = 48, .n = 40, .k = 64, .alpha = Factor::one, .beta = Factor::zero};
    put_types(asked.problem, 1);
    INFO(it.name);
    check_case(asked, random);
  }
}

TEST_CASE("summands are added in the order of their ranks and D is rounded once",
          "[ranks][numerics]") {
  std::mt19937 random(33);
  for (const std::string place : {"D=M@tp", "D=all", "D=N@tp"}) {
    DistributedProblem asked = parse_distributed_problem(
        "M=24 N=16 K=60 A=f32 B=f32 D=bf16 alpha=1 beta=0 mesh=tp=5 place=A=K@tp,B=K@tp "
        "share=K@tp");
    asked.placements.d = parse_placements(place).d;
    const DistributedPlan plan = make_plan(asked, device_preset("h200"));
    INFO(plan.problem);
    const Problem& problem = plan.problem.problem;
    const WholeData data = whole_data(problem, random, Numbers::fractions);
    const RanksOutcome outcome = run_on_ranks(emulators(), plan, data, 1, 0);
    // The same sums, left apart and added here.
    asked.problem.d.type = DType::f32;
    asked.placements.d = parse_placements("D=+tp").d;
    const DistributedPlan apart = make_plan(asked, device_preset("h200"));
    const RanksOutcome summands = run_on_ranks(emulators(), apart, data, 1, 0);
    const std::vector<double> d = decode(DType::bf16, outcome.d);
    std::vector<float> sums(d.size(), 0.0F);
    for (const std::vector<std::byte>& part : summands.parts) {
      const std::vector<double> values = decode(DType::f32, part);
      REQUIRE(values.size() == sums.size());
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<float>(values[i]);
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
      REQUIRE(d[i] == decode(DType::bf16, encode(DType::bf16, sums[i])));
    CHECK(run_on_ranks(emulators(), plan, data, 1, 0).d == outcome.d);
  }
}

TEST_CASE("C of factor 0 stays where it is, and moves where its factor is another", "[ranks]") {
  std::mt19937 random(37);
  const DistributedPlan plan = make_plan(
      parse_distributed_problem("M=20 N=12 K=33 A=f32 B=f32 D=f32 alpha=1 beta=run-time mesh=tp=3 "
                                "place=C=N@tp,D=M@tp share=M@tp"),
      device_preset("h200"));
  const WholeData data = whole_data(plan.problem.problem, random, Numbers::integers);
  Index of_c = 0;
  for (std::size_t step = 0; step < plan.steps.size(); ++step)
    if (plan.steps[step].name == "bring C")
      for (const Index bytes : bytes_by_pair(plan, step)) of_c += bytes;
  REQUIRE(of_c > 0);
  for (const double beta : {0.0, 2.0}) {
    const RanksOutcome outcome = run_on_ranks(emulators(), plan, data, 1, beta);
    CHECK(outcome.bytes == moved_bytes(plan) - (beta == 0 ? of_c : 0));
    CHECK(outcome.d == run_on_one(emulators(), plan.problem.problem, data, 1, beta));
  }
}

TEST_CASE("an epilogue works on the sum of all ranks", "[ranks]") {
  std::mt19937 random(34);
  for (const std::string share : {"K@tp", "M@tp"}) {
    const DistributedPlan plan = make_plan(
        parse_distributed_problem("M=20 N=12 K=33 A=f32 B=f32 D=f32 alpha=run-time beta=run-time "
                                  "epilogue=\"relu(alpha*acc + beta*c)\" mesh=tp=3 "
                                  "place=A=K@tp,B=K@tp,D=M@tp share=" +
                                  share),
        device_preset("h200"));
    const WholeData data = whole_data(plan.problem.problem, random, Numbers::integers);
    CHECK(run_on_ranks(emulators(), plan, data, 2, -3).d ==
          run_on_one(emulators(), plan.problem.problem, data, 2, -3));
  }
}

TEST_CASE("more summands than an epilogue has inputs are added in turns", "[ranks][plan]") {
  const DistributedPlan plan = make_plan(
      parse_distributed_problem("M=64 N=64 K=640 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 mesh=tp=40 "
                                "place=A=K@tp,B=K@tp,D=M@tp share=K@tp"),
      device_preset("h200"));
  CHECK(broken_rules(plan).empty());
  int sums = 0;
  for (const DistributedStep& step : plan.steps)
    if (const auto* sum = std::get_if<SumStep>(&step.body)) {
      CHECK(sum->summands.size() <= 16);
      ++sums;
    }
  CHECK(sums == 3);
}

TEST_CASE("what a run cannot do is refused", "[ranks][refusal]") {
  const DistributedPlan plan =
      make_plan(parse_distributed_problem(
                    "M=8 N=8 K=8 A=f32 B=f32 D=f32 alpha=1 beta=0 mesh=tp=2 place=A=M@tp"),
                device_preset("h200"));
  Context& context = emulators().context(0);
  CHECK(refusal_of([&] { (void)prepare(context, plan, 2); }).code == ErrorCode::out_of_range);
  DistributedPlan wrong = plan;
  wrong.steps.pop_back();
  CHECK(refusal_of([&] { (void)prepare(context, wrong, 0); }).code == ErrorCode::illegal_config);
  const DistributedGemm gemm = prepare(context, plan, 0);
  const std::vector<Backend*> backends = emulators().backends(3);
  const auto ends = in_process_communicators(backends);
  CHECK(refusal_of([&] { gemm.run(*ends[0], {}); }).operand == "communicator");
  const auto pair = in_process_communicators(std::span(backends).first(2));
  CHECK(refusal_of([&] { gemm.run(*pair[0], {.alpha = 2}); }).operand == "alpha");
  CHECK(refusal_of([&] { (void)buffer_of(plan, "E"); }).code == ErrorCode::unknown_name);
}

}  // namespace jute::test
