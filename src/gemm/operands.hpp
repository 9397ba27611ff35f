#pragma once
// The four operands of a problem in host memory, and the scale factors as a kernel sees them.
#include "gemm/converted.hpp"
#include "gemm/group_parts.hpp"
#include "gemm/host_matrix.hpp"

#include <jute/epilogue/bound.hpp>
#include <jute/epilogue/evaluate.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/plan/ask/epilogue.hpp>

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace jute::gemm {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Values of an output: of one of bits as many as D has elements.
[[nodiscard]] MatrixExtents values_of_output(const Problem& problem, std::size_t place);
/// Host memory as a tensor of the problem; the output that is D lies as D.
[[nodiscard]] HostMatrix host_matrix(const Problem& problem, TensorRole role,
                                     std::span<const std::byte> memory);

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
  HostMatrix a, b;
  ByTensor<HostMatrix> matrices{};  ///< all else that is read
  std::vector<GroupPart> parts{};   ///< by matrices of the batch; none: nothing is computed
  bool reads_c = false;
  /// The rows of memory that A's and D's rows are, -1 where none; empty without a table.
  std::vector<Index> rows_a{}, rows_d{};
  // For the problem's own epilogue:
  EpilogueArithmetic arithmetic{};
  DType compute = DType::f32;
  std::vector<double> input_values{};
  struct OperandSums;
  struct Blocks;
  std::shared_ptr<Blocks>
      blocks{};  ///< of an expression that names amax of blocks; filled as asked
  std::optional<Converted> converted_a{}, converted_b{};  ///< where they are
  std::optional<HostMatrix> error_a{}, error_b{};         ///< of operands that were computed
  /// Do factors have errors?
  [[nodiscard]] bool has_errors() const { return problem.staged || error_a || error_b; }
  /// An element of what lies as D does.
  [[nodiscard]] double at(TensorRole role, const ResultElement& element) const {
    return matrices[role].at(element.batch, element.row, element.col);
  }
  /// The factors that are multiplied.
  [[nodiscard]] Multiplied factor_a(Index batch, Index m, Index k) const;
  [[nodiscard]] Multiplied factor_b(Index batch, Index k, Index n) const;
  /// The factor of the gate's column of B for column n of D.
  [[nodiscard]] Multiplied factor_gate(Index batch, Index k, Index n) const;
  std::shared_ptr<const OperandSums> sums{};  ///< where the expression names any, or terms need it
};

/// Sum of products of one element, and the sum of their magnitudes; or of an operand's elements.
struct Sum {
  double magnitude = 0;
  long double value = 0;
  double below = 0;  ///< what is lost of split or converted operands, and of small products
  // Where the epilogue names gate, with the gate's column of B:
  double gate_magnitude = 0;
  long double gate_value = 0;
  double gate_below = 0;
};

/// An operand's sums over K, for every row of A, every column of B, of all matrices.
struct ReferenceInputs::OperandSums {
  std::vector<Sum> a, b;
};
[[nodiscard]] std::shared_ptr<const ReferenceInputs::OperandSums> operand_sums(
    const ReferenceInputs& inputs);

/// The least normal number of what tensor cores multiply; 0 where threads do, or nothing rounds.
[[nodiscard]] double least_normal(const ReferenceInputs& inputs);
/// The smallest value of the type that is added in, where kernels round; else 0.
[[nodiscard]] double least_of_sums(const ReferenceInputs& inputs);
/// A sum each of whose products is rounded to a multiple of that.
[[nodiscard]] Sum rounded_below(const ReferenceInputs& inputs, Index batch, Sum sum);

/// The sum as kernels form it: of operands, or of their terms.
[[nodiscard]] Sum of_terms(const ReferenceInputs& inputs, const ResultElement& element, Sum sum);

/// One element's sum.
[[nodiscard]] Sum sum_of(const ReferenceInputs& inputs, const ResultElement& element);

/// The reference of one element.
struct Judgement {
  double value = 0;
  double bound = 0;
  std::optional<EpilogueInterval> lies{};  ///< of a problem's own epilogue
};
/// Behind those that a reference has.
inline void append(Reference& reference, const Judgement& judged) {
  reference.value.push_back(judged.value);
  reference.bound.push_back(judged.bound);
  if (judged.lies) reference.lies.push_back(*judged.lies);
}
[[nodiscard]] Judgement judgement(const ReferenceInputs& inputs, const ResultElement& element,
                                  const Sum& sum);

/// Where each output of the problem's own epilogue lies before it is gathered or rounded, and its
/// value for the exact sum.
struct OutputJudgement {
  double value = 0;
  EpilogueInterval lies{};
};
[[nodiscard]] std::vector<OutputJudgement> judgements(const ReferenceInputs& inputs,
                                                      const ResultElement& element, const Sum& sum);
/// The largest finite value of a type.
[[nodiscard]] double largest(DType type);
/// How many products an element of the matrix is the sum of.
[[nodiscard]] inline Index products_of(const ReferenceInputs& inputs, Index batch) {
  return inputs.parts.empty() ? inputs.problem.k
                              : inputs.parts[static_cast<size_t>(batch)].k.size();
}
/// Where a row of the product lies in D's memory; none where it is not stored.
[[nodiscard]] inline std::optional<Index> row_in_d(const ReferenceInputs& inputs, Index row) {
  if (inputs.rows_d.empty()) return row;
  const Index named = inputs.rows_d[static_cast<size_t>(row)];
  return named < 0 ? std::nullopt : std::optional(named);
}
/// Where the element, whose row is that of memory, stands among all of D.
[[nodiscard]] inline size_t place_in_d(const Problem& problem, const ResultElement& element) {
  const Index matrix = std::min(element.batch, matrices_of_d(problem) - 1);
  const Index rows = rows_in_memory(problem.d, problem.m);
  return static_cast<size_t>((matrix * rows + element.row) * problem.n + element.col);
}
/// Calls `sink` for every element of D that is computed.
void each_sum(const ReferenceInputs& inputs,
              const std::function<void(const ResultElement&, const Sum&)>& sink);
/// reference_outputs of completed inputs.
[[nodiscard]] std::vector<Reference> gathered_outputs(const ReferenceInputs& inputs);
/// The judgement of an interval of values, once they are stored as a type.
[[nodiscard]] Judgement stored(const OutputJudgement& judged, DType type);
/// A value once it is stored as a type.
[[nodiscard]] double rounded(DType type, double value);
/// Greatest error of rounding `value` to a type; an integer that becomes an integer keeps its
/// value.
[[nodiscard]] double rounding_error(DType type, DType from, double value);

}  // namespace jute::gemm
