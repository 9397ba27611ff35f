// Stamps of kernels of several ranks, which lie in a rank's workspace or in memory that others
// reach.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/derive/stamps.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <string>
#include <utility>
#include <vector>

#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

constexpr Index kTwo = 2;

DistributedPlan stamped_plan(OverlapChoice overlap) {
  DistributedProblem problem = parse_distributed_problem(
      "M=256 N=512 K=128 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 "
      "mesh=tp=2 place=A=M@tp,B=N@tp,D=N@tp share=N@tp");
  problem.overlap = overlap;
  DistributedPlan plan = make_plan(problem, device_preset("h200"));
  for (Plan& kernel : plan.kernels) kernel = stamped(std::move(kernel));
  return plan;
}

}  // namespace

TEST_CASE("blocks of products over ranks leave their stamps where kernel_workspace says",
          "[ranks][stamps]") {
  const RanksOfEmulators emulators(kTwo);
  for (const OverlapChoice overlap :
       {OverlapChoice::none, OverlapChoice::chunks, OverlapChoice::arrival}) {
    const DistributedPlan plan = stamped_plan(overlap);
    INFO(plan.problem);
    std::vector<std::string> faults(kTwo);
    run_ranks(in_process_communicators(emulators.backends(kTwo)), [&](Communicator& end) {
      Context& context = emulators.context(end.rank());
      const DistributedGemm gemm = prepare(context, plan, end.rank());
      const RankMemory memory = zeros_for(context, plan, gemm);
      gemm.run(end, memory.args);
      end.finish();
      context.backend().synchronize();
      for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        std::vector<std::byte> left(static_cast<std::size_t>(workspace_bytes(plan.kernels[i])));
        context.backend().copy_out(left, gemm.kernel_workspace(end, i, memory.args.workspace));
        const std::vector<StampLane> lanes = read_stamps(plan.kernels[i], left);
        std::string& fault = faults[static_cast<std::size_t>(end.rank())];
        if (lanes.empty()) fault += "kernel " + std::to_string(i) + " has none; ";
        for (const StampLane& lane : lanes)
          if (lane.stamps.front().moment != Moment::begin ||
              lane.stamps.back().moment != Moment::end)
            fault += "block " + std::to_string(lane.block) + " of kernel " + std::to_string(i) +
                     " lacks its begin or its end; ";
      }
      (void)end.gather_texts("end", "");
    });
    CHECK(faults == std::vector<std::string>(kTwo));
    Context& context = emulators.context(0);
    const DistributedGemm gemm = prepare(context, plan, 0);
    const auto ends = in_process_communicators(emulators.backends(1));
    const Error error =
        refusal_of([&] { (void)gemm.kernel_workspace(*ends[0], plan.kernels.size(), 0); });
    CHECK(error.code == ErrorCode::out_of_range);
  }
}

}  // namespace jute::test
