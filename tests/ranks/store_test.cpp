// Summands that kernels store where they are added: the bits of one rank by windows and without,
// faults of plans, of kernels, and of ranks that leave.
#include <jute/launch/device_presets.hpp>

#include <chrono>

#include "dist/distributed_cases.hpp"
#include "ranks/named_faults.hpp"
#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

DistributedProblem storing(const std::string& shape, const std::string& rest) {
  DistributedProblem problem = parse_distributed_problem(shape + " " + rest);
  problem.overlap = OverlapChoice::store;
  return problem;
}
DistributedPlan planned_to_store(const std::string& shape, const std::string& rest) {
  return make_plan(storing(shape, rest), device_preset("h200"));
}

ExchangeStep* stored_of(DistributedPlan& plan) {
  for (DistributedStep& step : plan.steps)
    if (auto* exchange = std::get_if<ExchangeStep>(&step.body);
        exchange != nullptr && exchange->carrier == Carrier::writers)
      return exchange;
  return nullptr;
}

/// Bytes of what kernels store, which no transport moves.
Index stored_bytes(const DistributedPlan& plan) {
  Index bytes = 0;
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    const auto* exchange = std::get_if<ExchangeStep>(&plan.steps[step].body);
    if (exchange == nullptr || exchange->carrier != Carrier::writers) continue;
    for (const Index pair : bytes_by_pair(plan, step)) bytes += pair;
  }
  return bytes;
}

const std::string kTwelveRows = "M=12 N=128 K=40 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0";
const std::string kScattered = "mesh=tp=2 place=A=K@tp,B=K@tp,D=M@tp share=K@tp";

}  // namespace

TEST_CASE("summands stored where they are added leave the bits of one rank, run after run",
          "[ranks][store][law]") {
  const RanksOfEmulators emulators(5);
  std::mt19937 random(91);
  struct Row {
    std::string shape, rest;
  };
  // Parts by rows and by columns, uneven and empty ones, all-reduce, a narrower wire, K of nothing
  // on the last ranks, two axes.
  const std::vector<Row> rows{
      {kTwelveRows, kScattered},
      {kTwelveRows, "mesh=tp=3 place=A=K@tp,B=K@tp share=K@tp"},
      {kTwelveRows, "mesh=tp=5 place=A=K@tp,B=K@tp,D=M@tp share=K@tp wire=bf16"},
      {"M=200 N=96 K=72 A=f16 B=f16:col D=f16 alpha=1 beta=0",
       "mesh=tp=3 place=A=K@tp,B=K@tp,D=M@tp share=K@tp"},
      {"M=24 N=60 K=33 A=f32 B=f32 D=f32:col alpha=run-time beta=run-time",
       "mesh=tp=4 place=A=K@tp,B=K@tp,D=N@tp share=K@tp"},
      {"M=5 N=32 K=3 A=f64 B=f64 D=f64 alpha=1 beta=0",
       "mesh=tp=4 place=A=K@tp,B=K@tp,D=M@tp share=K@tp"},
      {"M=40 N=32 K=64 A=s8 B=s8:col D=s32 alpha=1 beta=0",
       "mesh=tp=2 place=A=K@tp,B=K@tp,D=M@tp share=K@tp"},
      {"M=32 N=48 K=64 A=bf16 B=bf16:col D=f32 alpha=1 beta=0",
       "mesh=row=2,col=2 place=A=M@row,K@col,B=K@col,D=M@row,M@col share=M@row,K@col"}};
  for (const Row& row : rows) {
    DistributedPlan plan = planned_to_store(row.shape, row.rest);
    INFO(plan.problem);
    REQUIRE(stored_of(plan) != nullptr);
    CHECK(broken_rules(plan).empty());
    const Problem& problem = plan.problem.problem;
    const Index ranks = rank_count(plan.problem.mesh);
    const WholeData data = whole_data(problem, random, Numbers::integers);
    const double alpha = problem.alpha == Factor::run_time ? 2 : 1;
    const double beta = problem.beta == Factor::run_time ? -2 : 0;
    const auto ends = [&] { return in_process_communicators(emulators.backends(ranks)); };
    const RanksOutcome stored =
        run_on_ranks(emulators, plan, data, alpha, beta, ends(), Reach::all, 3);
    CHECK(stored.bytes == 3 * (moved_bytes(plan) - stored_bytes(plan)));
    const RanksOutcome moved = run_on_ranks(emulators, plan, data, alpha, beta, ends());
    CHECK(moved.bytes == moved_bytes(plan));
    CHECK(stored.d == moved.d);
    CHECK(stored.d == run_on_one(emulators, problem, data, alpha, beta));
  }
}

