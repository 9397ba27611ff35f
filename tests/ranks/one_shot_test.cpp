// Summands read where they were made: the bits of one rank by windows and without, faults of plans,
// of kernels that meet, and of ranks that do not come.
#include <jute/launch/device_presets.hpp>

#include <array>

#include "dist/distributed_cases.hpp"
#include "ranks/barrier.hpp"
#include "ranks/named_faults.hpp"
#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

DistributedProblem one_shot(const std::string& shape, int ranks, const std::string& place) {
  DistributedProblem problem =
      parse_distributed_problem(shape + " mesh=tp=" + std::to_string(ranks) + " " + place);
  problem.overlap = OverlapChoice::one_shot;
  return problem;
}

/// All-reduce, reduce-scatter of rows, and a narrower wire.
const std::vector<std::string>& summed_places() {
  static const std::vector<std::string> kPlaces{"place=A=K@tp,B=K@tp share=K@tp",
                                                "place=A=K@tp,B=K@tp,D=M@tp share=K@tp",
                                                "place=A=K@tp,B=K@tp share=K@tp wire=bf16"};
  return kPlaces;
}

ExchangeStep* in_place_of(DistributedPlan& plan) {
  for (DistributedStep& step : plan.steps)
    if (auto* exchange = std::get_if<ExchangeStep>(&step.body);
        exchange != nullptr && exchange->carrier == Carrier::readers)
      return exchange;
  return nullptr;
}

const std::string kSmall = "M=12 N=128 K=40 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0";

}  // namespace

TEST_CASE("summands read in place leave the bits of one rank, run after run",
          "[ranks][one-shot][law]") {
  const RanksOfEmulators emulators(5);
  std::mt19937 random(71);
  const std::vector<std::string> shapes{
      kSmall, "M=20 N=64 K=36 A=f32 B=f32 D=f32 alpha=run-time beta=run-time",
      "M=1 N=192 K=33 A=f16 B=f16:col D=f16 alpha=1 beta=0"};
  for (const std::string& shape : shapes)
    for (const std::string& place : summed_places())
      for (const int ranks : {2, 3, 5}) {
        // Of one row most ranks have nothing to add up.
        const DistributedPlan plan =
            make_plan(one_shot(shape, ranks, place), device_preset("h200"));
        INFO(plan.problem);
        CHECK(broken_rules(plan).empty());
        const Problem& problem = plan.problem.problem;
        const WholeData data = whole_data(problem, random, Numbers::integers);
        const double beta = problem.beta == Factor::run_time ? -2 : 0;
        const auto ends = [&] { return in_process_communicators(emulators.backends(ranks)); };
        const RanksOutcome shown =
            run_on_ranks(emulators, plan, data, 1, beta, ends(), Reach::all, 3);
        CHECK(shown.bytes == 0);
        const RanksOutcome moved = run_on_ranks(emulators, plan, data, 1, beta, ends());
        CHECK(moved.bytes == moved_bytes(plan));
        CHECK(shown.d == moved.d);
        CHECK(shown.d == run_on_one(emulators, problem, data, 1, beta));
      }
}

TEST_CASE("fractions read in place have the bits of those that are brought",
          "[ranks][one-shot][numerics]") {
  const RanksOfEmulators emulators(3);
  std::mt19937 random(72);
  for (const std::string& place : summed_places()) {
    const DistributedPlan plan = make_plan(one_shot(kSmall, 3, place), device_preset("h200"));
    DistributedProblem spread = one_shot(kSmall, 3, place);
    spread.overlap = OverlapChoice::none;
    const DistributedPlan apart = make_plan(spread, device_preset("h200"));
    const WholeData data = whole_data(plan.problem.problem, random, Numbers::fractions);
    const RanksOutcome shown = run_on_ranks(
        emulators, plan, data, 1, 0, in_process_communicators(emulators.backends(3)), Reach::all);
    CHECK(shown.d == run_on_ranks(emulators, apart, data, 1, 0).d);
  }
}

TEST_CASE("random distributions by every rung and schedule leave the bits of one rank",
          "[ranks][one-shot][chunks][law]") {
  std::mt19937 random(75);
  int in_place = 0, in_rounds = 0;
  for (const Schedule schedule : {Schedule::fixed, Schedule::late, Schedule::random}) {
    const RanksOfEmulators emulators(9, {}, schedule);
    for (int i = 0; i < 14; ++i) {
      DistributedProblem asked = random_distributed(random);
      asked.placements.d.sums.clear();
      // Summands as often as not: all of K over the first axis.
      if (drawn(random, 0, 1) == 0) {
        const std::string& axis = asked.mesh.axes.front().name;
        std::erase_if(asked.placements.d.deals,
                      [&](const Deal& deal) { return deal.axis == axis; });
        asked.share = Share{{{Dimension::k, axis, 0}}};
        asked.problem.n = 64;
      }
      const std::array rungs{OverlapChoice::chunks, OverlapChoice::one_shot, OverlapChoice::store,
                             OverlapChoice::fastest};
      asked.overlap = rungs[static_cast<std::size_t>(i) % rungs.size()];
      INFO(asked);
      DistributedPlan plan;
      try {
        plan = make_plan(asked, device_preset("h200"));
      } catch (const Exception& exception) {
        REQUIRE(exception.error().operand == "overlap");
        asked.overlap = OverlapChoice::fastest;
        plan = make_plan(asked, device_preset("h200"));
      }
      in_place += in_place_of(plan) != nullptr ? 1 : 0;
      in_rounds += to_string(plan).find("round 1") != std::string::npos ? 1 : 0;
      CHECK(leave_bits_of_one(emulators, plan, random));
    }
  }
  CHECK(in_place > 3);
  CHECK(in_rounds > 3);
}

