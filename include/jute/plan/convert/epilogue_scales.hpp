#pragma once
// Scales along all of K, which multiply whole sums: the epilogue does.
#include <jute/base/export.hpp>
#include <jute/plan/ask/problem.hpp>

namespace JUTE_API jute {

/// The problem of operands that are multiplied as they are: those of its scales that its sums have
/// in common, one a row of A, a column of B or a matrix, are inputs of its epilogue behind its own.
///   throws  what completed throws: the epilogue has too many inputs, or nodes
[[nodiscard]] Problem with_epilogue_scales(const Problem& problem);

}  // namespace jute
