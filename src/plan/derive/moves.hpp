#pragma once
// Operands that are copied before the GEMM: their rows are too unaligned for whole accesses, or
// they lie along M or N where the instruction reads along K.
#include <jute/plan/cost/kernel_cost.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <span>
#include <vector>

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

/// Replaces operands of `problem` by copies in the workspace, but for those that are `made`
/// already.
///   gives  the step that makes all of them, if there are any
[[nodiscard]] std::optional<MoveStep> move_operands(Problem& problem, const DeviceInfo& device,
                                                    const Config& config, Copies copies,
                                                    const std::vector<Move>& made = {});
/// The problem with the copy in its operand's place, at these numbers.
void read_copy(Problem& problem, const Move& move, const RunValues& planned);
/// Adds the bytes of moves, or of all that a step does.
void add_moves(MovedBytes& moved, std::span<const Move> moves, const Problem& problem);
void add_moves(MovedBytes& moved, const MoveStep& step, const Problem& problem);

/// The same step as the problem and its own choices make it: which operands, transposed or not.
[[nodiscard]] MoveStep moves_again(const MoveStep& step, const Problem& problem,
                                   const DeviceInfo& device);

// Operands whose Views no kernel walks: A, B and C are packed ahead of it, D is unpacked behind it.

/// Moves of each operand that has a View.
[[nodiscard]] std::vector<Move> view_moves(const Problem& problem);
[[nodiscard]] Move view_move_of(const Problem& problem, TensorRole tensor);

/// The kernel's parameters of one.
void add_view_parameters(std::vector<KernelParameter>& list, const Move& move);

/// The moves of A and B.
[[nodiscard]] std::vector<Move> of_operands(const std::vector<Move>& moves);
/// The step of C, or of D alone.
[[nodiscard]] std::optional<MoveStep> view_step(const Problem& problem, TensorRole tensor,
                                                const DeviceInfo& device);

}  // namespace jute::plan
