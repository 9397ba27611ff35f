#pragma once
// The four operands of a problem in host memory, and the scale factors as a kernel sees them.
#include "gemm/host_matrix.hpp"

#include <jute/gemm/reference.hpp>
#include <jute/plan/epilogue.hpp>

namespace jute::gemm {

[[nodiscard]] MatrixExtents extents_a(const Problem& problem);
[[nodiscard]] MatrixExtents extents_b(const Problem& problem);
[[nodiscard]] MatrixExtents extents_d(const Problem& problem);

/// The type that kernels with this accumulator take scale factors in: s32, f64 or f32.
[[nodiscard]] DType scale_type(DType accumulate);
/// A scale factor rounded to it.
[[nodiscard]] double rounded_scale(DType accumulate, double scale);

/// Everything that one element's value is computed from. `problem` is completed.
struct ReferenceInputs {
  ReferenceInputs(const Problem& problem, const HostOperands& operands, double alpha, double beta,
                  double u_acc);

  Problem problem;
  double alpha, beta, u_acc;
  EpilogueExpression epilogue;
  HostMatrix a, b, c;
};

/// Sum of products of one element, and the sum of their magnitudes.
struct Sum {
  double magnitude = 0;
  long double value = 0;
};

/// What reference_gemm says of one element.
struct Judgement {
  double value = 0;
  double bound = 0;
};
[[nodiscard]] Judgement judgement(const ReferenceInputs& inputs, const ResultElement& element,
                                  const Sum& sum);

}  // namespace jute::gemm
