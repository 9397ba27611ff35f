// Prepare once: plan, source, kernel. Run often: check, pack, launch.
#include "gemm/context_impl.hpp"
#include "gemm/prepared_gemm.hpp"
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
  std::vector<std::vector<Slot>> step_slots;
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const auto* gemm = std::get_if<GemmStep>(&plan.steps[i]);
    step_slots.push_back(gemm ? slots(steps->sources[i].signature, gemm->transposed)
                              : std::vector<Slot>());
  }
  RunRules rules(plan);
  return std::make_shared<const PreparedGemm>(
      PreparedGemm{std::move(plan), std::move(rules), std::move(steps), std::move(step_slots)});
}

/// One run on its way through the steps of a plan.
class Launches {
 public:
  Launches(const PreparedGemm& prepared, RunValues values, const GemmArgs& args)
      : prepared_(prepared), values_(values), free_(args.workspace), stream_(args.stream) {}

  void step(size_t index) {
    std::visit([&](const auto& one) { launch(one, index); }, prepared_.plan.steps[index]);
  }

 private:
  void launch(const PadStep& step, size_t index) {
    const PaddedRows rows = rows_of(step, values_);
    LaunchSpec spec;
    spec.grid = grid(step, rows);
    spec.block.x = step.threads;
    pack(spec.arguments, step, rows, free_, values_);
    if (spec.grid.x > 0 && rows.inner > 0) send(spec, index);
    replace_operand(values_, step, rows, free_);
    free_ += static_cast<DevicePointer>(rows.bytes);
  }

  void launch(const GemmStep& step, size_t index) {
    LaunchSpec spec;
    spec.grid = grid(step, {values_[Field::m], values_[Field::n], values_[Field::batch]});
    spec.block.x = step.threads;
    spec.dynamic_smem_bytes = step.dynamic_smem_bytes;
    pack(spec.arguments, prepared_.slots[index], values_);
    if (spec.grid.x > 0) send(spec, index);
  }

  void send(const LaunchSpec& spec, size_t index) {
    prepared_.steps->backend->launch(prepared_.steps->kernels[index], spec, stream_);
  }

  const PreparedGemm& prepared_;
  RunValues values_;
  DevicePointer free_;  // where the next copy goes
  Stream stream_;
};

}  // namespace
}  // namespace gemm

const Plan& Gemm::plan() const { return impl_->prepared->plan; }
const std::vector<Source>& Gemm::sources() const { return impl_->prepared->steps->sources; }
const std::vector<Binary>& Gemm::binaries() const { return impl_->prepared->steps->binaries; }
Index Gemm::workspace_bytes() const { return plan().workspace_bytes; }
const PrepareTimes& Gemm::times() const { return impl_->times; }

void Gemm::run(const GemmArgs& args) const {
  const gemm::PreparedGemm& prepared = *impl_->prepared;
  const gemm::RunValues values = gemm::run_values(prepared.plan.problem, args);
  prepared.rules.check(values, args);
  gemm::Launches launches(prepared, values, args);
  for (size_t i = 0; i < prepared.plan.steps.size(); ++i) launches.step(i);
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
