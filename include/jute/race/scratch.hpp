#pragma once
// Operands to time kernels on.
#include <jute/base/export.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/race/operand_sets.hpp>

namespace JUTE_API jute {

/// Random operands of a completed problem without a range, of `most_bytes` at most.
///   throws  out_of_memory: one set takes more
[[nodiscard]] OperandSets scratch_operands(Backend& backend, const Problem& problem,
                                           Index most_bytes);
/// The arguments of a launch on them, but for workspace and stream.
[[nodiscard]] GemmArgs args_on(const OperandSets& sets, const Problem& problem, int launch);

}  // namespace jute