TEST_CASE("an all-reduce is read in place where that is asked for or ends before exchanges",
          "[ranks][one-shot]") {
  const auto planned = [](int rows, OverlapChoice overlap, const std::string& more = {}) {
    DistributedProblem problem =
        parse_distributed_problem("M=" + std::to_string(rows) +
                                  " N=8192 K=28672 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 "
                                  "mesh=tp=2 place=A=K@tp,B=K@tp share=K@tp" +
                                  more);
    problem.overlap = overlap;
    return make_plan(problem, device_preset("h200"));
  };
  const auto is_in_place = [](DistributedPlan plan) { return in_place_of(plan) != nullptr; };
  CHECK(is_in_place(planned(4096, OverlapChoice::one_shot)));
  CHECK_FALSE(is_in_place(planned(4096, OverlapChoice::fastest)));
  CHECK_FALSE(is_in_place(planned(16, OverlapChoice::fastest, " reduce=nccl")));
  for (const int rows : {16, 64, 128}) {
    INFO(rows << " rows");
    const DistributedPlan free = planned(rows, OverlapChoice::fastest);
    const DistributedPlan apart = planned(rows, OverlapChoice::none);
    CHECK(is_in_place(free));
    CHECK_FALSE(is_in_place(apart));
    CHECK(expected_us(free) < expected_us(apart));
    // Two exchanges keep a rank's thread for longer than few rows keep the GPUs.
    CHECK(host_us(free) < host_us(apart));
    CHECK(expected_us(apart) >= host_us(apart));
  }
}

TEST_CASE("faults of plans that read in place are named", "[ranks][one-shot][faults]") {
  const DistributedPlan right =
      make_plan(one_shot(kSmall, 2, summed_places().front()), device_preset("h200"));
  const std::vector<PlanFault> faults{
      {[](DistributedPlan& plan) { in_place_of(plan)->parcels[1].runs[0][0].count -= 1; },
       "all of a summand in one piece"},
      {[](DistributedPlan& plan) {
         in_place_of(plan)->parcels.push_back(in_place_of(plan)->parcels[1]);
       },
       "of one rank"},
      {[](DistributedPlan& plan) { plan.buffers[in_place_of(plan)->to[1]].ld_elems += 8; },
       "leading dimension"},
      {[](DistributedPlan& plan) {
         for (DistributedStep& step : plan.steps)
           if (std::get_if<ExchangeStep>(&step.body) == in_place_of(plan)) step.lane = Lane::comm;
       },
       "must meet in the lane"},
      {[](DistributedPlan& plan) {
         std::get<SumStep>(plan.steps.back().body).d = in_place_of(plan)->from;
       },
       "which other ranks read in place"}};
  for (const PlanFault& fault : faults) expect_named(fault, right);
}

TEST_CASE("faults of kernels that meet are found, and both ranks named",
          "[ranks][one-shot][faults]") {
  const std::vector<KernelFault> faults{
      {"st.release.sys", "st.release.gpu", "R12"},
      {"ld.acquire.sys", "ld.acquire.gpu", "R12"},
      {"st.release.sys.global.u32 [%0]", "st.global.u32 [%0]", "R11"},
      {"st.release.sys", "st.relaxed.sys", "R11"},
      {"ld.acquire.sys", "ld.relaxed.sys", "R11"},
      {"for (unsigned look", "if (rank == 0) return;\n  for (unsigned look", "R11"}};
  std::mt19937 random(73);
  const DistributedPlan plan =
      make_plan(one_shot(kSmall, 2, summed_places().front()), device_preset("h200"));
  const WholeData data = whole_data(plan.problem.problem, random, Numbers::integers);
  for (const KernelFault& fault : faults) expect_named(fault, plan, data, 2);
}

TEST_CASE("a rank that never meets ends all kernels that wait", "[ranks][one-shot][faults]") {
  const RanksOfEmulators emulators(3);
  const DistributedPlan plan =
      make_plan(one_shot(kSmall, 3, summed_places().front()), device_preset("h200"));
  expect_missing_rank_named(emulators, plan);
  // A new communicator of the same ranks works.
  std::mt19937 random(74);
  const WholeData data = whole_data(plan.problem.problem, random, Numbers::integers);
  const RanksOutcome again = run_on_ranks(
      emulators, plan, data, 1, 0, in_process_communicators(emulators.backends(3)), Reach::all);
  CHECK(again.d == run_on_one(emulators, plan.problem.problem, data, 1, 0));
}

TEST_CASE("what cannot be read in place is refused", "[ranks][one-shot][refusal]") {
  const auto refused = [](const std::string& text) {
    return refusal_of(
        [&] { (void)make_plan(parse_distributed_problem(text), device_preset("h200")); });
  };
  const Error error =
      refused("M=64 N=64 K=64 mesh=tp=2 place=A=M@tp,D=M@tp share=M@tp overlap=one-shot");
  CHECK(error.operand == "overlap");
  CHECK(error.nearest_legal == "none");
  const DistributedProblem said =
      parse_distributed_problem("M=64 N=64 K=64 mesh=tp=2 overlap=one-shot");
  CHECK(parse_distributed_problem(to_string(said)) == said);
}

}  // namespace jute::test
