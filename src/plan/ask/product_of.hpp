#pragma once
// The product that a problem's GEMM computes.
#include <jute/plan/ask/problem.hpp>

#include <algorithm>
#include <vector>

namespace jute::plan {

/// Does a second step make D, and scales of whole rows or all of it?
[[nodiscard]] bool has_second_step(const Problem& problem);
/// The problem without outputs that are made of operand sums; its epilogue may be the usual one
/// then. Where a second step follows, D is what that begins with.
[[nodiscard]] Problem product_of(const Problem& problem);
/// The type that the problem's epilogue is computed in.
[[nodiscard]] DType compute_type_of(const Problem& problem);

/// The place of what the whole problem's expression names.
template <class Named>
[[nodiscard]] int place_in(const std::vector<Named>& whole, const Named& named) {
  return static_cast<int>(std::ranges::find(whole, named.name, &Named::name) - whole.begin());
}

}  // namespace jute::plan
