#pragma once
// Operands that are copied before the GEMM: their rows are too unaligned for whole accesses, or
// they lie along M or N where the instruction reads along K.
#include <jute/plan/cost/kernel_cost.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>

namespace jute::plan {

/// Which operands are copied.
enum class Copies : std::uint8_t {
  none,
  worthwhile,  ///< unaligned ones, where cp.async saves what a copy costs
  unaligned,   ///< whatever TMA cannot move
  all,         ///< whatever TMA cannot move, and what wgmma cannot read where it lies
};

/// Does an operand keep the problem from wgmma: rows that begin anywhere, or a type that it reads
/// along K alone?
[[nodiscard]] bool wgmma_needs_copies(const Problem& problem, const DeviceInfo& device,
                                      const Config& config);

/// Replaces operands of `problem` by copies in the workspace.
///   gives  the step that makes them, if there are any
[[nodiscard]] std::optional<MoveStep> move_operands(Problem& problem, const DeviceInfo& device,
                                                    const Config& config, Copies copies);
/// The problem with the copy in its operand's place, at these numbers.
void read_copy(Problem& problem, const Move& move, const RunValues& planned);
/// What the step adds to a kernel's clocks.
void add_moves(KernelCost& cost, const MoveStep& step, const Problem& problem);

/// The same step as the problem and its own choices make it: which operands, transposed or not.
[[nodiscard]] MoveStep moves_again(const MoveStep& step, const Problem& problem,
                                   const DeviceInfo& device);

}  // namespace jute::plan
