// Inputs of epilogues and scales of rows and columns, of products over several ranks; ways of one
// product.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/epilogue.hpp>

#include <map>

#include "dist/distributed_cases.hpp"
#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

const RanksOfEmulators& ranks_of_inputs() {
  static const RanksOfEmulators kRanks(4);
  return kRanks;
}

DistributedPlan plan_with_inputs(const std::string& text) {
  return make_plan(parse_distributed_problem(text), device_preset("h200"));
}

}  // namespace

TEST_CASE("inputs of an epilogue follow D's rows and columns by every share and way",
          "[ranks][inputs]") {
  std::mt19937 random(61);
  const std::string epilogue =
      "epilogue=\"relu(alpha*acc*weight[m] + bias[n]) + rest[m,n] + one\" ";
  int ways = 0;
  for (const std::string place :
       {"place=A=K@tp,B=K@tp,D=M@tp share=K@tp", "place=A=K@tp,B=K@tp share=K@tp",
        "place=A=M@tp,B=N@tp,D=N@tp share=N@tp", "place=A=M@tp,B=N@tp,D=M@tp share=M@tp",
        "place=A=M@tp,D=N@tp share=M@tp"})
    for (const std::string overlap : {"none", "chunks", "one-shot", "store", "arrival"})
      for (const int ranks : {2, 3}) {
        const std::string text = "M=128 N=64 K=48 A=bf16 B=bf16:col D=bf16 alpha=run-time beta=0 " +
                                 epilogue + "mesh=tp=" + std::to_string(ranks) + " " + place +
                                 " overlap=" + overlap;
        INFO(text);
        std::optional<DistributedPlan> plan;
        try {
          plan = plan_with_inputs(text);
        } catch (const Exception& exception) {
          REQUIRE(exception.error().operand == "overlap");  // the share has no such way
          continue;
        }
        ++ways;
        CHECK(broken_rules(*plan).empty());
        CHECK(leave_bits_of_one(ranks_of_inputs(), *plan, random));
      }
  CHECK(ways >= 20);
}

TEST_CASE("scales of rows and columns multiply the sums of all ranks", "[ranks][inputs]") {
  std::mt19937 random(62);
  for (const std::string share : {"K@tp", "M@tp", "N@tp", "all"}) {
    const DistributedPlan plan = plan_with_inputs(
        "M=40 N=24 K=64 A=e4m3 B=e4m3:col D=f32 scale_a=f32:col:block1xall "
        "scale_b=f32:row:block1xall "
        "alpha=1 beta=0 epilogue=\"acc + bias[n]\" mesh=tp=3 place=A=K@tp,B=K@tp,D=M@tp share=" +
        share);
    INFO(plan.problem);
    const Problem& problem = plan.problem.problem;
    REQUIRE(problem.epilogue);
    CHECK(problem.epilogue->expression.inputs.size() == 3);
    CHECK(is_plain(problem.scale_a));
    CHECK(to_string(parse_distributed_problem(to_string(plan.problem))) == to_string(plan.problem));
    CHECK(leave_bits_of_one(ranks_of_inputs(), plan, random));
  }
}

TEST_CASE("a number is passed to all ranks, and none may be missing", "[ranks][inputs][refusal]") {
  DistributedProblem asked = parse_distributed_problem(
      "M=20 N=12 K=33 A=f32 B=f32 D=f32 alpha=1 beta=0 epilogue=\"acc*s\" mesh=tp=2 "
      "place=A=K@tp,B=K@tp,D=M@tp share=K@tp");
  asked.problem.epilogue->inputs.resize(1);
  asked.problem.epilogue->inputs[0].by_value = true;
  const DistributedPlan plan = make_plan(asked, device_preset("h200"));
  for (const RankBuffer& buffer : plan.buffers) CHECK(!buffer.input.has_value());
  const RanksOfEmulators& emulators = ranks_of_inputs();
  const std::vector<Backend*> backends = emulators.backends(2);
  const auto ends = in_process_communicators(backends);
  const DistributedGemm gemm = prepare(emulators.context(0), plan, 0);
  CHECK(refusal_of([&] { gemm.run(*ends[0], {}); }).operand == "inputs");
}

TEST_CASE("what a rank cannot know of D is refused in epilogues", "[ranks][inputs][refusal]") {
  const std::string rest = " mesh=tp=2 place=A=M@tp,D=M@tp";
  for (const std::string epilogue :
       {"bf16(acc, seed)", "d = acc; e = acc", "acc/amax[1,128](acc)"}) {
    INFO(epilogue);
    CHECK(refusal_of([&] {
            (void)plan_with_inputs("M=256 N=256 K=64 D=bf16 epilogue=\"" + epilogue + "\"" + rest);
          }).violated_rules.size() >= 1);
  }
  CHECK(refusal_of([&] {
          (void)plan_with_inputs(
              "M=256 N=256 K=256 A=e4m3 B=e4m3:col D=bf16 scale_a=f32:col:block1x128" + rest);
        })
            .violated_rules.front()
            .find("along all of K") != std::string::npos);
}

TEST_CASE("ways of one product leave the same bits where their products sum in one order",
          "[ranks][ways][numerics]") {
  std::mt19937 random(63);
  int alike = 0;
  for (const std::string shape : {"M=1 N=1024 K=1024", "M=128 N=128 K=64"})
    for (const std::string place :
         {"place=A=K@tp,B=K@tp share=K@tp", "place=A=K@tp,B=K@tp,D=M@tp share=K@tp wire=bf16",
          "place=A=M@tp,B=N@tp,D=N@tp share=N@tp"}) {
      std::map<std::vector<std::string>, std::vector<std::byte>> by_order;
      std::optional<WholeData> data;
      for (const std::string overlap : {"none", "chunks", "one-shot", "store", "arrival"}) {
        std::optional<DistributedPlan> plan;
        try {
          plan = plan_with_inputs(shape + " A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 mesh=tp=2 " +
                                  place + " overlap=" + overlap);
        } catch (const Exception& exception) {
          REQUIRE(exception.error().operand == "overlap");
          continue;
        }
        INFO(plan->problem);
        if (!data) data = whole_data(plan->problem.problem, random, Numbers::fractions);
        const std::vector<std::string> orders = sum_orders(*plan);
        if (orders.size() != 1 || orders.front().empty()) continue;
        const std::vector<std::byte> d = run_on_ranks(ranks_of_inputs(), *plan, *data, 1, 0).d;
        const auto& [known, is_new] = by_order.try_emplace(orders, d);
        CHECK(known->second == d);
        alike += is_new ? 0 : 1;
      }
    }
  CHECK(alike >= 4);
  // One row of a sum: its whole is multiplied by wgmma, halves of its columns by threads.
  const auto orders = [](const std::string& overlap) {
    return sum_orders(
        plan_with_inputs("M=1 N=8192 K=8192 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 mesh=tp=2 "
                         "place=A=K@tp,B=K@tp share=K@tp overlap=" +
                         overlap));
  };
  CHECK(orders("none") != orders("chunks"));
  CHECK(orders("none") == orders("one-shot"));
}

}  // namespace jute::test
