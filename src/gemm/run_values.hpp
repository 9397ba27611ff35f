#pragma once
// The numbers of one run, from its arguments.
#include <jute/gemm/gemm.hpp>
#include <jute/plan/ask/run_values.hpp>

namespace jute::gemm {

/// The planned numbers with those of `args` in their place; a stride of 0 is a packed one.
///   throws  illegal_problem: what completed() throws of the numbers that `args` gives
[[nodiscard]] RunValues run_values(const Problem& planned, const GemmArgs& args);

}  // namespace jute::gemm
