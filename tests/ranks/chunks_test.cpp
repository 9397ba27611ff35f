// Products beside exchanges: plans cut by rounds leave the bits of one rank, and say what is wrong.
#include <jute/launch/device_presets.hpp>

#include <algorithm>

#include "dist/distributed_cases.hpp"
#include "ranks/named_faults.hpp"
#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

/// A, B and D of tensor parallelism; the last two are cut by columns.
const std::vector<std::string>& chunked_places() {
  static const std::vector<std::string> kPlaces{
      "place=A=M@tp,B=N@tp,D=N@tp share=N@tp", "place=A=M@tp,B=N@tp,D=M@tp share=M@tp",
      "place=A=K@tp,B=K@tp,D=M@tp share=K@tp", "place=A=K@tp,B=K@tp,D=M@tp share=K@tp wire=bf16",
      "place=A=K@tp,B=K@tp share=K@tp",        "place=A=K@tp,B=K@tp,D=N@tp share=K@tp",
      "place=B=N@tp,D=M@tp share=N@tp"};
  return kPlaces;
}

DistributedProblem chunked(const std::string& shape, int ranks, const std::string& place) {
  DistributedProblem problem =
      parse_distributed_problem(shape + " mesh=tp=" + std::to_string(ranks) + " " + place);
  problem.overlap = OverlapChoice::chunks;
  return problem;
}

std::vector<ProductStep> products_of(const DistributedPlan& plan) {
  std::vector<ProductStep> result;
  for (const DistributedStep& step : plan.steps)
    if (const auto* product = std::get_if<ProductStep>(&step.body)) result.push_back(*product);
  return result;
}

}  // namespace

TEST_CASE("plans cut by rounds leave the bits of one rank and move no more",
          "[ranks][chunks][law]") {
  const RanksOfEmulators emulators(5);
  std::mt19937 random(51);
  const std::vector<std::string> shapes{
      "M=40 N=24 K=36 A=f32 B=f32 D=f32 alpha=1 beta=0",
      "M=256 N=128 K=64 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0",
      "M=17 N=23 K=20 A=f32:col B=f32 D=f32:col alpha=run-time beta=run-time"};
  int cut = 0;
  for (const std::string& shape : shapes)
    for (const std::string& place : chunked_places())
      for (const int ranks :
           shape == shapes.front() ? std::vector<int>{2, 3, 5} : std::vector<int>{2}) {
        DistributedProblem asked = chunked(shape, ranks, place);
        DistributedProblem plain = asked;
        plain.overlap = OverlapChoice::none;
        INFO(asked);
        const DistributedPlan plan = make_plan(asked, device_preset("h200"));
        const DistributedPlan sequential = make_plan(plain, device_preset("h200"));
        CHECK(broken_rules(plan).empty());
        CHECK(moved_bytes(plan) == moved_bytes(sequential));
        cut += products_of(plan).size() > 1 ? 1 : 0;
        const Problem& problem = plan.problem.problem;
        const WholeData data = whole_data(problem, random, Numbers::integers);
        const double beta = problem.beta == Factor::run_time ? 3 : 0;
        const RanksOutcome outcome = run_on_ranks(emulators, plan, data, 1, beta);
        CHECK(outcome.bytes == moved_bytes(plan));
        CHECK(outcome.d == run_on_one(emulators, problem, data, 1, beta));
      }
  CHECK(cut == static_cast<int>(chunked_places().size() * 5));
}

TEST_CASE("the own part is multiplied first where others come, last where others wait",
          "[ranks][chunks][plan]") {
  const std::string shape = "M=8192 N=28672 K=8192 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0";
  const DistributedPlan comes =
      make_plan(chunked(shape, 2, "place=A=M@tp,B=N@tp,D=N@tp share=N@tp"), device_preset("h200"));
  const std::vector<ProductStep> pieces = products_of(comes);
  REQUIRE(pieces.size() == 2);
  CHECK(comes.buffers[pieces[0].a.buffer].name == "A");
  CHECK(pieces[0].slice->first == std::vector<Index>{0, 4096});
  CHECK(pieces[1].slice->first == std::vector<Index>{4096, 0});
  const DistributedPlan goes =
      make_plan(chunked(shape, 2, "place=A=K@tp,B=K@tp,D=M@tp share=K@tp"), device_preset("h200"));
  const std::vector<ProductStep> made = products_of(goes);
  REQUIRE(made.size() == 2);
  CHECK(made[0].slice->first == std::vector<Index>{4096, 0});
  CHECK(made[1].slice->first == std::vector<Index>{0, 4096});
  // What each rank keeps is read where it was made: nothing goes to itself.
  for (const DistributedStep& step : goes.steps)
    if (const auto* exchange = std::get_if<ExchangeStep>(&step.body))
      for (const Parcel& parcel : exchange->parcels) CHECK(parcel.sender != parcel.receiver);
}

