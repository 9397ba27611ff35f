#pragma once
// The plain triple loop that results are judged by, and the bound on their error.
#include <jute/plan/problem.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jute {

/// Host memory of the operands, laid out as the problem says (whole buffers, padding included).
struct HostOperands {
  std::span<const std::byte> a, b, c;  ///< c may be empty when beta is 0
};

/// The exact-as-possible result and what a correct kernel may differ from it.
struct Reference {
  std::vector<double> value;  ///< (batch, M, N), last index fastest, before rounding to D's type
  std::vector<double> bound;  ///< greatest legal |D - value|; infinite where value is not finite
};

/// D = alpha * A·B + beta * C in float64 (integers in int64) with the bound
///   (K+2)·u_acc·|alpha|·(|A||B|) + u_out·|value| + 4·u_acc·|beta·C|.
///   shapes  batch × M × N results
[[nodiscard]] Reference reference_gemm(const Problem& problem, const HostOperands& operands,
                                       double alpha, double beta, double u_acc);

/// The worst element of a comparison.
struct Verdict {
  bool ok = false;
  Index wrong = 0;           ///< elements outside their bound
  double worst_error = 0.0;  ///< largest |D - value| over finite elements
  double worst_bound = 0.0;  ///< the bound of that element
  double worst_ratio = 0.0;  ///< largest error / bound
  Index batch = 0, row = 0, col = 0;  ///< of the first wrong element, else of the worst
};
/// `d` is D's whole buffer, laid out as the problem says. NaN must meet NaN, infinity infinity.
[[nodiscard]] Verdict compare(const Problem& problem, const Reference& reference,
                              std::span<const std::byte> d);

/// Unit roundoff of an accumulator for the bound: 2^-24 for f32 FMA, 2^-23 for f32 tensor cores, ….
[[nodiscard]] double accumulator_roundoff(DType accumulate, bool tensor_core);

}  // namespace jute