TEST_CASE("fractions stored where they are added have the bits of those that are brought",
          "[ranks][store][numerics]") {
  const RanksOfEmulators emulators(3);
  std::mt19937 random(92);
  for (const std::string rest : {"mesh=tp=3 place=A=K@tp,B=K@tp,D=M@tp share=K@tp",
                                 "mesh=tp=3 place=A=K@tp,B=K@tp share=K@tp"}) {
    const DistributedPlan plan = planned_to_store(kTwelveRows, rest);
    DistributedProblem asked = plan.problem;
    asked.overlap = OverlapChoice::none;
    const DistributedPlan apart = make_plan(asked, device_preset("h200"));
    const WholeData data = whole_data(plan.problem.problem, random, Numbers::fractions);
    const RanksOutcome stored = run_on_ranks(
        emulators, plan, data, 1, 0, in_process_communicators(emulators.backends(3)), Reach::all);
    CHECK(stored.d == run_on_ranks(emulators, apart, data, 1, 0).d);
  }
}

TEST_CASE("random sums stored where they are added leave the bits of one rank by every schedule",
          "[ranks][store][law]") {
  std::mt19937 random(93);
  int stored = 0;
  for (const Schedule schedule : {Schedule::fixed, Schedule::late, Schedule::random}) {
    const RanksOfEmulators emulators(8, {}, schedule);
    for (int i = 0; i < 8; ++i) {
      const Index ranks = drawn(random, 2, 8);
      const bool is_all = drawn(random, 0, 2) == 0;
      DistributedProblem asked = parse_distributed_problem(
          "M=1 N=64 K=1 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 mesh=tp=" + std::to_string(ranks) +
          " place=A=K@tp,B=K@tp" + (is_all ? "" : ",D=M@tp") + " share=K@tp overlap=store");
      asked.problem.m = drawn(random, 1, 40);
      asked.problem.n = 16 * drawn(random, 1, 5);
      asked.problem.k = drawn(random, 1, 70);
      put_types(asked.problem, i);
      INFO(asked);
      DistributedPlan plan;
      try {
        plan = make_plan(asked, device_preset("h200"));
      } catch (const Exception& exception) {
        // Of an all-reduce of one row parts are columns.
        REQUIRE(exception.error().operand == "overlap");
        continue;
      }
      ++stored;
      CHECK(leave_bits_of_one(emulators, plan, random));
    }
  }
  CHECK(stored > 16);
}

TEST_CASE("products store at other ranks where that is asked for alone", "[ranks][store]") {
  const auto planned = [](OverlapChoice overlap) {
    DistributedProblem problem =
        storing("M=8192 N=8192 K=28672 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0", kScattered);
    problem.overlap = overlap;
    return make_plan(problem, device_preset("h200"));
  };
  DistributedPlan stored = planned(OverlapChoice::store), free = planned(OverlapChoice::fastest);
  CHECK(stored_of(stored) != nullptr);
  CHECK(stored_of(free) == nullptr);
  // All blocks store at once, then all multiply: of those kernels both times add up.
  CHECK(expected_us(stored) > 1.05 * expected_us(planned(OverlapChoice::chunks)));
  // Where consumers take turns the link is busy beside products.
  DistributedProblem asked = stored.problem;
  Config turns;
  turns.ping_pong = 2;
  CHECK(expected_us(make_plan(asked, device_preset("h200"), turns)) < expected_us(stored));
  CHECK(stored.steps.size() == 4);
  CHECK(bytes_by_pair(stored, 2) == std::vector<Index>{0, 134217728, 134217728, 0});
}

TEST_CASE("faults of plans that store at other ranks are named", "[ranks][store][faults]") {
  const DistributedPlan right = planned_to_store(kTwelveRows, kScattered);
  const auto product = [](DistributedPlan& plan) -> ProductStep& {
    return std::get<ProductStep>(plan.steps.front().body);
  };
  const std::vector<PlanFault> faults{
      {[](DistributedPlan& plan) { stored_of(plan)->parcels[1].runs[0][0].to += 1; },
       "all of a summand in one piece"},
      {[](DistributedPlan& plan) { stored_of(plan)->parcels[1].summand ^= 1; }, "of one rank"},
      {[](DistributedPlan& plan) { stored_of(plan)->parcels[1].receiver ^= 1; },
       "must get each of"},
      {[](DistributedPlan& plan) { plan.buffers[stored_of(plan)->to[1]].ld_elems += 8; },
       "leading dimension"},
      {[](DistributedPlan& plan) {
         for (DistributedStep& step : plan.steps)
           if (std::get_if<ExchangeStep>(&step.body) == stored_of(plan)) step.lane = Lane::comm;
       },
       "must meet in the lane"},
      {[&](DistributedPlan& plan) { product(plan).slice->count[1] -= 1; },
       "must be what one rank needs"},
      {[&](DistributedPlan& plan) { product(plan).slice.reset(); }, "must be what one rank needs"},
      {[](DistributedPlan& plan) {
         std::get<SumStep>(plan.steps.back().body).summands[0] = stored_of(plan)->from;
       },
       "which lies where it goes"},
      {[](DistributedPlan& plan) { plan.steps[2].after.pop_back(); }, "must wait for step"},
      {[](DistributedPlan& plan) { std::swap(plan.steps[1], plan.steps[2]); },
       "steps ahead of it alone"}};
  for (const PlanFault& fault : faults) expect_named(fault, right);
}

