// One product that waits for an operand's rows as they come: the bits of one rank, the order of
// tiles, faults of plans, of kernels and of ranks that do not come.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/derive/block/arrivals.hpp>

#include <array>
#include <chrono>

#include "ranks/named_faults.hpp"
#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

const std::string kComesA = "place=A=M@tp,B=N@tp,D=N@tp share=N@tp";
const std::string kComesB = "place=A=M@tp,B=N@tp,D=M@tp share=M@tp";

DistributedProblem arrival(const std::string& shape, int ranks, const std::string& place) {
  DistributedProblem problem =
      parse_distributed_problem(shape + " mesh=tp=" + std::to_string(ranks) + " " + place);
  problem.overlap = OverlapChoice::arrival;
  return problem;
}

const std::string kShape = "M=512 N=512 K=64 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0";

ProductStep& product_of(DistributedPlan& plan) {
  return std::get<ProductStep>(plan.steps.back().body);
}
ExchangeStep& exchange_of(DistributedPlan& plan) {
  return std::get<ExchangeStep>(plan.steps[product_of(plan).arriving->exchange].body);
}

/// The same in pieces of so many rows, which small products would not be worth.
DistributedPlan in_pieces(DistributedPlan plan, Index rows) {
  const std::size_t kernel = product_of(plan).kernel;
  const Plan whole = plan.kernels[kernel];
  Config wishes;
  wishes.main_loop = MainLoop::warp_specialised;
  wishes.swapped = gemm_step(whole).transposed;
  wishes.blocks = 3;
  wishes.split_k = 1;
  wishes.cluster = ClusterShape{1, 1};
  wishes.tile = TileShape{static_cast<int>(std::min<Index>(rows, 128)), 128, 64};
  plan.kernels[kernel] = with_arrivals(make_plan(whole.problem, plan.device, wishes), rows);
  exchange_of(plan).announced_rows = rows;
  return plan;
}

}  // namespace

TEST_CASE("a product that waits for rows leaves the bits of one rank, run after run",
          "[ranks][arrival][law]") {
  std::mt19937 random(81);
  struct Row {
    std::string shape, place;
    int ranks;
    Index piece;
  };
  const std::vector<Row> rows{
      {kShape, kComesA, 2, 0},
      {kShape, kComesA, 2, 128},
      {kShape, kComesA, 4, 64},
      {kShape, kComesB, 2, 128},
      {"M=256 N=96 K=80 A=e4m3 B=e4m3:col D=f32 alpha=1 beta=0", kComesA, 2, 0},
      {"M=256 N=96 K=52 A=tf32 B=tf32:col D=f32 alpha=1 beta=0", kComesA, 2, 0},
      {"M=128 N=40 K=20 A=f64 B=f64 D=f64 alpha=1 beta=0", kComesA, 2, 0},
      {"M=128 N=40 K=96 A=s8 B=s8:col D=s32 alpha=1 beta=0", kComesA, 2, 0},
      {"M=384 N=72 K=136 A=f16 B=f16:col D=f32 alpha=run-time beta=run-time", kComesA, 3, 64}};
  for (const Schedule schedule : {Schedule::fixed, Schedule::late, Schedule::random}) {
    const RanksOfEmulators emulators(4, {}, schedule);
    for (const Row& row : rows) {
      // Other schedules see the same of the shape in which most is waited for.
      if (schedule != Schedule::fixed && row.piece != 64) continue;
      DistributedPlan plan =
          make_plan(arrival(row.shape, row.ranks, row.place), device_preset("h200"));
      if (row.piece > 0) plan = in_pieces(std::move(plan), row.piece);
      INFO(plan.problem << " " << row.piece << "\n" << rules_said(plan));
      CHECK(broken_rules(plan).empty());
      const Problem& problem = plan.problem.problem;
      const WholeData data = whole_data(problem, random, Numbers::integers);
      const double beta = problem.beta == Factor::run_time ? 3 : 0;
      const std::vector<std::byte> one = run_on_one(emulators, problem, data, 1, beta);
      for (const Reach reach : {Reach::all, Reach::own}) {
        constexpr int kRuns = 3;
        const RanksOutcome outcome =
            run_on_ranks(emulators, plan, data, 1, beta,
                         in_process_communicators(emulators.backends(row.ranks)), reach, kRuns);
        CHECK(outcome.bytes == kRuns * moved_bytes(plan));
        CHECK(outcome.d == one);
      }
    }
  }
}

