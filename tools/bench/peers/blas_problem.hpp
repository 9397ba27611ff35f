#pragma once
// A problem in BLAS's words: matrices by columns, types and factors as the library wants them.
#include <jute/plan/ask/problem.hpp>

#include <optional>

#include "bench/peers/cublas_api.hpp"

namespace jute::bench {

/// One matrix by columns.
struct BlasMatrix {
  int type = 0;
  Index rows = 0, cols = 0, ld = 0, batch_stride = 0;
  BlasOperation operation = kNoTranspose;
  bool operator==(const BlasMatrix&) const = default;
};

/// A number of the type that the compute type asks for.
struct BlasFactor {
  alignas(8) unsigned char bytes[8] = {};
};

/// D = alpha * A·B + beta * C by columns. A row-major D is, by columns, its own transpose: then the
/// first operand is B and the second A.
struct BlasProblem {
  bool is_swapped = false;  ///< the first operand is B
  Index m = 0, n = 0, k = 0, batch = 1;
  BlasMatrix first, second, c, d;
  int compute = 0, scale = 0;
  BlasFactor alpha, beta;
  bool reads_c = false;
};

/// Its number of a type, where it has one.
[[nodiscard]] std::optional<int> blas_type(DType type);

/// Without an epilogue of the problem's own. Nothing where the library has no words for it: C that
/// lies otherwise than D, a type or an accumulator that it does not know. 32-bit floats are never
/// rounded to tf32.
[[nodiscard]] std::optional<BlasProblem> blas_problem(const Problem& problem, double alpha,
                                                      double beta);

/// Unit roundoff of the library's accumulator, for the bound of its error: tensor cores, but for
/// f32 and f64; 8-bit floats in the fast mode.
[[nodiscard]] double blas_roundoff(const Problem& problem);

}  // namespace jute::bench
