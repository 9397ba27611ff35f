#pragma once
// Copies of operands, and their sums over K, as values of a plan.
#include <jute/plan/values/fields.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>
#include <vector>

#include "plan/ask/operand_sums.hpp"
#include "plan/values/kernel_operand.hpp"

namespace jute::plan {

/// The type that sums are formed in: the accumulator's type, f16 sums as f32.
[[nodiscard]] DType sum_type(const Problem& problem);
[[nodiscard]] Count line_count(const SumRow& row);
/// Every matrix's sums begin at a multiple of 16 bytes.
[[nodiscard]] Count sum_batch_stride(const SumRow& row);

/// Does the GEMM read none of the sums?
[[nodiscard]] bool sums_follow(const Problem& problem);

/// Where a product leaves the largest magnitudes that its second step reads.
struct MostOfBlocks {
  std::string region;
  Count lines;  ///< of a matrix: rows of D, or 1
};
///   needs  has_second_step
[[nodiscard]] MostOfBlocks most_of_blocks(const Problem& problem);

/// The sums as inputs of the problem's kernel, a_sum and b_sum.
[[nodiscard]] std::vector<KernelOperand> sum_inputs(const Problem& problem);

/// `formed behind the GEMM, outputs in f32, full; of in0 s f32 by value`
[[nodiscard]] std::string text_of(const MoveStep& sums);
/// `out1 f32 dbias = a_sum[m]`
[[nodiscard]] std::string text_of(const std::vector<SumOutput>& outputs);

/// One copy, and what becomes of its elements, likewise.
[[nodiscard]] Fields fields_of(const Move& move, const RunValues& planned);
[[nodiscard]] Fields fields_of(const MoveConversion& conversion, const RunValues& planned);
/// One sum, a fact each, and its numbers as planned.
[[nodiscard]] Fields fields_of(const OperandSum& sum, const RunValues& planned);

}  // namespace jute::plan