TEST_CASE("rows come in the order in which tiles are computed, the own ones first",
          "[ranks][arrival][plan]") {
  const std::string shape = "M=8192 N=28672 K=8192 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0";
  DistributedPlan plan = make_plan(arrival(shape, 4, kComesA), device_preset("h200"));
  CHECK(broken_rules(plan).empty());
  const ProductStep& product = product_of(plan);
  const Index piece = exchange_of(plan).announced_rows;
  CHECK(2048 % piece == 0);
  CHECK(piece % (gemm_step(plan.kernels[product.kernel]).tile.m) == 0);
  const Index each = 2048 / piece;
  for (Index rank = 0; rank < 4; ++rank) {
    const PieceOrder order = piece_order(plan, product, rank);
    REQUIRE(static_cast<Index>(order.order.size()) == 4 * each);
    std::vector<bool> seen(order.order.size(), false);
    for (Index turn = 0; turn < 4 * each; ++turn) {
      const auto at = static_cast<std::size_t>(order.order[static_cast<std::size_t>(turn)]);
      CHECK_FALSE(seen[at]);
      seen[at] = true;
      // The own ones, then the first of all the others, the second, …
      CHECK(order.senders[at] == static_cast<Index>(at) / each);
      CHECK((order.senders[at] == rank) == (turn < each));
      if (turn >= each) CHECK(static_cast<Index>(at) % each == (turn - each) / 3);
    }
  }
  // Nothing more moves, and the product does not wait for the exchange to end.
  DistributedProblem plain = plan.problem;
  plain.overlap = OverlapChoice::none;
  const DistributedPlan sequential = make_plan(plain, device_preset("h200"));
  CHECK(moved_bytes(plan) == moved_bytes(sequential));
  CHECK(memory_bytes(plan) > memory_bytes(sequential));
  CHECK(expected_us(plan) < expected_us(sequential));
  CHECK(timeline(plan).back().begin_us == 0);
  const std::string text = to_string(plan);
  CHECK(text.find("a flag behind each " + std::to_string(piece) + " rows") != std::string::npos);
  const std::string kernel = to_string(plan.kernels[product.kernel]);
  INFO(kernel);
  CHECK(kernel.find("map_came") != std::string::npos);
  CHECK(check(plan.kernels[product.kernel]).empty());
  // Nobody takes it unasked.
  plain.overlap = OverlapChoice::fastest;
  CHECK(to_string(make_plan(plain, device_preset("h200"))).find("a flag behind") ==
        std::string::npos);
}

TEST_CASE("faults of plans whose kernels wait for rows are named", "[ranks][arrival][faults]") {
  const DistributedPlan right =
      in_pieces(make_plan(arrival(kShape, 2, kComesA), device_preset("h200")), 128);
  REQUIRE(broken_rules(right).empty());
  const std::vector<PlanFault> faults{
      {[](DistributedPlan& plan) { product_of(plan).arriving->exchange = plan.steps.size() - 1; },
       "asked for ahead of it"},
      {[](DistributedPlan& plan) {
         plan.steps[product_of(plan).arriving->exchange].lane = Lane::compute;
       },
       "in the lane of exchanges"},
      {[](DistributedPlan& plan) { exchange_of(plan).announced_rows = 0; },
       "a flag must be raised"},
      {[](DistributedPlan& plan) { exchange_of(plan).announced_rows = 96; }, "whole pieces of 96"},
      {[](DistributedPlan& plan) { exchange_of(plan).parcels.pop_back(); }, "must get each of the"},
      {[](DistributedPlan& plan) { exchange_of(plan).parcels[0].runs[0][0].to += 64; },
       "whole pieces"},
      {[](DistributedPlan& plan) { product_of(plan).arriving->rows.first[1] -= 128; },
       "must get each of the"},
      {[](DistributedPlan& plan) { product_of(plan).arriving->rows.count[0] -= 128; },
       "must get each of the"},
      {[](DistributedPlan& plan) { product_of(plan).arriving->rows.dimension = Dimension::n; },
       "must"},
      {[](DistributedPlan& plan) {
         Plan& kernel = plan.kernels[product_of(plan).kernel];
         kernel = make_plan(kernel.problem, plan.device);
       },
       "must wait for flags"},
      {[](DistributedPlan& plan) { product_of(plan).arriving.reset(); },
       "has the same buffer in use"}};
  for (const PlanFault& fault : faults) expect_named(fault, right);
}

TEST_CASE("faults of kernels that wait for rows are found, and both ranks named",
          "[ranks][arrival][faults]") {
  const std::vector<KernelFault> faults{
      {"ld.acquire.sys", "ld.acquire.gpu", "R12"},
      {"ld.acquire.sys", "ld.relaxed.sys", "R11"},
      {"if (!is_own) wait_for_piece", "if (tile_here < 0) wait_for_piece", "R11"},
      {"for (unsigned look = 1; !has_come(flag)", "for (unsigned look = 1; look < 2", "R11"}};
  std::mt19937 random(82);
  const DistributedPlan plan =
      in_pieces(make_plan(arrival(kShape, 2, kComesA), device_preset("h200")), 128);
  const WholeData data = whole_data(plan.problem.problem, random, Numbers::integers);
  for (const KernelFault& fault : faults)
    expect_named(fault, plan, data, 2, "specialised/arrivals.cu");
}

