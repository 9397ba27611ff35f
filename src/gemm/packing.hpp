#pragma once
// Which of several kernels' copies of an operand are the ones that a caller keeps.
#include <jute/plan/values/plan.hpp>

#include <cstddef>
#include <span>

namespace jute::gemm {

/// The step of a plan that copies an operand, and how.
struct CopyOf {
  std::size_t step = 0;
  const Move* move = nullptr;  ///< none: the operand is read as it lies
};
[[nodiscard]] CopyOf copy_of(const Plan& plan, TensorRole operand);

/// The plan whose copy of the operand is what packing makes: the last that copies it, whose rows
/// are the most; the last of all where none does.
[[nodiscard]] std::size_t packing_plan(std::span<const Plan> plans, TensorRole operand);

/// Does a kernel of the plan read what packing makes of the operand?
[[nodiscard]] bool reads_packed(const Plan& plan, std::span<const Plan> plans, TensorRole operand);

}  // namespace jute::gemm
