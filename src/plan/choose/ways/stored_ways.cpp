// Stored operands: threads convert on the way what memory has.
#include "plan/choose/ways/stored_ways.hpp"

#include <jute/base/arch_feature.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "plan/ask/product_of.hpp"
#include "plan/derive/operand/conversion.hpp"

namespace jute::plan {
namespace {

std::string_view must_be_stored(const Given& given) {
  if (!may_be_in_registers(given.problem))
    return "stored elements must lie along K in whole vectors, each with one scale";
  if (asks_for_copies(given.config)) return "the caller must not ask for copies";
  return has_second_step(given.problem) ? "D must be what the kernel stores" : kNone;
}

/// Is the main loop open, or one of these?
bool may_be(const Given& given, std::initializer_list<MainLoop> loops) {
  return !given.config.main_loop ||
         std::ranges::find(loops, *given.config.main_loop) != loops.end();
}

constexpr std::string_view kOtherLoop = "the caller's main loop must be one whose threads convert";

/// Nothing where K is no literal of the kernel, which vectors rest on.
std::vector<Presentation> stored_by(const Given& given, MainLoop main_loop) {
  Presentation one{.kernel = kernel_problem(given.problem, given.config), .main_loop = main_loop};
  if (!one.kernel.k.baked) return {};
  read_in_registers(one.kernel, given.problem);
  if (main_loop == MainLoop::straight) swap_for_stored(one.kernel, given.config);
  return {std::move(one)};
}

/// Parts of K begin and end inside vectors and blocks; of groups of their own K is any.
bool cuts_k(const std::optional<Groups>& groups) {
  return groups && (groups->kind == GroupKind::k || groups->kind == GroupKind::each);
}

/// Is one operand of those that TMA brings as it is stored, and the other multiplied as it lies?
bool suits_fragments(const KernelProblem& kernel) {
  constexpr int kByteBits = 8, kAccessBytes = 16;
  const KernelMatrix& stored = kernel.a.stored ? kernel.a : kernel.b;
  const bool is_one = kernel.a.stored.has_value() != kernel.b.stored.has_value();
  const auto has_whole_parts = [](const std::optional<MoveNumbers>& numbers) {
    return !numbers || numbers->block_inner % kConvertedK == 0;
  };
  return is_one && kernel.k.value % (2 * kConvertedK) == 0 &&
         stored.access_bytes / width_bytes(stored.type) * width_bits(stored.stored->type) >=
             kAccessBytes * kByteBits &&
         has_whole_parts(stored.stored->conversion.scale) &&
         has_whole_parts(stored.stored->conversion.zero);
}

}  // namespace

bool converts_registers(const Candidate& candidate) {
  return row_of(candidate.family).converts == ConvertsIn::registers;
}

std::string_view must_be_of_few_rows(const Given& given) {
  constexpr Index kMostRows = 32;  // that a tile covers, so that weights are read once
  if (given.problem.groups || std::min(given.problem.m, given.problem.n) > kMostRows)
    return "a tile must cover all rows, at most 32";
  if (!may_be(given, {MainLoop::straight})) return kOtherLoop;
  return must_be_stored(given);
}
std::vector<Presentation> stored_in_registers(const Given& given) {
  return stored_by(given, MainLoop::straight);
}
bool covers_rows(const GemmStep& step, const KernelProblem& problem) {
  const Index m = problem.m.value, n = problem.n.value;
  return are_whole_vectors(step) && (m <= n ? step.tile.m >= m : step.tile.n >= n);
}

bool has_whole_vectors(const GemmStep& step, const KernelProblem& /*any*/) {
  return are_whole_vectors(step);
}

std::string_view must_be_staged(const Given& given) {
  if (cuts_k(given.problem.groups)) return "groups must not cut K";
  if (!may_be(given, {MainLoop::multistage, MainLoop::register_staged})) return kOtherLoop;
  return must_be_stored(given);
}
/// With cp.async where it can bring what lies there.
std::vector<Presentation> stored_in_stages(const Given& given) {
  constexpr int kLeastAccess = 4;  // hardware: bytes that cp.async moves
  std::vector<Presentation> one = stored_by(given, MainLoop::multistage);
  if (one.empty()) return one;
  const KernelProblem& kernel = one.front().kernel;
  const bool may_be_async = provides(given.device.arch, ArchFeature::async_copies) &&
                            std::min(kernel.a.access_bytes, kernel.b.access_bytes) >= kLeastAccess;
  one.front().main_loop = given.config.main_loop.value_or(may_be_async ? MainLoop::multistage
                                                                       : MainLoop::register_staged);
  return one;
}
bool converts_stages(const Candidate& candidate) {
  return row_of(candidate.family).converts == ConvertsIn::stages;
}

std::string_view must_be_fragments(const Given& given) {
  if (has_lists(given.problem)) return kNoLists;
  if (given.problem.gate) return "a gate must have no stored operands";
  if (!may_be(given, {MainLoop::warp_specialised})) return kOtherLoop;
  return must_be_stored(given);
}
std::vector<Presentation> stored_in_fragments(const Given& given) {
  std::vector<Presentation> one = stored_by(given, MainLoop::warp_specialised);
  std::erase_if(one, [](const Presentation& each) { return !suits_fragments(each.kernel); });
  return one;
}
bool converts_fragments(const Candidate& candidate) {
  return candidate.atom.form == MmaForm::wgmma_rs;
}

}  // namespace jute::plan
