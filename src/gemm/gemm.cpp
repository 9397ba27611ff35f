// Prepare once: plan, source, kernel. Run often: check, bind, launch.
#include <jute/plan/bind.hpp>

#include "gemm/context_impl.hpp"
#include "gemm/prepared_gemm.hpp"
#include "gemm/run_values.hpp"
#include "gemm/stopwatch.hpp"

#include <utility>

namespace jute {
namespace gemm {
namespace {

std::shared_ptr<const PreparedGemm> prepare_anew(Context::Impl& context, const Problem& problem,
                                                 const Config& config, PrepareTimes& times) {
  const Stopwatch planning;
  Plan plan = make_plan(problem, context.device, config, context.catalogue);
  times.plan = planning.elapsed();
  const Stopwatch writing;
  std::vector<Source> sources = generate(plan, context.templates);
  times.source = writing.elapsed();
  auto steps = context.kernels.find_or_compile(std::move(sources), times);
  RunRules rules(plan);
  return std::make_shared<const PreparedGemm>(
      PreparedGemm{std::move(plan), std::move(rules), std::move(steps), context.overlaps});
}

}  // namespace
}  // namespace gemm

const Plan& Gemm::plan() const { return impl_->prepared->plan; }
const std::vector<Source>& Gemm::sources() const { return impl_->prepared->steps->sources; }
const std::vector<Binary>& Gemm::binaries() const { return impl_->prepared->steps->binaries; }
Index Gemm::workspace_bytes() const { return jute::workspace_bytes(plan()); }
Index Gemm::zeroed_bytes() const { return jute::zeroed_bytes(plan()); }
void Gemm::clear_workspace(DevicePointer workspace, Stream stream) const {
  if (const Index bytes = zeroed_bytes(); bytes > 0)
    impl_->prepared->steps->backend->fill(workspace, 0, bytes, stream);
}
const PrepareTimes& Gemm::times() const { return impl_->times; }

void Gemm::run(const GemmArgs& args) const {
  const gemm::PreparedGemm& prepared = *impl_->prepared;
  const RunValues run = gemm::run_values(prepared.plan.problem, args);
  prepared.rules.check(run);
  for (size_t i = 0; i < prepared.plan.steps.size(); ++i) {
    LaunchSpec spec = bind(prepared.plan, i, run, *prepared.steps->backend);
    if (!prepared.overlaps) spec.order = LaunchOrder::after_previous;
    if (spec.grid.x > 0 && spec.grid.y > 0 && spec.grid.z > 0)
      prepared.steps->backend->launch(prepared.steps->kernels[i], spec, args.stream);
  }
}

Gemm prepare(Context& context, const Problem& problem, const Config& config) {
  Context::Impl& owner = context.impl();
  auto impl = std::make_shared<Gemm::Impl>();
  impl->prepared = owner.prepared.find(problem, config);
  if (!impl->prepared) {
    impl->prepared = gemm::prepare_anew(owner, problem, config, impl->times);
    owner.prepared.keep(problem, config, impl->prepared);
  }
  return Gemm(std::move(impl));
}

}  // namespace jute
