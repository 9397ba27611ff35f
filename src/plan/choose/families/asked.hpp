#pragma once
// The question that families of kernels are asked.
#include <jute/plan/ask/config.hpp>

#include <optional>
#include <vector>

#include "plan/choose/families/gated_tiles.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// A problem and what the caller chose. What several families need is found once, when the first of
/// them needs it.
class Asked {
 public:
  /// All that is given must outlive it.
  Asked(const KernelProblem& given, const DeviceInfo& chip, const Config& chosen,
        const Catalogue& known)
      : own(given),
        own_config(chosen),
        problem(whole_product(given)),
        device(chip),
        config(for_whole_product(chosen, given)),
        catalogue(known) {}

  const KernelProblem& own;  ///< as it is asked for
  const Config& own_config;
  const KernelProblem problem;  ///< of a gated product that of both halves, which tiles are for
  const DeviceInfo& device;
  const Config config;
  const Catalogue& catalogue;

  /// Instructions of tensor cores by warps, best first, and of threads.
  const std::vector<MmaAtom>& atoms();
  /// Does no tensor core multiply the types, so that threads do?
  bool is_for_threads() { return atoms().front().form == MmaForm::fma; }
  /// Do warpgroups multiply the types as they lie?
  bool has_wgmma();
  /// Do warps multiply where warpgroups might: of operands or a D that those do not have as they
  /// lie?
  bool are_for_warps();
  /// Kernels that problems share are of few tiles.
  bool are_warps_ranked();

 private:
  std::optional<std::vector<MmaAtom>> atoms_;
  std::optional<bool> has_wgmma_;
};

/// Do kernels that bring tiles to shared memory by TMA read copies, as rows of an operand begin
/// anywhere?
[[nodiscard]] bool needs_copies(const KernelProblem& problem);

}  // namespace jute::plan
