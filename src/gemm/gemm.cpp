// Prepare once: plan, source, kernel. Run often: check, bind, launch.
#include <jute/base/nearest_name.hpp>
#include <jute/plan/bind.hpp>

#include "base/format.hpp"
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

/// What is gathered of no elements is 0, of which every type's bits are 0.
void gather_nothing(const Plan& plan, const RunValues& run, Backend& backend, Stream stream) {
  const std::vector<EpilogueOperandPlan>& outputs = gemm_step(plan).epilogue.outputs;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const EpilogueGather gather = outputs[i].gather;
    if (gather == EpilogueGather::elements) continue;
    const Index values = gather == EpilogueGather::row_sum   ? run.m
                         : gather == EpilogueGather::col_sum ? run.n
                                                             : 1;
    const TensorValues& output = run[output_role(static_cast<int>(i))];
    const Index width = width_bytes(outputs[i].type);
    for (Index matrix = 0; values > 0 && matrix < run.batch; ++matrix)
      backend.fill(output.base + static_cast<DevicePointer>(matrix * output.batch_stride * width),
                   0, values * width, stream);
  }
}

/// The place of what an epilogue names.
template <class Named>
std::size_t place_of(const char* what, const std::optional<Epilogue>& epilogue,
                     std::vector<Named> EpilogueExpression::*list, std::string_view name) {
  std::vector<std::string> known;
  if (epilogue)
    for (const Named& one : epilogue->expression.*list) {
      if (one.name == name) return known.size();
      known.push_back(one.name);
    }
  throw Exception({.code = ErrorCode::unknown_name,
                   .operand = what,
                   .value = std::string(name),
                   .violated_rules = {base::format("the epilogue must name it; it has {}",
                                                   known.empty() ? "none" : joined(known))},
                   .nearest_legal = nearest_name(name, known)});
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

std::size_t Gemm::input(std::string_view name) const {
  return gemm::place_of("input", plan().problem.epilogue, &EpilogueExpression::inputs, name);
}
std::size_t Gemm::output(std::string_view name) const {
  return gemm::place_of("output", plan().problem.epilogue, &EpilogueExpression::outputs, name);
}

void Gemm::run(const GemmArgs& args) const {
  const gemm::PreparedGemm& prepared = *impl_->prepared;
  const RunValues run = gemm::run_values(prepared.plan.problem, args);
  prepared.rules.check(run);
  for (size_t i = 0; i < prepared.plan.steps.size(); ++i) {
    LaunchSpec spec = bind(prepared.plan, i, run, *prepared.steps->backend);
    if (!prepared.overlaps) spec.order = LaunchOrder::after_previous;
    if (spec.grid.x == 0 || spec.grid.y == 0 || spec.grid.z == 0)
      gemm::gather_nothing(prepared.plan, run, *prepared.steps->backend, args.stream);
    else
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
