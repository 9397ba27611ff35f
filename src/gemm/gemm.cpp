// Prepare once: plan, source, kernel. Run often: check, bind, launch.
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/choose/parts.hpp>
#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <future>
#include <limits>
#include <utility>

#include "base/format.hpp"
#include "gemm/context_impl.hpp"
#include "gemm/joint_gemm.hpp"
#include "gemm/packing.hpp"
#include "gemm/prepared_gemm.hpp"
#include "gemm/run_values.hpp"
#include "gemm/spills.hpp"
#include "gemm/stopwatch.hpp"

namespace jute {
namespace gemm {
namespace {

/// The plans of the problem, as was measured to be best where a race has found that.
std::vector<Plan> plans_of(const Context::Impl& context, const Problem& problem,
                           const Config& config) {
  const auto plan = [&](const Config& chosen) {
    return make_plans(problem, context.device, chosen, *context.catalogue);
  };
  const std::optional<Config> found = context.tuned.find(problem, config);
  if (!found) return plan(config);
  try {
    return plan(*found);
  } catch (const Exception&) {
    return plan(config);  // measured with a jute that planned otherwise
  }
}

/// The kernels' places in a workspace that all of them can use, one run after the other.
void share_workspace(PreparedGemm& gemm) {
  Index data = 0;
  for (const Plan& plan : gemm.plans) {
    const Index zeroed = jute::zeroed_bytes(plan);
    gemm.zeroed_bytes = std::max(gemm.zeroed_bytes, zeroed);
    data = std::max(data, jute::workspace_bytes(plan) - zeroed);
  }
  gemm.workspace_bytes = gemm.zeroed_bytes + data;
  for (const Plan& plan : gemm.plans) {
    const Index offset = gemm.zeroed_bytes - jute::zeroed_bytes(plan);
    gemm.kernels.push_back({RunRules(plan, gemm.workspace_bytes - offset),
                            WidthChoices(width_costs(plan), plan.problem.batch),
                            offset,
                            {reads_packed(plan, gemm.plans, TensorRole::a),
                             reads_packed(plan, gemm.plans, TensorRole::b)}});
  }
}

/// The binary of one kernel's steps.
struct Compiled {
  std::shared_ptr<const CompiledSteps> steps;
  PrepareTimes times;
};

/// Compiles all kernels at once; each once, whoever else asks for it.
void compile(Context::Impl& context, std::vector<std::vector<Source>> sources, PreparedGemm& gemm,
             PrepareTimes& times) {
  const auto one = [&context](std::vector<Source> of_one) {
    Compiled compiled;
    compiled.steps = context.kernels.find_or_compile(std::move(of_one), compiled.times);
    return compiled;
  };
  const auto policy = sources.size() > 1 ? std::launch::async : std::launch::deferred;
  std::vector<std::future<Compiled>> running;
  for (auto& of_one : sources) running.push_back(std::async(policy, one, std::move(of_one)));
  for (size_t i = 0; i < running.size(); ++i) {
    Compiled compiled = running[i].get();
    gemm.kernels[i].steps = std::move(compiled.steps);
    times.compile = std::max(times.compile, compiled.times.compile);
    times.load = std::max(times.load, compiled.times.load);
  }
}

/// The kernels of what has been planned.
void build(Context::Impl& context, PreparedGemm& gemm, PrepareTimes& times) {
  const Stopwatch writing;
  std::vector<std::vector<Source>> sources;
  for (const Plan& plan : gemm.plans) sources.push_back(generate(plan, context.templates));
  times.source = writing.elapsed();
  share_workspace(gemm);
  compile(context, std::move(sources), gemm, times);
  gemm.overlaps = context.overlaps;
}

/// Where compiling is forbidden a refusal says what to prepare, and how.
void build_for(Context::Impl& context, const Problem& problem, PreparedGemm& gemm,
               PrepareTimes& times) try {
  build(context, gemm, times);
} catch (const Exception& exception) {
  Error error = exception.error();
  if (error.code != ErrorCode::unsupported || error.operand != "compile") throw;
  error.violated_rules.push_back(rule_to_warm(problem));
  throw Exception(std::move(error));
}

/// The assembler's complaint about the only kernel that there is; empty of several, which
/// runs choose from.
std::string fault_of(const PreparedGemm& gemm) {
  return gemm.kernels.size() == 1 ? fault_of_assembly(gemm.kernels.front().steps->binaries) : "";
}

/// The kernel of other choices; nothing where it cannot be had, or is expected to take far longer.
std::shared_ptr<PreparedGemm> prepared_otherwise(Context::Impl& context, const PreparedGemm& first,
                                                 const Config& choices, PrepareTimes& times) try {
  auto next = std::make_shared<PreparedGemm>();
  next->problem = first.problem;
  next->config = first.config;
  next->catalogue = first.catalogue;
  next->plans = {make_plan(first.problem, context.device, choices, *context.catalogue)};
  if (!may_replace(first.plans.front(), next->plans.front(), context.device)) return nullptr;
  build_for(context, first.problem, *next, times);
  return next;
} catch (const Exception&) {
  return nullptr;
}

/// The next candidates, then those behind copies of operands, until one keeps to its registers; the
/// first one again where none does.
std::shared_ptr<const PreparedGemm> next_without_fault(Context::Impl& context,
                                                       std::shared_ptr<PreparedGemm> first,
                                                       const std::string& fault,
                                                       PrepareTimes& times) {
  constexpr int kMostTried = 16;
  std::vector<std::string> passed_over{fault};
  Config behind_copies = first->config;
  behind_copies.pad = first->config.pad.value_or(true);
  for (const Config& asked : {first->config, behind_copies}) {
    int tried = 0;
    for (const Considered& candidate :
         considered(first->problem, context.device, asked, *context.catalogue)) {
      if (!candidate.refused.empty() || tried == kMostTried) continue;
      ++tried;
      const auto next = prepared_otherwise(context, *first, candidate.config, times);
      const std::string own = next ? fault_of(*next) : fault;
      if (next && own.empty()) {
        next->passed_over = std::move(passed_over);
        return next;
      }
      if (std::ranges::find(passed_over, own) == passed_over.end()) passed_over.push_back(own);
    }
  }
  return first;
}

std::shared_ptr<const PreparedGemm> prepare_anew(Context::Impl& context, const Problem& problem,
                                                 const Config& config, PrepareTimes& times) {
  auto gemm = std::make_shared<PreparedGemm>();
  const Stopwatch planning;
  gemm->problem = completed(problem);
  gemm->problem.m_range.reset();
  gemm->config = config;
  gemm->catalogue = context.catalogue;
  gemm->plans = plans_of(context, problem, config);
  times.plan = planning.elapsed();
  build_for(context, problem, *gemm, times);
  const std::string fault = fault_of(*gemm);
  return fault.empty() ? gemm : next_without_fault(context, gemm, fault, times);
}

/// Sums over no elements are 0, of which every type's bits are 0.
void gather_nothing(const Plan& plan, const RunValues& run, Backend& backend, Stream stream) {
  if (!plan.problem.epilogue) return;
  const auto& [expression, inputs, outputs] = *plan.problem.epilogue;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Index values = gathered_values(expression.outputs[i].gather, run);
    const TensorValues& output = run[output_role(static_cast<int>(i))];
    const Index width = width_bytes(outputs[i].type);
    for (Index matrix = 0; values > 0 && matrix < run.batch; ++matrix)
      backend.fill(output.base + static_cast<DevicePointer>(matrix * output.batch_stride * width),
                   0, values * width, stream);
  }
}

/// Does a run of no elements of D need the step? Copies are for the product alone.
bool runs_without_d(const Step& step) {
  const auto* const moves = std::get_if<MoveStep>(&step);
  return moves == nullptr || !moves->sums.empty();
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
  jute::refuse(
      ErrorCode::unknown_name, what, std::string(name),
      base::format("the epilogue must name it; it has {}", known.empty() ? "none" : joined(known)),
      nearest_name(name, known));
}

}  // namespace

KernelAndWidth PreparedGemm::serving(const RunValues& run) const {
  if (kernels.size() == 1 && kernels.front().choices.costs().size() < 2) return {};
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::pair best(kNone, KernelAndWidth{});
  const auto look = [&](size_t from, const auto& may_serve) {
    if (best.first < kNone) return;
    for (size_t i = from; i < kernels.size(); ++i) {
      const WidthChoice one = kernels[i].choices.best(run.m, run.batch);
      if (one.clocks < best.first && may_serve(kernels[i])) best = {one.clocks, {i, one}};
    }
  };
  const auto suits = [&](const PreparedKernel& kernel) {
    return kernel.rules.has_room(run) && kernel.reads_copies_of(run);
  };
  look(first_for_rows(plans, run.m), suits);
  look(0, suits);
  look(0, [](const PreparedKernel&) { return true; });
  return best.second;
}

}  // namespace gemm

