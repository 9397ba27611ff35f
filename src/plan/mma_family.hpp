#pragma once
// GEMM by warp-level tensor-core instructions (mma.sync): sm_75 and up.
#include "plan/kernel_problem.hpp"

namespace jute::plan {

/// The atom for the problem's types on an architecture; nothing when tensor cores do not multiply
/// them (f32) or the chip has none that do.
[[nodiscard]] std::optional<std::string> mma_atom_for(const KernelProblem& problem, Arch arch);

/// Chooses what the caller left open. The result may still break rules, which `check` finds.
///   throws  illegal_config: rules whose breach leaves nothing to complete
[[nodiscard]] GemmStep mma_step(const KernelProblem& problem, const MmaAtom& atom,
                                const DeviceInfo& device, const Config& config,
                                const Catalogue& catalogue);

}  // namespace jute::plan
