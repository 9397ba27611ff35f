#pragma once
// How the result of a contraction lies where nobody says it.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/plan/notation/subscripts.hpp>

#include <span>
#include <vector>

namespace JUTE_API jute {

/// The axes of the result in memory, the last one fastest, where that is written faster than in the
/// order of its letters; empty: it is not. Letters that both operands have are a batch, and a
/// kernel writes one matrix of it after the other. Where less than a line of a matrix lies
/// together, the batch goes first, as torch has it, then the letters of one operand, then those of
/// the other.
///   example  `qwa,ewa->qew` of (512, 512, 64): {2, 0, 1}, as w is a batch
[[nodiscard]] std::vector<int> result_axes(const Subscripts& text, std::span<const Index> extents,
                                           int width_bytes);

}  // namespace jute