const Plan& Gemm::plan() const {
  return impl_->joint ? impl_->joint->plan : impl_->prepared->plans[impl_->usual];
}
std::span<const Plan> Gemm::plans() const {
  if (impl_->joint) return {&impl_->joint->plan, 1};
  return impl_->prepared->plans;
}
const std::vector<Source>& Gemm::sources() const {
  return impl_->joint ? impl_->joint->sources
                      : impl_->prepared->kernels[impl_->usual].steps->sources;
}
const std::vector<Binary>& Gemm::binaries() const {
  return impl_->joint ? impl_->joint->binaries
                      : impl_->prepared->kernels[impl_->usual].steps->binaries;
}
const std::vector<std::string>& Gemm::passed_over() const {
  return impl_->joint ? impl_->joint->passed_over : impl_->prepared->passed_over;
}
Index Gemm::workspace_bytes() const {
  return impl_->joint ? impl_->joint->workspace_bytes : impl_->prepared->workspace_bytes;
}
Index Gemm::zeroed_bytes() const {
  return impl_->joint ? impl_->joint->zeroed_bytes : impl_->prepared->zeroed_bytes;
}
KernelChoice Gemm::choice(Index m) const {
  if (impl_->joint) gemm::refuse_of_parts("a choice must be asked of one problem's Gemm");
  const gemm::PreparedGemm& prepared = *impl_->prepared;
  RunValues run = jute::run_values(prepared.problem);
  run.m = m;
  const auto [kernel, choice] = prepared.serving(run);
  KernelChoice result{.kernel = kernel, .width = choice.width, .split_k = choice.split_k};
  for (const WidthCost& one : prepared.kernels[kernel].choices.costs())
    if (one.width == choice.width && one.cost.cut.split_k == choice.split_k)
      result.held = one.cost.at(m, run.batch);
  Problem alone = prepared.problem;
  alone.m = m;
  for (Considered& candidate :
       considered(alone, prepared.plans.front().device, prepared.config, *prepared.catalogue)) {
    if (!candidate.refused.empty()) continue;
    result.config = std::move(candidate.config);
    result.best = candidate.prediction;
    break;
  }
  return result;
}

