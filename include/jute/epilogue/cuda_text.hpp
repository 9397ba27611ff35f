#pragma once
// An expression as CUDA.
#include <jute/base/export.hpp>
#include <jute/epilogue/evaluate.hpp>

#include <string>
#include <vector>

namespace JUTE_API jute {

/// How a kernel spells what an expression reads: names, members, calls; each of the type that is
/// computed in, a truth value of bool.
struct EpilogueSpelling {
  std::string acc = "acc", alpha = "alpha", beta = "beta", c = "to_compute(c)", a_sum = "a_sum",
              b_sum = "b_sum", gate = "gate", block_amax = "block_most";
  std::vector<std::string> inputs{};  ///< an input each
};

/// The text of an expression in a kernel. `Compute` is the kernel's name for the type that is
/// computed in.
struct EpilogueCudaText {
  std::vector<std::string> functions;  ///< templates that must stand before: "function/silu.cu"
  std::string lines;                   ///< statements, each with its line end
  std::vector<std::string> values;     ///< of each output a value; a bit's is a bool
};

/// The lines take no branch but on beta. Names that they declare are a local's with `_` behind it,
/// sum, sum_2, …, part, part_2, ….
[[nodiscard]] EpilogueCudaText cuda_text(const EpilogueArithmetic& arithmetic, DType compute,
                                         const EpilogueSpelling& spelling = {},
                                         EpilogueAccuracy accuracy = EpilogueAccuracy::full);

}  // namespace jute
