#pragma once
// The plain triple loop that results are judged by, and the bound on their error.
#include <jute/base/export.hpp>
#include <jute/epilogue/bound.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/problem_tensors.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// An operand that an earlier product of a chain left in a buffer, element by element: what would
/// be there without any rounding, and how far what is there may lie from that.
struct ComputedOperand {
  std::vector<double> value{}, error{};
};

/// Host memory of the operands, laid out as the problem says (whole buffers, padding included).
struct HostOperands {
  /// Of what is read: c may be empty where it is not; d is that before the run, where rows are
  /// added to it.
  ByTensor<std::span<const std::byte>> memory{};
  std::vector<double> input_values{};     ///< by their places, of inputs that are passed by value
  std::vector<Index> ends{};              ///< of groups: the device's list, an entry for each
  std::vector<Index> rows_a{}, rows_d{};  ///< of A and D: the device's tables, an entry a row
  /// In place of what a and b hold, where earlier products computed that; the caller's.
  const ComputedOperand *computed_a = nullptr, *computed_b = nullptr;
};

/// Bytes of each operand's buffer: first to last element that the problem names, gaps
/// between rows and matrices included. 0 of lists and tables, of inputs that are passed by value,
/// and of the output that is d.
using OperandBytes = ByTensor<Index>;
/// throws  overflow; what completed() throws
[[nodiscard]] OperandBytes operand_bytes(const Problem& problem);

/// The exact-as-possible result and what a correct kernel may differ from it.
struct Reference {
  /// (batch, M, N), last index fastest, before rounding to D's type; of groups that have parts of
  /// one D its (1, M, N). Of a D whose rows a table names M counts those of memory. What is no
  /// group's, and what no table names, or names twice, is not judged: its bound is infinite. Where
  /// rows are added, it is the sum with what D held, and all of D is judged.
  std::vector<double> value;
  /// Greatest legal |D - value|. Infinite where value is not finite, and where a partial sum may
  /// leave the accumulator's range: such an element is not judged.
  std::vector<double> bound;
  /// For a problem's own epilogue, of each element: between which values it lies, once it
  /// is stored; `value` and `bound` then say where the middle is and how far the ends. Else empty.
  std::vector<EpilogueInterval> lies{};
};

/// D = alpha * A·B + beta * C in float64 (integers in int64, float64 operands in extended
/// precision) with the bound
///   (K+2)·u_acc·|alpha|·(|A||B|) + u_out·|value| + 4·u_acc·|beta·C|
/// and, of operands that are converted, what the rounding of their elements adds to that:
/// |alpha|·(dA|B| + |A|dB + dA·dB), as do the errors of computed ones; where u_out is half a unit
/// in the last place of D (0 from integers to integers). A product is rounded to a multiple of the
/// accumulator's smallest value, too: K of these, times |alpha|, and one more. Of types that tensor
/// cores multiply |A| and |B| are at least the least normal number where they are not 0, as
/// products are aligned by that. alpha and beta are rounded to the scalar type of the accumulator
/// first. beta = 0 never reads C.
///   shapes  batch × M × N results
///   throws  out_of_range: a buffer is shorter than operand_bytes() says
[[nodiscard]] Reference reference_gemm(const Problem& problem, const HostOperands& operands,
                                       double alpha, double beta, double u_acc);

/// D as an operand of the next product of a chain, in the order of its buffer.
///   needs   a reference of all of D
[[nodiscard]] ComputedOperand computed_operand(const Problem& problem, const Reference& reference);

/// reference_gemm for every output of the problem's epilogue, by their places. What is gathered has
/// a value for each row (batch × M), each column (batch × N), or each matrix (batch).
///   throws  what reference_gemm throws
[[nodiscard]] std::vector<Reference> reference_outputs(const Problem& problem,
                                                       const HostOperands& operands, double alpha,
                                                       double beta, double u_acc);

/// The worst element of a comparison.
struct Verdict {
  bool ok = false;
  Index wrong = 0;                    ///< elements outside their bound
  double worst_error = 0.0;           ///< largest |D - value| over finite elements
  double worst_bound = 0.0;           ///< the bound of that element
  double worst_rounding = 0.0;        ///< how far the value rounded to its type lies from it
  DType type = DType::f32;            ///< what it is rounded to
  double worst_ratio = 0.0;           ///< largest error / bound
  Index batch = 0, row = 0, col = 0;  ///< of the first wrong element, else of the worst
};
/// `ok: error 1e-6, of which 8e-7 by rounding to f32, where 2e-5 is legal, …`; one line.
[[nodiscard]] std::string to_string(const Verdict& verdict);
std::ostream& operator<<(std::ostream& out, const Verdict& verdict);

/// `d` is D's whole buffer, laid out as the problem says. NaN must meet NaN, infinity infinity; a
/// type without them must hold what encode() makes of them.
///   throws  out_of_range: d or the reference is too short
[[nodiscard]] Verdict compare(const Problem& problem, const Reference& reference,
                              std::span<const std::byte> d);

/// The same of an output of the problem's epilogue, by its place.
[[nodiscard]] Verdict compare_output(const Problem& problem, std::size_t place,
                                     const Reference& reference, std::span<const std::byte> output);

/// One element of the result.
struct ResultElement {
  Index batch = 0, row = 0, col = 0;  ///< of D as memory has it
  bool operator==(const ResultElement&) const = default;
};
/// The corners of the first and last matrix and `count` elements drawn from `seed`, for results too
/// large to judge whole. Empty when D is.
[[nodiscard]] std::vector<ResultElement> sample_elements(const Problem& problem, Index count,
                                                         std::uint64_t seed);
/// reference_gemm for the listed elements alone, in their order: K products each.
[[nodiscard]] Reference reference_elements(const Problem& problem, const HostOperands& operands,
                                           std::span<const ResultElement> elements, double alpha,
                                           double beta, double u_acc);
/// compare for the listed elements alone.
[[nodiscard]] Verdict compare_elements(const Problem& problem, const Reference& reference,
                                       std::span<const ResultElement> elements,
                                       std::span<const std::byte> d);

/// The unit that adds products: a thread's own multiply-adds, or an instruction of a warp or more.
enum class ProductUnit : std::uint8_t { thread, tensor_core };
/// Unit roundoff of an accumulator for the bound: 2^-24 for f32 FMA, 2^-23 for f32 tensor cores,
/// 2^-11 and 2^-10 for f16, 2^-53 for f64, 0 for s32.
[[nodiscard]] double accumulator_roundoff(DType accumulate, ProductUnit unit);

}  // namespace jute
