#pragma once
// A problem as one kernel sees it: majors instead of orders, baked numbers.
#include <jute/plan/values/plan.hpp>

#include <jute/plan/values/kernel_groups.hpp>

#include <optional>
#include <span>
#include <vector>

#include "plan/values/kernel_operand.hpp"

namespace jute::plan {

/// Greatest legal access: a power of two up to 16 that divides base, leading dimension and batch
/// stride; of a View all that leads to a run.
[[nodiscard]] int access_bytes(const Matrix& matrix);
/// Bytes that accesses may rest on of an operand whose strides only the device knows.
[[nodiscard]] int promised_bytes(const Matrix& matrix);

struct KernelProblem {
  bool transposed = false;
  Extent m, n, k, batch;
  std::vector<TermProduct> products{};  ///< of split operands
  KernelMatrix a, b, c, d;              ///< of c and d, `major` mn means contiguous along M
  DType accumulate = DType::f32;
  DType compute = DType::f32;  ///< of the problem's whole epilogue
  Factor alpha = Factor::run_time, beta = Factor::run_time;
  EpilogueExpression expression;
  std::vector<KernelOperand> inputs, outputs;  ///< by their places in the expression
  EpilogueAccuracy accuracy = EpilogueAccuracy::full;
  bool is_followed = false;           ///< by the step that forms sums of operands
  std::optional<GatedHalves> gate{};  ///< `m` and `n` are D's
  Launches launches = Launches::behind_others;
  std::optional<KernelGroups> groups{};    ///< extents are then those of a usual group
  Base list = Argument{TensorRole::ends};  ///< of groups
};

/// Does a table name rows of an operand or of D?
[[nodiscard]] inline bool has_row_tables(const KernelProblem& problem) {
  return problem.a.rows || problem.b.rows || problem.d.rows;
}

/// The place of the input among those of the whole problem.
[[nodiscard]] int place_of(const KernelOperand& input);
/// An input of the problem's epilogue as it lies.
[[nodiscard]] KernelOperand kernel_input(const Problem& problem, int place);

/// A D that is contiguous along M is computed transposed: Dᵀ = Bᵀ·Aᵀ. `copies` are what has been
/// put into the workspace: the kernel reads those instead, as `problem` describes them.
[[nodiscard]] KernelProblem kernel_problem(const Problem& problem, const Config& config,
                                           std::span<const Move> copies = {});

/// Does an operand become another type in threads' registers?
[[nodiscard]] inline bool has_stored(const KernelProblem& problem) {
  return problem.a.stored || problem.b.stored;
}

/// Which of the operand's dimensions is walked first: that of a copy's rows.
enum class CopyAlong : std::uint8_t { mn, k };

struct BlockStrides {
  Count mn, k;
};
/// Strides of A (M,K) or B (K,N); `numbers` is whose leading dimension it is.
[[nodiscard]] BlockStrides strides_of(TensorRole tensor, TensorRole numbers, Order order);
/// `role` is that of the numbers.
[[nodiscard]] MoveNumbers numbers_of(const BlockValues& values, TensorRole tensor, TensorRole role,
                                     CopyAlong along);

/// The order of a matrix: row where the kernel's N is contiguous.
[[nodiscard]] Order order_of(const KernelMatrix& matrix);

/// The same product with its operands in each other's place.
[[nodiscard]] KernelProblem transposed(KernelProblem problem);

}  // namespace jute::plan
