#pragma once
// The parameter list of a GEMM kernel: what is baked is no parameter.
#include <jute/launch/signature.hpp>
#include <jute/plan/plan.hpp>

#include <string>

namespace jute::codegen {

/// The C type of a scale factor: that of the arithmetic behind the accumulators.
[[nodiscard]] std::string compute_type(DType accumulate);

struct ParameterList {
  Signature signature;
  std::string text;       ///< the declarations, one a line
  std::string constants;  ///< the baked numbers as constants of the same names
};
/// In order: a, b, c, d; then those of m, n, k, lda, ldb, ldc, ldd, batch_stride_a … _d that are
/// not baked; then alpha and beta where they are run-time. Names are the kernel's, which in a
/// transposed step are the other way round than the problem's.
[[nodiscard]] ParameterList parameters(const GemmStep& step);

}  // namespace jute::codegen
