// Plans, compiles and gathers what a program needs to launch.
#include "bundle/choices.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/bundle/bundle.hpp>
#include <jute/codegen/generate.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <map>

#include "base/format.hpp"

namespace jute {
namespace {

[[noreturn]] void refuse(std::string operand, std::string value, std::string rule,
                         std::optional<std::string> nearest = std::nullopt) {
  jute::refuse(ErrorCode::illegal_config, std::move(operand), std::move(value), std::move(rule),
               std::move(nearest));
}

bool is_identifier(const std::string& name) {
  const auto is_letter = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

void check(std::span<const Problem> problems, const BundleOptions& options) {
  if (problems.empty()) refuse("problems", "none", "a bundle must have a problem");
  if (options.targets.empty()) refuse("targets", "none", "a bundle must have a target", "sm_90a");
  if (!is_identifier(options.name))
    refuse("name", options.name, "it must be an identifier of C: letters, digits and _", "kernels");
  for (size_t i = 0; i < options.targets.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (options.targets[i].arch == options.targets[j].arch)
        refuse("targets", to_string(options.targets[i].arch), "a target must stand there once");
}

/// The kernels of a bundle so far. Equal texts for one target are one image.
class Images {
 public:
  Images(const BundleOptions& options, const KernelCache& kernels)
      : options_(options), kernels_(kernels) {}

  size_t place_of(const Source& source, size_t target) {
    const auto [place, is_new] = places_.try_emplace({target, source.text}, images_.size());
    if (is_new) {
      sources_.push_back(source);
      images_.push_back({.stem = base::format("{}.{}.{}", options_.name, images_.size(),
                                              to_string(options_.targets[target].arch)),
                         .symbol = source.symbol,
                         .target = target});
    }
    BundleImage& image = images_[place->second];
    image.smem_bytes = std::max(image.smem_bytes, source.dynamic_smem_bytes);
    return place->second;
  }

  std::vector<BundleImage> compiled() && {
    for (size_t i = 0; i < images_.size(); ++i) {
      const bool has_cubin = options_.targets[images_[i].target].has_cubins;
      Binary binary = kernels_.get(sources_[i], has_cubin ? Output::lean : Output::ptx);
      images_[i].ptx = std::move(binary.ptx);
      if (has_cubin) images_[i].cubin = std::move(binary.cubin);
      if (options_.on_kernel) options_.on_kernel(i + 1, images_.size());
    }
    return std::move(images_);
  }

 private:
  const BundleOptions& options_;
  const KernelCache& kernels_;
  std::vector<BundleImage> images_;
  std::vector<Source> sources_;
  std::map<std::pair<size_t, std::string>, size_t> places_;
};

BundleKernel kernel_of(const Plan& plan, size_t target, Images& images) {
  BundleKernel kernel{.workspace = plan.workspace, .rules = number_rules(plan)};
  const RunValues planned = run_values(plan.problem);
  for (WorkspaceRegion& region : kernel.workspace)
    if (region.zeroed) region.bytes = region.bytes.evaluate(planned);
  const std::vector<Source> sources = generate(plan);
  for (size_t i = 0; i < sources.size(); ++i)
    kernel.steps.push_back({images.place_of(sources[i], target), head_of(plan.steps[i])});
  return kernel;
}

/// The kernels' places in a workspace that all of them can use, one run after the other.
void share_workspace(const std::vector<Plan>& plans, BundleProduct& product) {
  Index data = 0;
  for (const Plan& plan : plans) {
    const Index zeroed = zeroed_bytes(plan);
    product.zeroed_bytes = std::max(product.zeroed_bytes, zeroed);
    data = std::max(data, workspace_bytes(plan) - zeroed);
  }
  product.workspace_bytes = product.zeroed_bytes + data;
  for (size_t i = 0; i < plans.size(); ++i) {
    product.kernels[i].workspace_offset = product.zeroed_bytes - zeroed_bytes(plans[i]);
    product.kernels[i].workspace_bytes =
        product.workspace_bytes - product.kernels[i].workspace_offset;
  }
}

/// The preset that stands for a target. Text that later chips take as well is planned for the
/// shared memory that each of them has.
DeviceInfo chip_of(const BundleTarget& target) {
  DeviceInfo chip = preset_for(target.arch);
  if (target.has_cubins) return chip;
  for (const Arch later : known_arches()) {
    if (later.number < target.arch.number) continue;
    chip.smem_bytes_per_block =
        std::min(chip.smem_bytes_per_block, limits(later).smem_bytes_per_block);
    chip.smem_bytes_per_sm = std::min(chip.smem_bytes_per_sm, limits(later).smem_bytes_per_sm);
  }
  return chip;
}

BundleProduct product_of(const Problem& problem, const BundleTarget& target, const Config& config,
                         size_t place, const BundleOptions& options, Images& images) {
  BundleProduct product;
  try {
    const std::vector<Plan> plans =
        make_plans(problem, chip_of(target), config, {}, options.limits);
    for (const Plan& plan : plans) product.kernels.push_back(kernel_of(plan, place, images));
    share_workspace(plans, product);
    product.roundoff = sum_roundoff(gemm_step(plans.back()), plans.back().problem.k);
    product.choices = bundle::choices_of(plans, product, problem.m_range);
  } catch (const Exception& exception) {
    // A target that was asked for by name must be there; text for later chips where it can be.
    if (target.has_cubins) throw;
    product = {};
    product.refused = exception.what();
  }
  return product;
}

}  // namespace

std::vector<BundleTarget> BundleOptions::default_targets() {
  return {{.arch = parse_arch("sm_80")},
          {.arch = parse_arch("sm_90a")},
          {.arch = parse_arch("sm_90"), .has_cubins = false}};
}

Bundle make_bundle(std::span<const Problem> problems, const BundleOptions& options,
                   const KernelCache& kernels) {
  check(problems, options);
  Bundle bundle{.name = options.name, .targets = options.targets};
  for (const Problem& problem : problems) bundle.problems.push_back(completed(problem));
  Images images(options, kernels);
  for (size_t target = 0; target < options.targets.size(); ++target)
    for (size_t at = 0; at < bundle.problems.size(); ++at) {
      const BundleTarget& chip = options.targets[target];
      const Config config = options.choices ? options.choices(at, chip) : options.config;
      bundle.products.push_back(
          product_of(bundle.problems[at], chip, config, target, options, images));
    }
  bundle.images = std::move(images).compiled();
  return bundle;
}

}  // namespace jute
