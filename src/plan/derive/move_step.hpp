#pragma once
// The common part of steps that prepare a GEMM's operands.
#include <jute/plan/values/plan.hpp>

#include <string_view>

namespace jute::plan {

/// The operand that a move brings, or takes away: A, B, C or D.
[[nodiscard]] Matrix& matrix_of(Problem& problem, TensorRole tensor);
[[nodiscard]] const Matrix& matrix_of(const Problem& problem, TensorRole tensor);

inline constexpr int kMoveThreads = 128;

/// Blocks of the step for one operand more.
void add_blocks(MoveStep& step, const Count& blocks);
/// Its name, `jute_sm_90a_move_bf16`, and how it is launched.
void complete_move_step(MoveStep& step, std::string_view what, DType type,
                        const DeviceInfo& device);

}  // namespace jute::plan
