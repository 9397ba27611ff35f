#pragma once
// Operands whose rows are too unaligned for whole accesses, copied before the GEMM.
#include <jute/plan/plan.hpp>

namespace jute::plan {

/// Replaces the operands of `problem` that are worth a copy by their copies in the workspace.
///   gives  the steps that make the copies
[[nodiscard]] std::vector<PadStep> pad_operands(Problem& problem, const DeviceInfo& device,
                                                const Config& config);
/// The problem with the copy in its operand's place, at these numbers.
void read_copy(Problem& problem, const PadStep& copy, const RunValues& planned);
/// Of the copy in the workspace.
[[nodiscard]] Count padded_bytes(const PadStep& step);

}  // namespace jute::plan
