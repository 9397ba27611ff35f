// A mesh takes what rank 0 measures, among plans that leave the same bits.
#include <jute/ranks/distributed_gemm.hpp>
#include <jute/ranks/in_process.hpp>

#include "race/timed_gpu.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

DistributedPlan planned() {
  const Problem problem =
      completed(parse_problem("M=256 N=128 K=128 A=bf16 B=bf16:col alpha=1 beta=0"));
  return make_plan({.problem = problem, .mesh = parse_mesh("tp=2")}, device_preset("h200"));
}

/// The plan of each of two ranks, the first of which races on this device.
std::vector<std::string> raced(std::unique_ptr<Backend> first, const DistributedPlan& plan) {
  Settings settings = settings_from_environment();
  settings.cache = "off";
  Context one(std::move(first), {.settings = settings}), two(open_emulator());
  Context* const contexts[] = {&one, &two};
  Backend* const backends[] = {&one.backend(), &two.backend()};
  std::vector<std::string> texts(2);
  run_ranks(in_process_communicators(backends), [&](Communicator& end) {
    const auto rank = static_cast<std::size_t>(end.rank());
    const DistributedPlan found = tune(end, *contexts[rank], plan, {.candidates = 3});
    CHECK(sum_orders(found) == sum_orders(plan));
    texts[rank] = to_string(found);
    for (const Plan& kernel : found.kernels) texts[rank] += to_string(kernel);
  });
  return texts;
}

}  // namespace

TEST_CASE("all ranks take what rank 0 measured", "[ranks][race][nvrtc]") {
  const DistributedPlan plan = planned();
  const auto texts = raced(std::make_unique<TimedGpu>(std::vector<double>{0.5, 0.2, 0.4}), plan);
  CHECK(texts[0] == texts[1]);
  std::string first = to_string(plan);
  for (const Plan& kernel : plan.kernels) first += to_string(kernel);
  CHECK(texts[0] != first);
}

TEST_CASE("no rank goes on where rank 0 cannot race", "[ranks][race][refusal]") {
  const Error error = refusal_of([&] { (void)raced(open_emulator(), planned()); });
  CHECK(error.operand == "race");
}
