// Kernels that read an operand as it is stored, and convert it in their threads' registers.
#include <jute/plan/values/stored_stages.hpp>

#include <algorithm>
#include <utility>

#include "plan/ask/product_of.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/choose/candidates.hpp"
#include "plan/choose/derived.hpp"
#include "plan/choose/options/whole_options.hpp"
#include "plan/choose/planning.hpp"
#include "plan/convert/product_scales.hpp"
#include "plan/derive/operand/conversion.hpp"

namespace jute::plan {
namespace {

/// Leaves those that convert stored elements there.
void keep_converting(std::vector<RankedCandidate>& list, ConvertsIn where) {
  std::erase_if(list, [&](const RankedCandidate& one) {
    return row_of(one.candidate.family).converts != where;
  });
}

/// Of that main loop, if it is open to the caller: kernels that convert what is stored themselves.
std::optional<Options> reading_stored(const Planning& planning, MainLoop main_loop) {
  const Problem& problem = planning.problem;
  Config config = planning.config;
  if (!may_be_in_registers(problem) || config.main_loop.value_or(main_loop) != main_loop ||
      config.pad.value_or(false) || config.transpose.value_or(false))
    return std::nullopt;
  config.main_loop = main_loop;
  if (has_second_step(problem)) return std::nullopt;
  Options options{kernel_problem(problem, config), {}, {}};
  if (!options.kernel.k.baked) return std::nullopt;
  read_in_registers(options.kernel, problem);
  swap_for_stored(options.kernel, config);
  try {
    options.candidates =
        plan::candidates(options.kernel, planning.device, config, planning.catalogue);
  } catch (const Exception&) {
    return std::nullopt;  // of the problem behind a copy it is to be refused
  }
  return options;
}

/// Those that are left without what `is_unfit` says of a candidate and its step.
template <class Unfit>
std::optional<Options> fitting(std::optional<Options> options, const Planning& planning,
                               const Unfit& is_unfit) {
  if (!options) return std::nullopt;
  std::erase_if(options->candidates, [&](const RankedCandidate& one) {
    const Derived made = derived(planning, *options, one.candidate);
    const auto* step = std::get_if<GemmStep>(&made);
    return step == nullptr || !are_whole_vectors(*step) || is_unfit(*step);
  });
  return options->candidates.empty() ? std::nullopt : std::move(options);
}

}  // namespace

std::optional<Options> straight_from_memory(const Planning& planning) {
  constexpr Index kMostRows = 32;
  const Problem& problem = planning.problem;
  if (problem.groups || std::min(problem.m, problem.n) > kMostRows) return std::nullopt;
  std::optional<Options> options = reading_stored(planning, MainLoop::straight);
  if (!options) return std::nullopt;
  keep_converting(options->candidates, ConvertsIn::registers);
  const Index m = options->kernel.m.value, n = options->kernel.n.value;
  return fitting(std::move(options), planning,
                 [&](const GemmStep& step) { return m <= n ? step.tile.m < m : step.tile.n < n; });
}

namespace {

/// Of more rows: by way of registers to shared memory, where tensor cores find what they multiply.
std::optional<Options> converted_to_stages(const Planning& planning) {
  constexpr size_t kMost = 4;  // that are derived to be judged
  std::optional<Options> options = reading_stored(planning, MainLoop::multistage);
  if (!options) options = reading_stored(planning, MainLoop::register_staged);
  if (!options) return std::nullopt;
  keep_converting(options->candidates, ConvertsIn::stages);
  if (options->candidates.size() > kMost)
    options->candidates.erase(options->candidates.begin() + kMost, options->candidates.end());
  return fitting(std::move(options), planning, [](const GemmStep&) { return false; });
}

/// Is one operand of those that TMA brings as it is stored, and the other multiplied as it lies?
bool suits_fragments(const KernelProblem& kernel) {
  constexpr int kByteBits = 8, kAccessBytes = 16;
  const KernelMatrix& stored = kernel.a.stored ? kernel.a : kernel.b;
  const bool is_one = kernel.a.stored.has_value() != kernel.b.stored.has_value();
  const auto has_whole_parts = [](const std::optional<MoveNumbers>& numbers) {
    return !numbers || numbers->block_inner % kConvertedK == 0;
  };
  return is_one && !kernel.gate && !kernel.groups && !has_row_tables(kernel) &&
         kernel.k.value % (2 * kConvertedK) == 0 &&
         stored.access_bytes / width_bytes(stored.type) * width_bits(stored.stored->type) >=
             kAccessBytes * kByteBits &&
         has_whole_parts(stored.stored->conversion.scale) &&
         has_whole_parts(stored.stored->conversion.zero);
}

/// Of more rows: by TMA to stages as it is stored, and from there to fragments of wgmma, of which
/// it is A.
std::optional<Options> converted_to_fragments(const Planning& planning) {
  constexpr size_t kMost = 4;  // that are derived to be judged
  std::optional<Options> options = reading_stored(planning, MainLoop::warp_specialised);
  if (!options || !suits_fragments(options->kernel)) return std::nullopt;
  std::erase_if(options->candidates, [](const RankedCandidate& one) {
    return one.candidate.atom.form != MmaForm::wgmma_rs;
  });
  if (options->candidates.size() > kMost)
    options->candidates.erase(options->candidates.begin() + kMost, options->candidates.end());
  return fitting(std::move(options), planning, [](const GemmStep&) { return false; });
}

}  // namespace

bool may_read_stored(const Plan& plan) {
  return may_be_in_registers(plan.problem) &&
         !multiplies_as_they_are(plan.problem, gemm_step(plan));
}

std::optional<Options> converted_by_threads(const Planning& planning) {
  // Parts of K begin and end inside vectors and blocks; of groups of their own K is any.
  const std::optional<Groups>& groups = planning.problem.groups;
  if (groups && (groups->kind == GroupKind::k || groups->kind == GroupKind::each))
    return std::nullopt;
  // Where both may be these were 1.5 times as quick on an H200, of 64 and of 256 rows.
  if (std::optional<Options> fragments = converted_to_fragments(planning)) return fragments;
  return converted_to_stages(planning);
}

}  // namespace jute::plan
