#pragma once
// A problem as one kernel sees it: majors instead of orders, baked numbers.
#include <jute/plan/values/plan.hpp>

#include <span>
#include <string>
#include <vector>

namespace jute::plan {

/// Greatest legal access: a power of two up to 16 that divides base, leading dimension and batch
/// stride.
[[nodiscard]] int access_bytes(const Matrix& matrix);

struct KernelMatrix {
  Base base;
  DType type = DType::f32;
  Major major = Major::k;
  Extent ld, batch_stride;
  int access_bytes = 1;  ///< access_bytes() of the matrix
  int terms = 1;         ///< matrices of a copy for each of the operand
  Count term_stride = 0;
};

/// Does a step ahead of the kernel make it?
[[nodiscard]] inline bool is_copy(const KernelMatrix& matrix) {
  return std::holds_alternative<InWorkspace>(matrix.base);
}

/// An input or an output of the epilogue; rows and columns are the kernel's.
struct KernelOperand {
  std::string name;  ///< the expression's
  EpilogueExtent extent = EpilogueExtent::elements;
  EpilogueGather gather = EpilogueGather::elements;  ///< of an output
  bool by_value = false;
  bool is_bits = false;
  KernelMatrix matrix;
};

struct KernelProblem {
  bool transposed = false;
  Extent m, n, k, batch;
  std::vector<TermProduct> products{};  ///< of split operands
  KernelMatrix a, b, c, d;              ///< of c and d, `major` mn means contiguous along M
  DType accumulate = DType::f32;
  DType compute = DType::f32;  ///< of the problem's whole epilogue
  Scale alpha = Scale::run_time, beta = Scale::run_time;
  EpilogueExpression expression;
  std::vector<KernelOperand> inputs, outputs;  ///< by their places in the expression
  EpilogueAccuracy accuracy = EpilogueAccuracy::full;
  bool is_followed = false;  ///< by the step that forms sums of operands
};

/// The problem without outputs that are made of operand sums: what its GEMM computes. Its epilogue
/// may be the usual one then.
[[nodiscard]] Problem product_of(const Problem& problem);
/// What the problem's epilogue is computed in.
[[nodiscard]] DType compute_type_of(const Problem& problem);
/// The place of the input among those of the whole problem.
[[nodiscard]] int place_of(const KernelOperand& input);
/// An input of the problem's epilogue as it lies.
[[nodiscard]] KernelOperand kernel_input(const Problem& problem, int place);

/// A D that is contiguous along M is computed transposed: Dᵀ = Bᵀ·Aᵀ. `copies` are what has been
/// put into the workspace: the kernel reads those instead, as `problem` describes them.
[[nodiscard]] KernelProblem kernel_problem(const Problem& problem, Specialize specialize,
                                           std::span<const Move> copies = {});

/// What is contiguous: row where the kernel's N is.
[[nodiscard]] Order order_of(const KernelMatrix& matrix);

/// The same product with its operands in each other's place.
[[nodiscard]] KernelProblem transposed(KernelProblem problem);

}  // namespace jute::plan