const PrepareTimes& Gemm::times() const { return impl_->times; }

std::size_t Gemm::input(std::string_view name) const {
  return gemm::place_of("input", plan().problem.epilogue, &EpilogueExpression::inputs, name);
}
std::size_t Gemm::output(std::string_view name) const {
  return gemm::place_of("output", plan().problem.epilogue, &EpilogueExpression::outputs, name);
}

void Gemm::run(const GemmArgs& args) const {
  if (impl_->joint) return gemm::run_parts(*impl_->joint, args);
  const gemm::PreparedGemm& prepared = *impl_->prepared;
  RunValues run = gemm::run_values(prepared.problem, args);
  const auto [serving, choice] = prepared.serving(run);
  const Plan& plan = prepared.plans[serving];
  const gemm::PreparedKernel& kernel = prepared.kernels[serving];
  if (choice.width > 0) set_width(run, gemm_step(plan), choice);
  kernel.rules.check(run);
  run.workspace += static_cast<DevicePointer>(kernel.workspace_offset);
  const bool d_is_empty = run.m == 0 || run.n == 0 || run.batch == 0;
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    if (d_is_empty && !gemm::runs_without_d(plan.steps[i])) continue;
    LaunchSpec spec = bind(plan, i, run, *kernel.steps->backend);
    if (!prepared.overlaps) spec.order = LaunchOrder::after_previous;
    if (spec.grid.x > 0 && spec.grid.y > 0 && spec.grid.z > 0)
      kernel.steps->backend->launch(kernel.steps->kernels[i], spec, args.stream);
    else if (std::holds_alternative<GemmStep>(plan.steps[i]))
      gemm::gather_nothing(plan, run, *kernel.steps->backend, args.stream);
  }
}

Gemm prepare(Context& context, const Problem& problem, const Config& config) {
  Context::Impl& owner = context.impl();
  auto impl = std::make_shared<Gemm::Impl>();
  impl->prepared = owner.prepared.find(problem, config);
  if (!impl->prepared) {
    if (config == Config()) owner.served.require(problem);
    impl->prepared = gemm::prepare_anew(owner, problem, config, impl->times);
    owner.prepared.keep(problem, config, impl->prepared);
  }
  impl->usual = impl->prepared->serving(jute::run_values(impl->prepared->problem)).kernel;
  return Gemm(std::move(impl));
}

Gemm prepare(Context& context, const CoveredProblem& covered) {
  auto gemm = std::make_shared<gemm::PreparedGemm>();
  gemm->problem = covered.problem;
  gemm->problem.m_range.reset();
  gemm->catalogue = context.impl().catalogue;
  gemm->plans = covered.plans;
  auto impl = std::make_shared<Gemm::Impl>();
  gemm::build_for(context.impl(), covered.problem, *gemm, impl->times);
  impl->prepared = std::move(gemm);
  impl->usual = impl->prepared->serving(jute::run_values(impl->prepared->problem)).kernel;
  return Gemm(std::move(impl));
}

Gemm prepare(Context& context, const Plan& plan) {
  if (const std::vector<Error> errors = check(plan); !errors.empty())
    throw Exception(errors.front());
  if (plan.behind.empty()) return prepare(context, CoveredProblem{plan.problem, {plan}});
  std::vector<Gemm> parts;
  for (const Plan& part : parts_of(plan)) {
    Plan alone = part;
    alone.behind.clear();
    parts.push_back(prepare(context, CoveredProblem{alone.problem, {alone}}));
  }
  return gemm::as_one(std::move(parts));
}

Gemm prepare_parts(Context& context, std::span<const Problem> parts, const Config& config) {
  require_parts(parts);
  if (parts.size() == 1) return prepare(context, parts.front(), config);
  std::vector<Gemm> prepared;
  for (const Problem& part : parts) prepared.push_back(prepare(context, part, config));
  return gemm::as_one(std::move(prepared));
}

}  // namespace jute
