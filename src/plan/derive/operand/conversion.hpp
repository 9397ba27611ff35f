#pragma once
// Operands that become another type on their way into the workspace, scaled.
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <vector>

namespace jute::plan {

/// The scale of A or of B; none of other tensors.
[[nodiscard]] const OperandScale* scale_of(const Problem& problem, TensorRole tensor);
/// Is it A or B of a completed problem, and converted?
[[nodiscard]] bool is_converted(const Problem& problem, TensorRole tensor);

/// Which of the operand's dimensions the rows of its copy run along.
enum class CopyAlong : std::uint8_t { mn, k };

/// What becomes of its elements.
[[nodiscard]] MoveConversion conversion_of(const Problem& problem, TensorRole tensor,
                                           CopyAlong along);
/// Does one matrix of the copy serve the whole batch?
[[nodiscard]] bool is_shared(const Problem& problem, TensorRole tensor);
/// The kernel's parameters beside those of a View's copy.
void add_conversion_parameters(std::vector<KernelParameter>& list, const Move& move);

}  // namespace jute::plan