TEST_CASE("a kernel that waits for another piece than it reads leaves a wrong D",
          "[ranks][arrival][faults]") {
  std::mt19937 random(84);
  const DistributedPlan plan =
      in_pieces(make_plan(arrival(kShape, 2, kComesA), device_preset("h200")), 128);
  const WholeData data = whole_data(plan.problem.problem, random, Numbers::integers);
  const RanksOfEmulators emulators =
      emulators_with("(senders + arrivals->pieces) + piece;",
                     "(senders + arrivals->pieces) + (piece ^ 1);", 2, "specialised/arrivals.cu");
  const RanksOutcome outcome = run_on_ranks(
      emulators, plan, data, 1, 0, in_process_communicators(emulators.backends(2)), Reach::all);
  CHECK(outcome.d != run_on_one(emulators, plan.problem.problem, data, 1, 0));
}

TEST_CASE("a rank whose rows never come ends the kernel that waits for them",
          "[ranks][arrival][faults]") {
  const RanksOfEmulators emulators(3);
  const DistributedPlan plan = in_pieces(
      make_plan(arrival("M=384 N=384 K=64 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0", 3, kComesA),
                device_preset("h200")),
      128);
  for (const bool throws : {false, true}) {
    const auto ends = in_process_communicators(emulators.backends(3),
                                               {.deadline = std::chrono::milliseconds(300)});
    const auto start = std::chrono::steady_clock::now();
    const auto errors = errors_of(ends, [&](Communicator& end) {
      Context& context = emulators.context(end.rank());
      const DistributedGemm gemm = prepare(context, plan, end.rank());
      RankMemory memory = zeros_for(context, plan, gemm);
      DistributedArgs& args = memory.args;
      args.comm_stream = context.backend().create_stream();
      const auto run = [&] {
        gemm.run(end, args);
        end.finish(args.stream);
      };
      run();
      if (end.rank() != 2)
        run();
      else if (throws)
        throw Exception({.code = ErrorCode::out_of_memory, .operand = "rank 2"});
    });
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    for (const std::size_t rank : {0U, 1U}) {
      REQUIRE(errors[rank].has_value());
      INFO(*errors[rank]);
      CHECK(errors[rank]->code == ErrorCode::communication_failed);
      CHECK(to_string(*errors[rank]).find("rank 2") != std::string::npos);
    }
  }
  // A new communicator of the same ranks works.
  std::mt19937 random(83);
  const WholeData data = whole_data(plan.problem.problem, random, Numbers::integers);
  const RanksOutcome again = run_on_ranks(
      emulators, plan, data, 1, 0, in_process_communicators(emulators.backends(3)), Reach::all);
  CHECK(again.d == run_on_one(emulators, plan.problem.problem, data, 1, 0));
}

TEST_CASE("lanes of a product that waits for rows are measured alone", "[ranks][arrival]") {
  const RanksOfEmulators emulators(2);
  const DistributedPlan plan =
      in_pieces(make_plan(arrival(kShape, 2, kComesA), device_preset("h200")), 128);
  const auto ends = in_process_communicators(emulators.backends(2),
                                             {.deadline = std::chrono::milliseconds(2000)});
  run_ranks(ends, [&](Communicator& end) {
    Backend& backend = emulators.context(end.rank()).backend();
    const DistributedGemm gemm = prepare(emulators.context(end.rank()), plan, end.rank());
    RankMemory memory = zeros_for(emulators.context(end.rank()), plan, gemm);
    DistributedArgs& args = memory.args;
    args.comm_stream = backend.create_stream();
    for (const Lane lane : {Lane::compute, Lane::comm, Lane::compute}) {
      args.only = lane;
      gemm.run(end, args);
      end.finish(args.stream);
    }
  });
  for (Index rank = 0; rank < 2; ++rank) emulators.context(rank).backend().synchronize();
}

TEST_CASE("what cannot wait for rows is refused", "[ranks][arrival][refusal]") {
  const auto refused = [](const std::string& text, const char* chip = "h200") {
    return refusal_of([&] {
      (void)make_plan(parse_distributed_problem(text + " overlap=arrival"), device_preset(chip));
    });
  };
  // Nothing comes; rows are no whole tiles; columns come; K is cut; a chip without TMA.
  for (const std::string& place : std::vector<std::string>{
           " mesh=tp=2 place=A=M@tp,D=M@tp share=M@tp", " mesh=tp=3 " + kComesA,
           " mesh=tp=2 place=A=K@tp,D=N@tp share=N@tp",
           " mesh=tp=2 place=A=K@tp,B=K@tp share=K@tp"}) {
    const Error error = refused(kShape + place);
    INFO(error);
    CHECK(error.operand == "overlap");
    CHECK(error.nearest_legal == "none");
  }
  const Error old = refused(kShape + " mesh=tp=2 " + kComesA, "a100");
  INFO(old);
  CHECK(old.operand == "overlap");
  const DistributedProblem said =
      parse_distributed_problem("M=64 N=64 K=64 mesh=tp=2 overlap=arrival");
  CHECK(parse_distributed_problem(to_string(said)) == said);
  const Plan plain = make_plan(parse_problem(kShape), device_preset("h200"));
  CHECK(refusal_of([&] { (void)with_arrivals(plain, 100); }).code == ErrorCode::unsupported);
  CHECK(refusal_of([&] { (void)arrival_words(plain, {}, 0); }).code == ErrorCode::unsupported);
}

}  // namespace jute::test