TEST_CASE("faults of flags behind what kernels store are found, and both ranks named",
          "[ranks][store][faults]") {
  const std::vector<KernelFault> faults{
      {"st.release.sys", "st.release.gpu", "R12"},
      {"ld.acquire.sys", "ld.acquire.gpu", "R12"},
      {"st.release.sys.global.u32 [%0]", "st.global.u32 [%0]", "R11"},
      {"st.release.sys", "st.relaxed.sys", "R11"},
      {"ld.acquire.sys", "ld.relaxed.sys", "R11"},
      {"windows.flags[rank] + peer", "windows.flags[rank] + rank", "R11"},
      {"for (unsigned look", "if (rank == 0) return;\n  for (unsigned look", "R11"}};
  std::mt19937 random(94);
  const DistributedPlan plan = planned_to_store(kTwelveRows, kScattered);
  const WholeData data = whole_data(plan.problem.problem, random, Numbers::integers);
  for (const KernelFault& fault : faults) expect_named(fault, plan, data, 3);
}

TEST_CASE("a rank that leaves while others store into its memory ends them all",
          "[ranks][store][faults]") {
  const RanksOfEmulators emulators(3);
  const DistributedPlan plan =
      planned_to_store(kTwelveRows, "mesh=tp=3 place=A=K@tp,B=K@tp,D=M@tp share=K@tp");
  expect_missing_rank_named(emulators, plan);
  // A new communicator of the same ranks works.
  std::mt19937 random(95);
  CHECK(leave_bits_of_one(emulators, plan, random));
}

TEST_CASE("a kernel that stores into the memory of a rank that has left is found, both named",
          "[ranks][store][faults]") {
  const RanksOfEmulators emulators(2);
  const DistributedPlan plan = planned_to_store(kTwelveRows, kScattered);
  const auto ends =
      in_process_communicators(emulators.backends(2), {.deadline = std::chrono::milliseconds(500)});
  std::vector<RankMemory> memory(2);
  const auto run = [&](Communicator& end) {
    Context& context = emulators.context(end.rank());
    const DistributedGemm gemm = prepare(context, plan, end.rank());
    RankMemory& own = memory[static_cast<std::size_t>(end.rank())];
    own = zeros_for(context, plan, gemm);
    gemm.run(end, own.args);
    end.finish(own.args.stream);
    context.backend().synchronize();
  };
  run_ranks(ends, run);
  ends[1]->turns() = {};
  CHECK(refusal_of([&] { run(*ends[0]); }).code == ErrorCode::communication_failed);
  const Error error = refusal_of([&] { emulators.context(0).backend().synchronize(); });
  INFO(error);
  CHECK(error.code == ErrorCode::check_failed);
  for (const char* part : {"R13", "rank 0 writes", "rank 1 shared and has freed"})
    CHECK(to_string(error).find(part) != std::string::npos);
}

TEST_CASE("what cannot be stored at other ranks is refused", "[ranks][store][refusal]") {
  const auto refused = [](const std::string& text) {
    const Error error = refusal_of(
        [&] { (void)make_plan(parse_distributed_problem(text), device_preset("h200")); });
    INFO(text << ": " << error);
    CHECK(error.operand == "overlap");
    CHECK(error.value == "store");
    CHECK(error.nearest_legal == "none");
  };
  const std::string square = "M=64 N=64 K=64 mesh=tp=2 overlap=store ";
  refused(square + "place=A=M@tp,D=M@tp share=M@tp");         // no sum
  refused(square + "place=A=M@tp,D=N@tp share=M@tp");         // D's parts change hands
  refused(square + "place=A=K@tp,B=K@tp,D=N@tp share=K@tp");  // columns of a D by rows
  refused("M=64 N=64 K=64 mesh=tp=9 overlap=store place=A=K@tp,B=K@tp,D=M@tp share=K@tp");
  const DistributedProblem said = parse_distributed_problem(square + "place=A=K@tp");
  CHECK(parse_distributed_problem(to_string(said)) == said);
}

}  // namespace jute::test
