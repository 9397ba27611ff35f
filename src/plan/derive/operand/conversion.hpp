#pragma once
// Operands that become another type on their way into the workspace, scaled.
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <vector>

#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The scale of A or of B; none of other tensors.
[[nodiscard]] const OperandScale* scale_of(const Problem& problem, TensorRole tensor);
/// Is it A or B of a completed problem, and converted?
[[nodiscard]] bool is_converted(const Problem& problem, TensorRole tensor);

/// The conversion of its elements.
[[nodiscard]] MoveConversion conversion_of(const Problem& problem, TensorRole tensor,
                                           CopyAlong along);
/// Does one matrix of the copy serve the whole batch?
[[nodiscard]] bool is_generic(const Problem& problem, TensorRole tensor);
/// May threads that load fragments along K convert what they get? Then each of their vectors has
/// whole bytes, and one scale and zero point.
[[nodiscard]] bool may_be_in_registers(const Problem& problem);
/// Lets the kernel read operands as they are stored that are converted without a copy.
void read_in_registers(KernelProblem& kernel, const Problem& problem);
/// Transposes a product of few rows, of which threads read what is stored straight, unless the
/// caller will not have it. Stored elements are then an instruction's A, all of whose registers
/// conversions write; of B's columns each pair of registers is as it was loaded, as four of an A
/// that is loaded are not.
void swap_for_stored(KernelProblem& kernel, const Config& config);
/// Are stored elements loaded in whole vectors of whole bytes, each inside a row?
[[nodiscard]] bool are_whole_vectors(const GemmStep& step);
/// The parameters of what the blocks have of an operand that becomes another number in registers,
/// or in its products; `letter` is the kernel's.
void add_stored_parameters(std::vector<KernelParameter>& list, const char* letter,
                           const OperandPlan& operand);

/// The kernel's parameters beside those of a View's copy.
void add_conversion_parameters(std::vector<KernelParameter>& list, const Move& move);

}  // namespace jute::plan
