#pragma once
// What a problem's GEMM computes of it.
#include <jute/plan/ask/problem.hpp>

#include <algorithm>
#include <vector>

namespace jute::plan {

/// The problem without outputs that are made of operand sums. Its epilogue may be the usual one
/// then.
[[nodiscard]] Problem product_of(const Problem& problem);
/// What the problem's epilogue is computed in.
[[nodiscard]] DType compute_type_of(const Problem& problem);

/// The place of what the whole problem's expression names.
template <class Named>
[[nodiscard]] int place_in(const std::vector<Named>& whole, const Named& named) {
  return static_cast<int>(std::ranges::find(whole, named.name, &Named::name) - whole.begin());
}

}  // namespace jute::plan