TEST_CASE("lanes overlap where that is expected to be faster", "[ranks][chunks][plan]") {
  const auto ends = [](const std::string& text, OverlapChoice overlap) {
    DistributedProblem problem = parse_distributed_problem(text);
    problem.overlap = overlap;
    return expected_us(make_plan(problem, device_preset("h200")));
  };
  const std::string place =
      " A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 mesh=tp=2 "
      "place=A=M@tp,B=N@tp,D=N@tp share=N@tp";
  for (const std::string shape :
       {"M=8192 N=28672 K=8192", "M=2 N=512 K=512", "M=512 N=1024 K=512"}) {
    INFO(shape);
    const double none = ends(shape + place, OverlapChoice::none);
    const double chunks = ends(shape + place, OverlapChoice::chunks);
    CHECK(ends(shape + place, OverlapChoice::fastest) == (chunks < 0.97 * none ? chunks : none));
  }
  CHECK(ends("M=8192 N=28672 K=8192" + place, OverlapChoice::chunks) <
        0.97 * ends("M=8192 N=28672 K=8192" + place, OverlapChoice::none));
}

TEST_CASE("products leave the transport's multiprocessors alone beside an exchange",
          "[ranks][chunks][plan]") {
  const std::string text =
      "M=8192 N=28672 K=8192 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 mesh=tp=2 "
      "place=A=M@tp,B=N@tp,D=N@tp share=N@tp overlap=";
  const auto blocks = [&](const std::string& rest) {
    const DistributedPlan plan =
        make_plan(parse_distributed_problem(text + rest), device_preset("h200"));
    return gemm_step(plan.kernels.front()).schedule.persistent_blocks;
  };
  CHECK(blocks("chunks") == 132);
  CHECK(blocks("chunks transport-sms=16") == 116);
  // None runs beside the product.
  CHECK(blocks("none transport-sms=16") == 132);
  const DistributedProblem said = parse_distributed_problem(text + "chunks transport-sms=16");
  CHECK(said.transport_sms == 16);
  CHECK(parse_distributed_problem(to_string(said)) == said);
  for (const char* wrong :
       {"chunks transport-sms=132", "chunks transport-sms=-1", "chunks transport-sms=many"}) {
    const Error error = refusal_of([&] { (void)blocks(wrong); });
    CHECK(error.operand == "transport-sms");
  }
}

