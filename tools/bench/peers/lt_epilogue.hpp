#pragma once
// The epilogues that cuBLASLt has, found by what they compute.
#include <jute/plan/ask/problem.hpp>

#include <optional>
#include <vector>

#include "bench/peers/cublas_api.hpp"

namespace jute::bench {

/// A pointer that the library wants told: what of our epilogue it points to.
struct LtPointer {
  LtAttribute attribute;
  bool is_output = false;
  size_t place = 0;  ///< among our inputs, or outputs
  bool operator==(const LtPointer&) const = default;
};

/// One of its epilogues, with ours put into its terms.
struct LtEpilogue {
  int value = 1;  ///< cublasLtEpilogue_t
  std::vector<LtPointer> pointers{};
  std::optional<int> bias_type{}, aux_type{};
  std::optional<std::int64_t> aux_ld{}, aux_batch_stride{}, bias_batch_stride{};
};

/// The one whose text on docs/epilogues.md says what this problem's epilogue does, whatever the
/// names in it; of a row-major D, which it sees transposed, with rows and columns exchanged.
/// Nothing where it has none, or where an operand lies otherwise than it wants.
///   needs  an epilogue of the problem's own, completed
[[nodiscard]] std::optional<LtEpilogue> lt_epilogue(const Problem& problem);

}  // namespace jute::bench
