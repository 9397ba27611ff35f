// Loads a product's kernels and binds their steps, as a prepared Gemm does with its plans.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/bundle/bundled_product.hpp>
#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>

#include "base/format.hpp"

namespace jute {
namespace {

/// 0: its kernels do not run there. The launcher of C has the same numbers.
int suitability(const BundleTarget& target, const Arch& chip) {
  if (target.arch.suffix != '\0') return target.arch == chip ? 3000 : 0;
  if (target.arch.number > chip.number) return 0;
  const bool is_own = target.has_cubins && target.arch.number / 10 == chip.number / 10;
  return (is_own ? 2000 : 1000) + target.arch.number;
}

[[noreturn]] void refuse_chip(const Bundle& bundle, const Arch& chip, const std::string& why) {
  std::vector<std::string> targets;
  for (const BundleTarget& target : bundle.targets) targets.push_back(to_string(target.arch));
  jute::refuse(ErrorCode::unsupported, bundle.name, to_string(chip),
               why.empty() ? "the chip must run kernels of " + joined(targets) : why);
}

const BundleChoice& choice_for(const BundleProduct& product, Index m) {
  const auto found = std::ranges::find_if(
      product.choices, [&](const BundleChoice& choice) { return m <= choice.last_m; });
  return found == product.choices.end() ? product.choices.back() : *found;
}

Plan plan_of(const Problem& problem, const BundleKernel& kernel) {
  Plan plan;
  plan.problem = problem;
  plan.workspace = kernel.workspace;
  for (const BundleStep& step : kernel.steps) {
    MoveStep bound;  // what kind of step it was makes no difference to its launch
    static_cast<StepHead&>(bound) = step.head;
    plan.steps.emplace_back(std::move(bound));
  }
  return plan;
}

}  // namespace

std::optional<Index> fault_place(const BundleProduct& product, const Problem& problem) {
  const bool has_lists = problem.groups || problem.a.rows || problem.d.rows;
  if (!has_lists || product.kernels.empty()) return std::nullopt;
  const BundleKernel& kernel = product.kernels.front();  // such problems have one
  const RunValues planned = run_values(problem);
  Index place = kernel.workspace_offset;
  for (const WorkspaceRegion& region : kernel.workspace) {
    if (region.name == "fault") return place;
    place += region.bytes.evaluate(planned);
  }
  return std::nullopt;
}

std::optional<size_t> suitable_target(const Bundle& bundle, const Arch& chip) {
  const auto best = std::ranges::max_element(
      bundle.targets, {}, [&](const BundleTarget& target) { return suitability(target, chip); });
  if (best == bundle.targets.end() || suitability(*best, chip) == 0) return std::nullopt;
  return static_cast<size_t>(best - bundle.targets.begin());
}

BundledProduct::BundledProduct(Backend& backend, const Bundle& bundle, size_t problem)
    : backend_(backend), problem_(bundle.problems.at(problem)) {
  const Arch chip = backend.device_info().arch;
  const auto target = suitable_target(bundle, chip);
  if (!target) refuse_chip(bundle, chip, {});
  product_ = bundle.product(*target, problem);
  if (product_.kernels.empty()) refuse_chip(bundle, chip, product_.refused);
  arch_ = bundle.targets[*target].arch;
  for (const BundleKernel& kernel : product_.kernels) {
    Loaded loaded{plan_of(problem_, kernel), {}};
    for (const BundleStep& step : kernel.steps) {
      const BundleImage& image = bundle.images.at(step.image);
      loaded.kernels.push_back(backend.load({.symbol = image.symbol,
                                             .arch = arch_,
                                             .signature = signature(step.head),
                                             .ptx = image.ptx,
                                             .cubin = image.cubin}));
    }
    loaded_.push_back(std::move(loaded));
  }
}

RunValues BundledProduct::planned() const { return run_values(problem_); }

void BundledProduct::clear_workspace(DevicePointer workspace, Stream stream) const {
  if (zeroed_bytes() > 0) backend_.fill(workspace, 0, zeroed_bytes(), stream);
  if (const std::optional<Index> place = fault_place(product_, problem_))
    backend_.fill(workspace + static_cast<DevicePointer>(*place), 0, kFaultWords * kFaultWordBytes,
                  stream);
}

std::optional<Index> BundledProduct::fault_in(Index word, DevicePointer workspace,
                                              Stream stream) const {
  const std::optional<Index> place = fault_place(product_, problem_);
  if (!place) return std::nullopt;
  std::uint32_t fault = 0;
  static_assert(sizeof fault == kFaultWordBytes);
  backend_.copy_out(std::as_writable_bytes(std::span(&fault, 1)),
                    workspace + static_cast<DevicePointer>(*place + word * kFaultWordBytes),
                    stream);
  if (fault == 0) return std::nullopt;
  return Index{fault} - 1;
}

std::optional<Index> BundledProduct::group_fault(DevicePointer workspace, Stream stream) const {
  return fault_in(0, workspace, stream);
}

std::optional<Index> BundledProduct::row_fault(TensorRole operand, DevicePointer workspace,
                                               Stream stream) const {
  return fault_in(operand == TensorRole::d ? 2 : 1, workspace, stream);
}

void BundledProduct::run(RunValues run, Stream stream) const {
  if (run.m == 0 || run.n == 0 || run.batch == 0) return;
  const BundleChoice& choice = choice_for(product_, run.m);
  const BundleKernel& kernel = product_.kernels[choice.kernel];
  const Loaded& loaded = loaded_[choice.kernel];
  run.width = choice.width;
  run.stages = choice.stages;
  run.split_k = choice.split_k;
  check(kernel.rules, run);
  if (const Index bytes = jute::workspace_bytes(kernel.workspace, run);
      bytes > kernel.workspace_bytes)
    jute::refuse(ErrorCode::out_of_range, "workspace", std::to_string(bytes),
                 base::format("a run must need no more than the {} bytes of "
                              "workspace that were exported for",
                              kernel.workspace_bytes),
                 std::to_string(kernel.workspace_bytes));
  run.workspace += static_cast<DevicePointer>(kernel.workspace_offset);
  for (size_t i = 0; i < loaded.kernels.size(); ++i) {
    const LaunchSpec spec = bind(loaded.plan, i, run, backend_);
    if (spec.grid.x > 0 && spec.grid.y > 0 && spec.grid.z > 0)
      backend_.launch(loaded.kernels[i], spec, stream);
  }
}

}  // namespace jute