TEST_CASE("faults of plans cut by rounds are named", "[ranks][chunks][faults]") {
  const std::string shape = "M=64 N=48 K=32 A=f32 B=f32 D=f32 alpha=1 beta=0";
  using Seed = std::function<bool(DistributedPlan&, DistributedStep&)>;
  struct Row {
    std::string name;
    Seed seed;
    std::string rule;
  };
  const std::vector<Row> rows{
      {"a product does not wait for its round",
       [](DistributedPlan&, DistributedStep& step) {
         if (!std::holds_alternative<ProductStep>(step.body) || step.after.empty()) return false;
         step.after.clear();
         return true;
       },
       "must"},
      {"an exchange leaves before its product",
       [](DistributedPlan&, DistributedStep& step) {
         if (!std::holds_alternative<ExchangeStep>(step.body) || step.after.empty()) return false;
         step.after.clear();
         return true;
       },
       "must"},
      {"a sum does not wait for the own summand",
       [](DistributedPlan&, DistributedStep& step) {
         auto* sum = std::get_if<SumStep>(&step.body);
         if (sum == nullptr || !sum->own || step.after.empty()) return false;
         step.after.pop_back();
         return true;
       },
       "must"},
      {"a slice begins a row early",
       [](DistributedPlan&, DistributedStep& step) {
         auto* product = std::get_if<ProductStep>(&step.body);
         if (product == nullptr || product->slice->first[1] == 0) return false;
         --product->slice->first[1];
         return true;
       },
       "must not overlap"},
      {"a slice is a row short",
       [](DistributedPlan&, DistributedStep& step) {
         auto* product = std::get_if<ProductStep>(&step.body);
         if (product == nullptr) return false;
         --product->slice->count[0];
         return true;
       },
       "must get each of the"},
      {"the own summand is another's",
       [](DistributedPlan&, DistributedStep& step) {
         auto* sum = std::get_if<SumStep>(&step.body);
         if (sum == nullptr || !sum->own) return false;
         std::swap(sum->own->place[0], sum->own->place[1]);
         return true;
       },
       "must get each of the"},
      {"a round is lost",
       [](DistributedPlan&, DistributedStep& step) {
         auto* exchange = std::get_if<ExchangeStep>(&step.body);
         if (exchange == nullptr) return false;
         exchange->parcels.clear();
         return true;
       },
       "must get each of the"}};
  for (const Row& row : rows) {
    int seeded = 0;
    for (const std::string& place : chunked_places())
      for (const int ranks : {2, 4}) {
        const DistributedPlan right =
            make_plan(chunked(shape, ranks, place), device_preset("h200"));
        for (std::size_t step = 0; step < right.steps.size(); ++step) {
          DistributedPlan wrong = right;
          if (!row.seed(wrong, wrong.steps[step])) continue;
          ++seeded;
          const std::string said = rules_said(wrong);
          INFO(row.name << " at " << right.steps[step].name << " of " << right.problem << "\n"
                        << said);
          CHECK(said.find(row.rule) != std::string::npos);
        }
      }
    INFO(row.name);
    CHECK(seeded > 3);
  }
}

TEST_CASE("what cannot be cut by rounds is refused", "[ranks][chunks][refusal]") {
  const auto refused = [](const std::string& text) {
    return refusal_of(
        [&] { (void)make_plan(parse_distributed_problem(text), device_preset("h200")); });
  };
  const Error error =
      refused("M=64 N=64 K=64 mesh=tp=2 place=A=M@tp,D=M@tp share=M@tp overlap=chunks");
  CHECK(error.operand == "overlap");
  CHECK(error.nearest_legal == "none");
  CHECK(refused("M=64 N=64 K=64 mesh=tp=2 overlap=chunk").nearest_legal == "chunks");
  const DistributedProblem said =
      parse_distributed_problem("M=64 N=64 K=64 mesh=tp=2 overlap=chunks");
  CHECK(parse_distributed_problem(to_string(said)) == said);
}

TEST_CASE("a rank without any of K still has its summand of zeros", "[ranks][chunks]") {
  const RanksOfEmulators emulators(4);
  std::mt19937 random(53);
  const std::string text =
      "M=34 N=64 K=3 A=f32 B=f32:col D=f32:col alpha=1 beta=0 mesh=x=4 place=A=M@x share=K@x";
  for (const std::string overlap : {"chunks", "fastest"}) {
    const DistributedPlan plan =
        make_plan(parse_distributed_problem(text + " overlap=" + overlap), device_preset("h200"));
    CHECK(broken_rules(plan).empty());
    const WholeData data = whole_data(plan.problem.problem, random, Numbers::integers);
    CHECK(run_on_ranks(emulators, plan, data, 1, 0).d ==
          run_on_one(emulators, plan.problem.problem, data, 1, 0));
  }
}

TEST_CASE("copies of one result for several ranks are not cut by rounds", "[ranks][chunks]") {
  const std::string text =
      "M=9 N=1 K=22 A=f32:col B=f32:col D=f32 beta=0 mesh=x=3,y=1 place=B=K@y,D=N@y "
      "share=N@x,M@y";
  const auto planned = [&](const std::string& overlap) {
    return make_plan(parse_distributed_problem(text + " overlap=" + overlap),
                     device_preset("h200"));
  };
  CHECK(refusal_of([&] { (void)planned("chunks"); }).operand == "overlap");
  CHECK(broken_rules(planned("fastest")).empty());
}

}  // namespace jute::test
